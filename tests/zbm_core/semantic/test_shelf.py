import json
import shutil
from collections import namedtuple
from dataclasses import replace

import numpy as np
import pytest

from tests.support.hub_server import REVISION, HubServer
from tests.support.models import WORDS, tiny_repository, tiny_table
from zbm_core.errors import Cancelled, CancelToken
from zbm_core.semantic import Calibration, DownloadError, Encoder, Hub, ModelError, Shelf, read_repository


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with HubServer(tiny_repository()) as server:
        yield server


@pytest.fixture
def hub(server, monkeypatch):
    monkeypatch.setattr(CancelToken, "wait", lambda self, seconds: self.cancelled)  # retries at once
    return Hub(server.endpoint)


@pytest.fixture
def shelf(tmp_path):
    return Shelf(tmp_path / "models")


@pytest.fixture
def model(hub):
    return read_repository(hub, "owner/model")


def calibration(width=8, languages=("en",)):
    means = np.zeros((len(languages), width), "<f4").tobytes()
    return Calibration(0.2, 0.3, 0.5, 0.7, languages, means, means)


def embeds(shelf, model) -> bool:
    encoder = Encoder(shelf.folder_of(model.name), model)
    try:
        return bool(encoder.query("soil carbon").any())
    finally:
        encoder.close()


def test_the_product_knows_its_models(shelf):
    assert {"bekko-embedding-v1-a25m", "multilingual-e5-small"} <= shelf.catalogue().keys()
    assert {"potion-multilingual-128M", "use-multilingual-v3"} == shelf.pickers().keys()
    assert all(model.licence for model in [*shelf.catalogue().values(), *shelf.pickers().values()])
    assert shelf.best_installed() is None and shelf.best_picker() is None


def test_an_installed_model_embeds(shelf, hub, model):
    told = []
    assert shelf.installed("model") is None
    installed = shelf.install(model, hub, on_progress=lambda here, total: told.append((here, total)))
    assert installed == shelf.installed("model")
    assert all(file.size and file.sha256 for file in installed.files)
    assert told[-1][0] == told[-1][1] == installed.download_size
    assert "model" in shelf.catalogue()
    assert shelf.best_installed("model") == installed
    assert embeds(shelf, installed)


def test_nothing_is_left_but_the_model(shelf, hub, model):
    shelf.install(model, hub)
    folder = shelf.folder_of("model")
    assert [entry.name for entry in folder.parent.iterdir()] == ["model"]
    assert not list(folder.rglob("*.part")) and not list(folder.rglob("*.new"))


def test_a_moving_revision_is_pinned(shelf, hub, model):
    installed = shelf.install(replace(model, hub_revision="main", files=model.files), hub)
    assert installed.hub_revision == REVISION


@pytest.mark.parametrize("faults", [["drop"], ["drop", "500", "drop"], ["no-range"]])
def test_a_broken_download_is_gone_on_with(shelf, hub, server, model, faults):
    server.faults = list(faults)
    assert embeds(shelf, shelf.install(model, hub))


def test_an_interrupted_download_is_resumed_the_next_time(shelf, hub, server, model):
    server.faults = ["drop"] * 50
    with pytest.raises(DownloadError, match="could not be reached"):
        shelf.install(model, hub)
    assert shelf.installed("model") is None
    server.faults, server.requests[:] = [], []
    shelf.install(model, hub)
    assert any(asked for _, asked in server.requests)  # a range: what was here was not fetched again


def test_a_cancelled_download_is_resumed_the_next_time(shelf, hub, server, model):
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        shelf.install(model, hub, cancel, lambda here, total: cancel.cancel())
    assert shelf.installed("model") is None
    assert shelf.install(model, hub) == shelf.installed("model")


@pytest.mark.parametrize("path", ["onnx/model.onnx", "tokenizer.json"])
def test_a_wrong_file_never_loads(shelf, hub, server, path):
    server.wrong_hash = {path}
    with pytest.raises(DownloadError, match="checksum"):
        shelf.install(read_repository(hub, "owner/model"), hub)
    assert shelf.installed("model") is None


def test_a_file_that_is_gone_from_the_hub_is_said(shelf, hub, server, model):
    model = replace(model, files=tuple(replace(file, size=None, sha256=None) for file in model.files))
    del server.files["tokenizer.json"]
    with pytest.raises(DownloadError, match=r"no longer has tokenizer\.json"):
        shelf.install(model, hub)


def test_a_file_that_is_no_model_is_said_when_it_is_loaded(shelf, hub, server):
    server.files["onnx/model.onnx"] = b"<html>sign in first</html>"
    installed = shelf.install(read_repository(hub, "owner/model"), hub)
    with pytest.raises(Exception, match="could not be loaded"):
        embeds(shelf, installed)


def test_a_damaged_tokenizer_is_not_installed(shelf, hub, server):
    server.files["tokenizer.json"] = b"{"
    with pytest.raises(ModelError, match="damaged"):
        shelf.install(read_repository(hub, "owner/model"), hub)
    assert shelf.installed("model") is None


def test_a_full_disk_is_known_before_the_download(shelf, hub, server, model, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage(10, 9, 1 << 20))
    with pytest.raises(DownloadError, match="too little room"):
        shelf.install(model, hub)


def test_a_place_that_cannot_be_written_is_said(tmp_path, hub, model):
    (tmp_path / "models").write_text("a file where the folder should be")
    with pytest.raises(ModelError, match="could not be written"):
        Shelf(tmp_path / "models").install(model, hub)


@pytest.mark.parametrize(
    "harm",
    [
        lambda folder: (folder / "record.json").write_text("{"),
        lambda folder: (folder / "record.json").write_bytes(b"\xff\xfe\x00"),
        lambda folder: (folder / "record.json").write_text("[]"),
        lambda folder: (folder / "record.json").unlink(),
        lambda folder: (folder / "tokenizer.json").unlink(),
        lambda folder: (folder / "onnx" / "model.onnx").write_bytes(b"short"),
    ],
    ids=["record cut", "record no text", "record of another form", "no record", "file gone", "file cut"],
)
def test_a_damaged_folder_counts_as_none_and_is_repaired(shelf, hub, model, harm):
    shelf.install(model, hub)
    harm(shelf.folder_of("model"))
    assert shelf.installed("model") is None
    shelf.catalogue()
    assert embeds(shelf, shelf.install(model, hub))


def test_a_new_revision_of_the_product_asks_for_a_new_installation(tmp_path, hub, model):
    catalogue = tmp_path / "catalogue"
    catalogue.mkdir()
    shelf = Shelf(tmp_path / "models", catalogue)
    (catalogue / "model.json").write_text(model.to_json())
    shelf.install(model, hub)
    assert shelf.installed("model") is not None
    (catalogue / "model.json").write_text(replace(model, revision="other").to_json())
    assert shelf.installed("model") is None
    assert shelf.install(shelf.catalogue()["model"], hub).revision == "other"


def test_installing_while_the_old_one_is_in_use(shelf, hub, server, model):
    old = shelf.install(model, hub)
    encoder = Encoder(shelf.folder_of("model"), old)
    before = encoder.query("soil carbon")
    server.files = tiny_repository(changes={"onnx/model.onnx": tiny_repository()["onnx/model.onnx"] + b""})
    shelf.install(replace(model, revision="other"), hub)
    assert np.array_equal(encoder.raw_query("soil carbon").astype(bool), np.ones((1, 8), bool))
    encoder.close()
    assert np.array_equal(encoder.query("soil carbon"), before)
    encoder.close()


def test_a_calibration_is_part_of_what_vectors_depend_on(shelf, hub, model):
    plain = shelf.install(model, hub)
    calibrated = shelf.calibrate("model", calibration())
    assert shelf.installed("model") == calibrated
    assert calibrated.identity != plain.identity
    wider = replace(calibration(), floor=0.1, query_means=np.ones(8, "<f4").tobytes())
    assert shelf.calibrate("model", wider).identity == calibrated.identity


def test_a_calibration_of_another_model_is_refused(shelf, hub, model):
    with pytest.raises(ModelError, match="not installed"):
        shelf.calibrate("model", calibration())
    shelf.install(model, hub)
    with pytest.raises(ModelError, match="calibration of another"):
        shelf.calibrate("model", calibration(width=16))


def test_the_products_calibration_serves_until_one_is_made_here(tmp_path, hub, model):
    catalogue = tmp_path / "catalogue"
    catalogue.mkdir()
    shelf = Shelf(tmp_path / "models", catalogue)
    (catalogue / "model.json").write_text(model.to_json())
    shelf.publish("model", calibration())
    shelf.install(shelf.catalogue()["model"], hub)
    assert shelf.installed("model").calibration == calibration()
    shelf.publish("model", replace(calibration(), ceiling=0.6))
    assert shelf.installed("model").calibration.ceiling == 0.6
    shelf.calibrate("model", replace(calibration(), ceiling=0.9))
    assert shelf.installed("model").calibration.ceiling == 0.9
    with pytest.raises(ModelError, match="has no model"):
        shelf.publish("other", calibration())


def test_a_removed_model_is_gone(shelf, hub, model):
    shelf.install(model, hub)
    shelf.remove("model")
    assert shelf.installed("model") is None
    assert not shelf.folder_of("model").exists()


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".hidden", "C:x"])
def test_no_name_leads_out_of_the_folder(shelf, name):
    with pytest.raises(ModelError, match="name"):
        shelf.remove(name)


def test_a_record_cannot_name_files_outside_its_folder(shelf, hub, model):
    shelf.install(model, hub)
    record = shelf.folder_of("model") / "record.json"
    fields = json.loads(record.read_text())
    fields["files"][0]["path"] = "../../secret"
    record.write_text(json.dumps(fields))
    assert shelf.installed("model") is None


def test_packaged_models_need_no_hub(e5, use):
    for folder, model in (e5, use):
        assert not model.repository
        assert all((folder / file.path).stat().st_size == file.size for file in model.files)


def test_the_tiny_model_is_what_the_tests_think(shelf, hub, model):
    installed = shelf.install(model, hub)
    encoder = Encoder(shelf.folder_of("model"), installed)
    ids = [WORDS.index(word) for word in ("<s>", "soil", "carbon", "</s>")]
    assert np.allclose(encoder.raw_passages(["soil carbon"])[0], tiny_table()[ids].mean(axis=0), atol=1e-6)
    encoder.close()
