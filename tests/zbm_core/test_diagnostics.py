"""Figures of what the program does, and that what is copied says nothing of the library."""

import logging
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from tests.zbm_gui.tiny_model import install_tiny_model
from zbm_core.children import Kind, child_command
from zbm_core.diagnostics import ErrorLog, FileSizes, Shape, as_text, error_log
from zbm_core.engine import Engine
from zbm_core.gauges import ProcessSampler, Rates, Recorder, role_of
from zbm_core.library import Exclusions, LibraryError
from zbm_core.meaning_cost import PASSAGES_PER_DOCUMENT, estimate
from zbm_core.paths import AppPaths
from zbm_core.search.records import SearchRequest
from zbm_core.settings import Settings


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


def batch(chunks=4, tokens=400, padded=500, seconds=0.5):
    return SimpleNamespace(rows=list(range(chunks)), tokens=tokens, padded=padded, seconds=seconds)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def recorder(clock):
    return Recorder(clock)


def run(recorder, clock, seconds, every=1.0):
    for _ in range(round(seconds / every)):
        clock.now += every
        recorder.add(batch())


def test_rates_are_of_what_was_computed(recorder, clock):
    assert recorder.window() == recorder.total() == Rates()
    run(recorder, clock, 60)
    window = recorder.window()
    assert window.batches == 60 and window.chunks == 240
    assert window.chunks_per_second == pytest.approx(240 / 59.5)
    assert window.tokens_per_second == pytest.approx(800)
    assert window.padding_efficiency == pytest.approx(0.8)


def test_the_window_forgets_after_two_minutes_and_the_total_does_not(recorder, clock):
    run(recorder, clock, 300)
    assert recorder.window().chunks == pytest.approx(4 * 121, abs=4)
    assert recorder.window().elapsed == 120
    assert recorder.total().chunks == 1200 and recorder.total().elapsed == pytest.approx(299.5)


def test_a_rate_is_established_after_half_a_minute(recorder, clock):
    run(recorder, clock, 29)
    assert not recorder.window().established
    run(recorder, clock, 2)
    assert recorder.window().established


def test_a_pause_begins_anew_and_is_no_slow_stretch(recorder, clock):
    run(recorder, clock, 100)
    clock.now += 3600
    assert recorder.window() == Rates()
    run(recorder, clock, 10)
    assert recorder.window().chunks == 40 and not recorder.window().established
    total = recorder.total()
    assert total.chunks == 440 and total.elapsed == pytest.approx(109, abs=1)


def test_one_slow_batch_does_not_end_a_stretch(recorder, clock):
    run(recorder, clock, 40)
    clock.now += 90
    recorder.add(batch(seconds=89))
    window = recorder.window()
    assert window.chunks > 100 and window.elapsed == 120


def test_processes_are_this_one_and_its_children():
    sampler = ProcessSampler()
    child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    try:
        first = sampler.sample()
        assert first[0].role == "Program" and first[0].cpu is None and first[0].memory > 1_000_000
        assert "Other child" in {use.role for use in first}
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
        assert sampler.sample()[0].cpu > 0
    finally:
        child.communicate()
    assert len(sampler.sample()) < len(first) + 1


def test_children_are_called_by_what_they_do():
    names = [role_of(child_command(kind)) for kind in (Kind.DOCUMENTS, Kind.READER, Kind.ENCODER)]
    assert names == ["Document reader", "Reader of an open text", "Embedding model"]
    assert role_of(["zbm", "--zbm-child", "encoder"]) == "Embedding model"
    assert role_of([]) == "Other child"


def test_the_shape_of_documents():
    shape = Shape.of([0, 1, 10, 11, 50, 51, 200, 201, 5000])
    assert shape.classes == (1, 2, 2, 2, 2) and shape.most == 5000 and shape.median == 50
    assert Shape.of([]).documents == 0


def test_sizes_of_what_is_stored(tmp_path):
    (tmp_path / "lexical" / "a").mkdir(parents=True)
    (tmp_path / "lexical" / "a" / "x").write_bytes(b"12345")
    (tmp_path / "semantic.sqlite").write_bytes(b"123")
    (tmp_path / "semantic.sqlite-wal").write_bytes(b"12")
    assert dict(FileSizes().of(tmp_path)) == {"Word index": 5, "Semantic data": 5, "Texts of documents": 0}


@pytest.fixture
def log():
    handler, logger = ErrorLog(), logging.getLogger("zbm_core.a_test")
    logger.addHandler(handler)
    logger.propagate = False
    logger.setLevel(logging.INFO)
    yield handler, logger
    logger.removeHandler(handler)


def test_errors_and_what_users_were_told_are_kept_newest_first(log):
    handler, logger = log
    logger.info("nothing")
    logger.warning("%s was not read", "Secret thesis.pdf")
    try:
        raise LibraryError("The library in /home/me cannot be read.")
    except LibraryError as error:
        logger.info("%s: %s", error.message, error.detail, extra={"zbm_error": type(error).__name__})
    told, warned = handler.last()
    assert told.kind == "LibraryError" and "/home/me" in told.message
    assert warned.template == "%s was not read" and "Secret" in warned.message
    for _ in range(100):
        logger.error("again")
    assert len(handler.last()) == 20


def test_what_is_copied_says_nothing_of_the_library(indexed, small, log):
    logger = log[1]
    logger.addHandler(error_log)
    logging.getLogger("other.package").addHandler(error_log)
    try:
        logger.warning("%s was not read", "Carbon under the plough")
        logger.error("%s: %s", "The humus could not be read.", "humus")
        logging.getLogger("other.package").error("peat at /home/me")
        indexed.search(SearchRequest("drained peat"))
        look = indexed.figures.look()
    finally:
        logger.removeHandler(error_log)
        logging.getLogger("other.package").removeHandler(error_log)
    text = as_text(look, [("Qt", "6")])
    assert "Word index" in text and "Qt: 6" in text and "%s was not read" in text
    for secret in (
        "plough",
        "peat",
        "humus",
        str(small.folder),
        small.soil,
        str(indexed.paths.data),
    ):
        assert secret not in text
    assert look.shape.documents == 2 and look.shape.most >= 1
    assert dict(look.files)["Word index"] > 1000


def test_nothing_open_has_figures_too(engine):
    look = engine.figures.look()
    assert look.files == () and look.shape.documents == 0
    assert "none in use" in as_text(look)
    assert engine.figures.cost() is None


def test_the_cost_before_and_after_reading(engine, small):
    engine.open_library(small.folder)
    before = engine.figures.cost()
    assert before.passages >= 2 * PASSAGES_PER_DOCUMENT and not before.measured and before.seconds > 0
    engine.index()
    after = engine.figures.cost()
    assert after.passages < before.passages and after.left == after.passages
    assert after.disk > after.passages * 256


@pytest.mark.parametrize(
    ("embedded", "waiting", "unread", "left"),
    [
        (400, 500, 0, 600),  # some of the read have no row yet
        (900, 0, 0, 0),  # the rest says nothing to a model
        (900, 0, 1, 100 + PASSAGES_PER_DOCUMENT),
        (10, 0, 0, 990),  # a run has just begun
        (0, 0, 0, 1000),
        (1000, 7, 0, 7),
    ],
)
def test_what_is_done_is_taken_off(embedded, waiting, unread, left):
    cost = estimate(
        download=0, prepared=True, width=384, read=900, unread_documents=unread, records=100,
        embedded=embedded, waiting=waiting, rate=10.0,
    )  # fmt: skip
    assert cost.left == left and cost.seconds == left / 10 and cost.measured


@pytest.fixture
def meaningful(tmp_path, small):
    """An engine with a tiny model, everything indexed."""
    install_tiny_model(tmp_path / "home")
    paths = AppPaths.under(tmp_path / "home")
    engine = Engine(paths, Settings(paths.config / "settings.json"))
    engine.open_library(small.folder)
    assert engine.run(patient=False).finished
    yield engine
    engine.close()


def test_a_run_is_counted_and_its_processes_are_seen(meaningful):
    look = meaningful.figures.look()
    embedded, waiting = look.passages
    assert look.model == "tiny" and embedded == look.run.chunks > 0 and waiting == 0
    assert look.run.batches > 0 and look.run.tokens > 0 and 0 < look.run.padding_efficiency <= 1
    assert look.run.inference > 0 and look.threads >= 1
    assert "Embedding model" in {use.role for use in look.processes}
    assert dict(look.files)["Semantic data"] > 1000
    cost = meaningful.figures.cost()
    assert cost.prepared and cost.download == 0 and cost.left == 0
    assert {choice.name: choice.in_use for choice in meaningful.models()}["tiny"]


def test_what_is_left_out_loses_its_vectors_too(meaningful, small):
    before = meaningful.figures.look().passages[0]
    lines = meaningful.searched_part.exclude(meaningful.library, Exclusions(tags=frozenset({"humus"})))
    meaningful.settings.set("library.excluded", lines)
    assert meaningful.run(patient=False).finished
    kept = meaningful.figures.look().passages[0]
    assert 0 < kept < before
    meaningful.settings.set("library.excluded", [])
    assert meaningful.run(patient=False).finished
    assert meaningful.figures.look().passages[0] == before
