import pytest
from PySide6.QtCore import QByteArray

from zbm_gui.window_state import WindowState


def test_values_and_bytes_come_back(tmp_path):
    state = WindowState(tmp_path / "config" / "window.json")
    state.set("sidebar", False)
    state.set_bytes("geometry", QByteArray(b"\x00\xff\x10"))
    state.save()
    again = WindowState(tmp_path / "config" / "window.json")
    assert again.get("sidebar", True) is False
    assert again.get_bytes("geometry").data() == b"\x00\xff\x10"
    assert again.get("never stored", "x") == "x"


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"format": 99, "values": {"a": 1}}', '{"format": 1, "values": 3}']
)
def test_a_damaged_file_costs_the_layout_only(tmp_path, content):
    file = tmp_path / "window.json"
    file.write_text(content)
    state = WindowState(file)
    assert state.get("a", 5) == 5
    state.set("a", 6)
    state.save()
    assert WindowState(file).get("a", 5) == 6


def test_a_value_of_another_kind_is_not_taken(tmp_path):
    file = tmp_path / "window.json"
    file.write_text('{"format": 1, "values": {"sidebar": "yes", "geometry": "no base64 %"}}')
    state = WindowState(file)
    assert state.get("sidebar", True) is True
    assert state.get_bytes("geometry").isEmpty()


@pytest.mark.expects_log("could not be saved")
def test_a_folder_that_cannot_be_written_is_logged_and_survived(tmp_path):
    (tmp_path / "file").write_text("")
    WindowState(tmp_path / "file" / "window.json").save()
