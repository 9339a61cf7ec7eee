import shutil
import threading
from collections import namedtuple

import pytest

from tests.support.hub_server import REVISION, HubServer
from zbm_core.errors import Cancelled, CancelToken
from zbm_core.semantic import hub as hub_module
from zbm_core.semantic.hub import DownloadError, Hub, sha256_of
from zbm_core.semantic.model import ModelFile

DATA = bytes(range(256)) * 4096  # 1 MB


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with HubServer({"onnx/model.onnx": DATA, "tokenizer.json": b"{}"}) as server:
        yield server


@pytest.fixture
def fetch(server, tmp_path, monkeypatch):
    monkeypatch.setattr(CancelToken, "wait", lambda self, seconds: self.cancelled)  # retries at once
    hub = Hub(server.endpoint)
    target = tmp_path / "onnx" / "model.onnx"

    def fetch(**options):
        file = options.pop("file", None) or hub.tree("owner/model", REVISION)["onnx/model.onnx"]
        hub.fetch("owner/model", REVISION, file, target, **options)
        return target

    fetch.target = target
    fetch.part = target.with_name("model.onnx.part")
    return fetch


def test_a_file_arrives_whole_with_its_progress(fetch, server):
    told = []
    target = fetch(on_bytes=told.append)
    assert target.read_bytes() == DATA
    assert told == sorted(told) and told[-1] == len(DATA)
    assert not fetch.part.exists()


def test_the_hub_names_sizes_and_hashes(server):
    tree = Hub(server.endpoint).tree("owner/model", REVISION)
    assert set(tree) == {"onnx/model.onnx", "tokenizer.json"}
    assert tree["onnx/model.onnx"].size == len(DATA)
    assert len(tree["onnx/model.onnx"].sha256) == 64
    assert len(tree["tokenizer.json"].blob) == 40


def test_a_broken_connection_goes_on_where_it_broke(fetch, server):
    server.faults = ["drop", "drop"]
    assert fetch().read_bytes() == DATA
    ranges = [wanted for path, wanted in server.requests if "resolve" in path]
    assert ranges[0] is None
    assert [int(wanted[6:-1]) for wanted in ranges[1:]] == sorted(int(wanted[6:-1]) for wanted in ranges[1:])
    assert int(ranges[2][6:-1]) > int(ranges[1][6:-1]) > 0


def test_it_goes_on_after_a_restart_of_the_program_too(fetch, server):
    fetch.part.parent.mkdir(parents=True)
    fetch.part.write_bytes(DATA[:1000])
    assert fetch().read_bytes() == DATA
    assert server.requests[-1][1] == "bytes=1000-"


def test_a_server_without_ranges_starts_over(fetch, server):
    fetch.part.parent.mkdir(parents=True)
    fetch.part.write_bytes(b"rubbish")
    server.faults = ["no-range"]
    assert fetch().read_bytes() == DATA


def test_a_leftover_longer_than_the_file_is_thrown_away(fetch, server):
    fetch.part.parent.mkdir(parents=True)
    fetch.part.write_bytes(DATA + b"more")
    assert fetch().read_bytes() == DATA


def test_a_wrong_file_never_gets_its_name(fetch, server):
    server.wrong_hash = {"onnx/model.onnx"}
    with pytest.raises(DownloadError, match="checksum"):
        fetch()
    assert not fetch.target.exists() and not fetch.part.exists()


def test_a_file_larger_than_named_is_refused_before_it_fills_the_disk(fetch, server):
    server.faults = ["longer"]
    with pytest.raises(DownloadError, match="larger"):
        fetch()
    assert not fetch.target.exists() and not fetch.part.exists()


def test_a_server_that_fails_again_and_again_is_given_up_in_words(fetch, server):
    server.faults = ["500"] * hub_module.TRIES
    with pytest.raises(DownloadError, match="could not be reached"):
        fetch()
    assert not fetch.target.exists()
    assert len([path for path, _ in server.requests if "resolve" in path]) == hub_module.TRIES


@pytest.mark.parametrize(("code", "words"), [("403", "does not give"), ("404", "no such model")])
def test_a_refusal_is_not_asked_again(fetch, server, code, words):
    server.faults = [code]
    with pytest.raises(DownloadError, match=words):
        fetch()
    assert len([path for path, _ in server.requests if "resolve" in path]) == 1


def test_no_network(tmp_path, monkeypatch):
    monkeypatch.setattr(CancelToken, "wait", lambda self, seconds: self.cancelled)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    hub = Hub("http://127.0.0.1:9")
    with pytest.raises(DownloadError, match="could not be reached"):
        hub.fetch("owner/model", REVISION, ModelFile("x", 3, "0" * 64), tmp_path / "x")
    with pytest.raises(DownloadError, match="could not be reached"):
        hub.about("owner/model")


def test_a_silent_server_is_not_waited_for_for_ever(fetch, server, monkeypatch):
    monkeypatch.setattr(hub_module, "SILENT_SECONDS", 0.2)
    server.faults = ["stall"]
    assert fetch().read_bytes() == DATA


def test_a_download_stops_when_told_and_keeps_what_it_has(fetch, server):
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        fetch(cancel=cancel, on_bytes=lambda here: cancel.cancel())
    assert not fetch.target.exists()
    assert 0 < fetch.part.stat().st_size < len(DATA)
    assert fetch().read_bytes() == DATA


def test_a_silent_download_stops_when_told(fetch, server):
    cancel = CancelToken()
    server.faults = ["stall"]
    threading.Timer(0.3, cancel.cancel).start()
    with pytest.raises(Cancelled):
        fetch(cancel=cancel)
    assert server.stalling  # it did not wait the silence out


def test_downloads_go_through_the_proxy(server, tmp_path, monkeypatch):
    with HubServer(server.files) as proxy:
        monkeypatch.setenv("NO_PROXY", "")
        monkeypatch.setenv("HTTP_PROXY", proxy.endpoint)
        hub = Hub("http://models.invalid")
        proxy.strip = "http://models.invalid"
        assert hub.about("owner/model")["sha"] == REVISION
        file = hub.tree("owner/model", REVISION)["onnx/model.onnx"]
        hub.fetch("owner/model", REVISION, file, tmp_path / "model.onnx")
    assert (tmp_path / "model.onnx").read_bytes() == DATA
    assert all(path.startswith("http://models.invalid/") for path, _ in proxy.requests)


def test_a_proxy_of_an_unknown_kind_is_said(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("ALL_PROXY", "socks9://127.0.0.1:1")
    with pytest.raises(DownloadError, match="proxy"):
        Hub("http://models.invalid").about("owner/model")


def test_a_small_file_is_checked_by_gits_own_hash(fetch, server):
    server.wrong_hash = {"tokenizer.json"}
    named = Hub(server.endpoint).tree("owner/model", REVISION)["tokenizer.json"]
    assert named.sha256 is None and len(named.blob) == 40
    with pytest.raises(DownloadError, match="checksum"):
        fetch(file=named)


def test_a_full_disk_is_known_before_the_download(fetch, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage(10, 9, 1 << 20))
    with pytest.raises(DownloadError, match="too little room"):
        fetch()


def test_a_disk_that_fills_up_meanwhile_is_said(fetch, server):
    fetch.target.parent.mkdir(parents=True)
    fetch.part.mkdir()  # cannot be opened for writing
    (fetch.part / "x").touch()
    with pytest.raises(DownloadError, match="could not be written"):
        fetch(file=ModelFile("onnx/model.onnx", None, None))


def test_nonsense_from_a_hub_is_said(server):
    server.files = {"a": b""}
    server._entry = lambda name: {"what": "ever"}
    with pytest.raises(DownloadError, match="makes no sense"):
        Hub(server.endpoint).tree("owner/model", REVISION)


def test_sha256(tmp_path):
    (tmp_path / "x").write_bytes(b"abc")
    assert sha256_of(tmp_path / "x") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
