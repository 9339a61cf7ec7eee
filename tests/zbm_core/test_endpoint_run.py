"""A whole run with an embedding server: from the library to the index, and a search over it."""

import shutil
from dataclasses import replace

import apsw
import numpy as np
import pytest

from tests.support.embedding_server import EmbeddingServerDouble, embed_by
from tests.support.word_model import word_encoder, word_model
from zbm_core.engine import Engine
from zbm_core.paths import AppPaths
from zbm_core.search.records import EngineChoice, SearchRequest
from zbm_core.semantic import Calibration, State
from zbm_core.semantic.model import RECORD_FILE, write_record
from zbm_core.settings import Settings


def make_engine(home):
    """An engine whose model is small and installed."""
    paths = AppPaths.under(home)
    folder = paths.data / "models" / "words"
    _, model = word_model(folder)
    means = np.zeros((1, model.width), "<f4").tobytes()
    write_record(
        folder / RECORD_FILE,
        replace(model, calibration=Calibration(-1.0, 0.0, 1.0, 0.0, ("en",), means, means)),
    )
    settings = Settings(paths.config / "settings.json")
    settings.set("semantic.model", "words")
    return Engine(paths, settings)


def stored(engine):
    """Every vector of the index, by record and chunk."""
    file = engine.home_of(engine.library.folder) / "semantic.sqlite"
    with apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY) as db:
        return {
            (key, chunk): np.frombuffer(row, np.int8).astype(np.int32)
            for key, chunk, row in db.execute(
                "SELECT sources.key, rows.chunk, rows.embedding FROM rows JOIN sources ON sources.id = rows.source"
            )
        }


@pytest.fixture(scope="module")
def library(_built_library):
    """The folder of a library that nobody changes."""
    return _built_library.folder


@pytest.fixture(scope="module")
def indexed_home(library, tmp_path_factory):
    """A home folder in which the library is indexed by words."""
    home = tmp_path_factory.mktemp("home") / "home"
    engine = make_engine(home)
    engine.open_library(library)
    engine.index()
    engine.close()
    return home


@pytest.fixture(scope="module")
def here(indexed_home, library, tmp_path_factory):
    """What an engine without a server stores."""
    home = tmp_path_factory.mktemp("here") / "home"
    shutil.copytree(indexed_home, home)
    engine = make_engine(home)
    engine.open_library(library)
    engine.embed()
    rows = stored(engine)
    engine.close()
    return rows


@pytest.fixture
def engine(indexed_home, library, tmp_path):
    shutil.copytree(indexed_home, tmp_path / "home")
    engine = make_engine(tmp_path / "home")
    engine.open_library(library)
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def embed(tmp_path_factory):
    with word_encoder(tmp_path_factory.mktemp("served"), prefixes=("", "")) as encoder:
        yield embed_by(encoder)


@pytest.fixture
def server(embed):
    with EmbeddingServerDouble(embed) as server:
        yield server


def use(engine, server):
    engine.endpoint.set(server.url, None, engine.endpoint.verify(server.url))
    server.requests.clear()


def same(found, truth):
    return found.keys() == truth.keys() and all(np.abs(found[key] - truth[key]).max() <= 1 for key in truth)


def test_the_index_is_the_same_whoever_embedded(engine, server, here):
    use(engine, server)
    report = engine.embed()
    assert report.finished and report.embedded == len(here) > 5
    assert same(stored(engine), here)
    sent = sum(len(request["input"]) - 2 for request in server.requests)
    assert sent == len(here), "every text once, and none here"
    status = engine.endpoint.status()
    assert status.active and status.usage.local_texts == 0 and status.usage.requests == len(server.requests)
    found = engine.search(
        SearchRequest("drained peat", engine=EngineChoice.MEANING, margin=100)
    ).result.matches
    assert found
    assert sum(len(request["input"]) - 2 for request in server.requests) == sent, "queries stay here"


@pytest.mark.parametrize("fault", ["sorted", "nan", "404", "html"])
def test_whatever_the_server_does_the_index_is_the_same(engine, server, here, fault):
    use(engine, server)
    server.fault = fault
    server.healthy_requests = 1
    report = engine.embed()
    assert report.finished and same(stored(engine), here)
    status = engine.endpoint.status()
    wrong = fault in {"sorted", "nan"}
    assert status.active is not wrong
    assert (status.verdict.state is State.INVALID) is wrong


def test_an_unchanged_library_asks_nothing(engine, server):
    use(engine, server)
    engine.embed()
    server.requests.clear()
    usage = engine.endpoint.status().usage
    engine.embed()
    assert not server.requests and engine.endpoint.status().usage == usage
