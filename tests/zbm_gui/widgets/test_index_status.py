import pytest

from tests.zbm_gui.waiting import Catcher
from zbm_core.engine import MeaningStatus
from zbm_core.indexing.records import Bar, RunProgress, Step
from zbm_core.semantic import Preparing
from zbm_gui.widgets.index_status import IndexStatus


@pytest.fixture
def status(app):
    status = IndexStatus()
    status.show()
    yield status
    status.close()
    status.deleteLater()


def run(step: Step, **more) -> RunProgress:
    return RunProgress(step, Bar(40, 30, 2310), Bar(1204, 900, 1870), **more)


def test_each_step_counts_what_it_works_on(status):
    status.show_run(run(Step.READING))
    assert status.label.text() == "Reading the library"
    assert status.bar.maximum() == 0, "the end is not known"
    status.show_run(run(Step.RECORDS))
    assert status.label.text() == "Indexing items  40 / 2,310"
    assert status.bar.value() == round(1000 * 70 / 4620)
    status.show_run(run(Step.EXTRACT, current="Smith 2019.pdf", seconds_left=3000.0))
    assert status.label.text() == "Indexing documents  1,204 / 1,870 · about 50 minutes"
    assert status.bar.value() == round(1000 * 2104 / 3740)
    assert status.label.toolTip().splitlines() == [
        "Metadata, notes and annotations: 30 / 2,310",
        "Attachments: 900 / 1,870",
        "Smith 2019.pdf",
    ]


def test_meaning_says_what_is_left_how_fast_and_by_which_model(status):
    status.describe_meaning(MeaningStatus(True, "A model", "MIT", 0, 2310))
    status.show_run(run(Step.EMBED, items_waiting=666, rate=12.34, seconds_left=7200.0))
    assert status.label.text() == "Generating semantic data locally for 666 items · about 2 hours"
    assert "12 passages a second by A model." in status.label.toolTip()


def test_a_rest_says_why(status):
    status.show_run(run(Step.WAITING, waiting="Waiting for mains power", seconds_left=60.0))
    assert status.label.text() == "Waiting for mains power"
    assert status.button.accessibleName() == "Pause indexing"


def test_pausing_and_resuming_is_one_button(status):
    requested = Catcher(status.pause_requested)
    status.show_run(run(Step.RECORDS))
    status.button.click()
    assert requested.wait() == (True,)
    status.show_paused(run(Step.RECORDS))
    assert status.button.accessibleName() == "Resume indexing"
    status.button.click()
    assert requested.wait() == (False,)


def test_when_all_is_done_only_what_needs_attention_stays(status):
    status.show_run(run(Step.DONE))
    assert status.label.isHidden() and status.button.isHidden() and status.bar.isHidden()
    status.show_finished(run(Step.DONE))
    assert status.label.isHidden() and status.button.isHidden() and status.attention.isHidden()
    status.show_finished(run(Step.DONE, attention=1))
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
