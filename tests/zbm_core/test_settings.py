import json

import pytest

from zbm_core.settings import TABLE, Settings


@pytest.fixture
def file(tmp_path):
    return tmp_path / "config" / "settings.json"


def test_defaults_until_something_is_chosen(file):
    settings = Settings(file)
    assert {setting.key: settings.get(setting.key) for setting in TABLE} == {
        setting.key: setting.default for setting in TABLE
    }
    assert not file.exists()


def test_a_choice_is_there_after_a_restart(file):
    Settings(file).set("search.margin", 30)
    Settings(file).set("search.recent", ["soil carbon", "土壤"])
    again = Settings(file)
    assert again.get("search.margin") == 30
    assert again.get("search.recent") == ["soil carbon", "土壤"]


def test_an_unknown_key_is_a_mistake_of_the_program(file):
    with pytest.raises(KeyError):
        Settings(file).get("search.colour")
    with pytest.raises(KeyError):
        Settings(file).set("search.colour", "red")


@pytest.mark.parametrize(
    ("key", "value"),
    [("search.engine", "guess"), ("search.margin", 101), ("search.margin", True), ("search.recent", [1])],
)
def test_a_value_the_table_does_not_allow_is_refused(file, key, value):
    settings = Settings(file)
    with pytest.raises(ValueError):
        settings.set(key, value)
    assert not file.exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}', '{"format": 1, "values": 3}'])
def test_a_damaged_file_is_set_aside_and_said(file, text):
    file.parent.mkdir(parents=True)
    file.write_text(text)
    settings = Settings(file)
    assert settings.get("search.margin") == 50
    assert "set aside" in settings.notice
    assert file.with_suffix(".damaged.json").read_text() == text
    settings.set("search.margin", 20)
    assert Settings(file).get("search.margin") == 20


def test_wrong_values_in_the_file_fall_back_one_by_one(file):
    file.parent.mkdir(parents=True)
    values = {"search.margin": 400, "search.engine": 7, "search.recent": ["a", 2], "appearance.theme": "dark"}
    file.write_text(json.dumps({"format": 1, "values": values}))
    settings = Settings(file)
    assert settings.get("search.margin") == 100
    assert settings.get("search.engine") == "hybrid"
    assert settings.get("search.recent") == []
    assert settings.get("appearance.theme") == "dark"


def test_keys_of_a_newer_version_survive(file):
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"format": 1, "values": {"future.thing": 1}}))
    Settings(file).set("search.margin", 10)
    assert json.loads(file.read_text())["values"]["future.thing"] == 1


def test_several_values_are_stored_in_one_write_or_not_at_all(tmp_path):
    file = tmp_path / "config" / "settings.json"
    settings = Settings(file)
    settings.update({"index.folder": "/a", "index.leftover": "/b"})
    again = Settings(file)
    assert (again.get("index.folder"), again.get("index.leftover")) == ("/a", "/b")
    with pytest.raises(ValueError, match="not a value"):
        settings.update({"index.folder": "/c", "search.margin": 101})
    file.with_suffix(".new").mkdir()  # in the way of what is written
    with pytest.raises(OSError):
        settings.update({"index.folder": "/c"})
    assert settings.get("index.folder") == "/a" == Settings(file).get("index.folder")
