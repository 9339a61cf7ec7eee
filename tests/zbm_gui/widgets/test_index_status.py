import pytest

from tests.zbm_gui.waiting import Catcher
from zbm_core.engine import MeaningStatus
from zbm_core.indexing.records import EmbeddingProgress, Phase, Progress
from zbm_core.semantic import Preparing
from zbm_gui.widgets.index_status import IndexStatus


@pytest.fixture
def status(app):
    status = IndexStatus()
    status.show()
    yield status
    status.close()
    status.deleteLater()


def test_each_phase_counts_what_it_works_on(status):
    status.show_progress(Progress(Phase.READING, 0, 0, 0, 0))
    assert status.label.text() == "Comparing with the library"
    status.show_progress(Progress(Phase.ITEMS, 40, 2310, 0, 1870))
    assert status.label.text() == "Indexing items  40 / 2,310"
    status.show_progress(Progress(Phase.DOCUMENTS, 2310, 2310, 1204, 1870, "Smith 2019.pdf", 0, 3000.0))
    assert status.label.text() == "Indexing documents  1,204 / 1,870"
    assert "About 50 minutes left" in status.label.toolTip()
    assert (status.bar.value(), status.bar.maximum()) == (1204, 1870)


def test_pausing_and_resuming_is_one_button(status):
    requested = Catcher(status.pause_requested)
    progress = Progress(Phase.ITEMS, 40, 2310, 0, 1870)
    status.show_progress(progress)
    status.button.click()
    assert requested.wait() == (True,)
    status.show_paused(progress)
    assert status.button.accessibleName() == "Resume indexing"
    status.button.click()
    assert requested.wait() == (False,)


def test_when_all_is_done_only_what_needs_attention_stays(status):
    status.show_finished(Progress(Phase.DONE, 10, 10, 5, 5))
    assert status.label.isHidden() and status.button.isHidden() and status.attention.isHidden()
    status.show_finished(Progress(Phase.DONE, 10, 10, 5, 5, attention=1))
    assert status.attention.accessibleName() == "1 document needs attention"
    requested = Catcher(status.attention_requested)
    status.attention.click()
    assert requested.values


def test_a_model_on_its_way_says_how_far_it_is(status):
    status.show_preparing(Preparing("Downloading a model", 45_000_000_000, 100_000_000_000))
    assert status.label.text() == "Downloading a model  45%"
    assert status.bar.value() / status.bar.maximum() == 0.45
    status.show_preparing(Preparing("Preparing a model"))
    assert status.label.text() == "Preparing a model"
    assert status.bar.maximum() == 0, "the end is not known"
    assert status.button.accessibleName() == "Pause indexing"


def test_indexing_by_meaning_says_what_is_left_and_by_which_model(status):
    status.describe_meaning(MeaningStatus(True, "A model", "MIT", 0, 2310))
    status.show_embedding(EmbeddingProgress(1204, 2310, 3000.0))
    assert status.label.text() == "Indexing meaning  1,204 / 2,310 · about 50 minutes"
    assert "A model" in status.label.toolTip()
    status.show_embedding(EmbeddingProgress(0, 0))
    assert status.label.text() == "Indexing meaning  0 / 0"
