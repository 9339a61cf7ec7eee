"""What meaning costs in words, the choice of models, the view of a run, diagnostics."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QComboBox, QMessageBox, QProgressBar

from tests.zbm_gui.waiting import Catcher, settle, until
from zbm_core.engine_records import MeaningStatus, ModelChoice
from zbm_core.indexing.records import Bar, Phase, Progress, RunProgress, Step
from zbm_core.meaning_cost import MeaningCost
from zbm_core.semantic import Preparing
from zbm_gui import style
from zbm_gui.preferences.best_match import BestMatchGroup
from zbm_gui.preferences.cost import WHAT_IT_IS, cost_in_words, model_in_words
from zbm_gui.preferences.index_view import IndexView

SMALL = ModelChoice("small", "Small model", "MIT", 131_000_000, True, True)
LARGE = ModelChoice("large", "Large model", "Apache-2.0", 1_310_000_000, False, False)


@pytest.fixture
def page(window):
    page = window.preferences.open("Advanced").advanced
    until(lambda: page.location.where.text() != "Looking…")
    return page


@pytest.mark.parametrize(
    ("cost", "on", "words"),
    [
        (None, False, WHAT_IT_IS),
        (
            MeaningCost(131_000_000, False, 40_000_000, 100_000, 100_000, 7200.0, False),
            False,
            "It needs 131 MB to download once, about 40 MB of disk for this library and about 2 hours of computing "
            "in the background. Searching by words works meanwhile; it can be paused at any time.",
        ),
        (MeaningCost(None, False, 40_000_000, 9, 9, 1.0, False), False, "a model to be downloaded once"),
        (MeaningCost(0, False, 40_000_000, 9, 9, 1.0, False), False, "a model to be made ready once"),
        (
            MeaningCost(0, True, 40_000_000, 9, 9, 3000.0, True),
            True,
            "50 minutes of computing in the background (as",
        ),
        (
            MeaningCost(0, True, 40_000_000, 9, 0, 0.0, True),
            True,
            "Takes about 40 MB of disk for this library.",
        ),
        (MeaningCost(0, True, 0, 0, 0, 0.0, False), True, WHAT_IT_IS),
    ],
)
def test_what_it_costs(cost, on, words):
    said = cost_in_words(cost, on)
    assert said.startswith(WHAT_IT_IS) and words in said


def test_the_page_says_what_it_costs_for_this_library(page):
    until(lambda: "of disk for this library" in page.best_match.cost.text())


def test_models_in_words():
    assert model_in_words(SMALL) == "Small model · MIT · 131 MB on this computer"
    assert model_in_words(LARGE) == "Large model · Apache-2.0 · 1,310 MB to download"


def test_models_are_offered_and_another_one_is_asked_about(page):
    boxes = page.best_match.models
    until(lambda: boxes.count() > 1)
    names = [boxes.itemData(number) for number in range(boxes.count())]
    assert names[0] == "" and {"bekko-embedding-v1-a25m", "multilingual-e5-small"} <= set(names)
    page.best_match.show_models([SMALL, LARGE])
    page._engine._runs.meaning = MeaningStatus(True, "Small model", "MIT", 10, 10)
    changed = Catcher(page.changed)
    boxes.setCurrentIndex(2)
    boxes.activated.emit(2)
    (box,) = page.findChildren(QMessageBox)
    assert not changed.values
    box.button(QMessageBox.StandardButton.Cancel).click()
    settle()
    assert boxes.currentIndex() == 0 and page.settings.get("semantic.model") == ""


def test_a_model_is_taken_at_once_where_nothing_is_lost(app, settings):
    heard = []
    group = BestMatchGroup(settings, settings.set)
    group.model_chosen.connect(heard.append)
    group.show_models([SMALL, LARGE])
    group.models.setCurrentIndex(1)
    group.models.activated.emit(1)
    assert heard == ["small"]
    group.deleteLater()


def test_a_model_that_is_no_longer_known_is_still_shown_as_chosen(page):
    page.settings.set("semantic.model", "forgotten")
    page.best_match.show_models([SMALL])
    assert page.best_match.models.currentText() == "forgotten · no longer known"


def test_a_long_name_does_not_widen_the_page(page):
    width = page.minimumSizeHint().width()
    long = ModelChoice("long", "org/" + "a-very-long-model-name-" * 8, "CC-BY-NC-SA-4.0", 1, False, False)
    page.best_match.show_models([long])
    settle()
    assert page.minimumSizeHint().width() == width


def test_a_run_as_two_bars():
    progress = RunProgress(
        Step.EMBED, Bar(10, 10, 10), Bar(8, 4, 16), attention=3, items_waiting=4, seconds_left=3000.0
    )
    view = IndexView().with_run(progress)
    assert view.records.share == 1.0 and view.records.text == "10 / 10"
    assert view.attachments.share == pytest.approx(12 / 32) and view.attachments.text == "4 / 16"
    assert view.attachments.tip == "8 found by words, 4 by meaning, of 16"
    assert view.step == "Generating semantic data locally for 4 items · about 50 minutes"
    assert view.attention == 3 and view.known
    fast = IndexView().with_run(replace(progress, rate=31.4))
    assert fast.step.endswith("4 items · 31 passages a second · about 50 minutes")
    rests = IndexView().with_run(replace(progress, rate=31.4, step=Step.WAITING, waiting="Waiting for mains"))
    assert rests.step == "Waiting for mains"
    words = Progress(Phase.DONE, 10, 10, 16, 16, attention=5)
    assert view.with_words(words).attachments == view.attachments and view.with_words(words).attention == 5
    done = IndexView().with_run(RunProgress(Step.DONE, Bar(1, 1, 1), Bar()))
    assert done.step == "Everything is indexed." and done.attachments.share == 1.0


def test_a_download_says_how_far_it_is():
    preparing = Preparing("Downloading bekko", 65_000_000, 131_000_000)
    assert IndexView().with_preparing(preparing).step == "Downloading bekko… 65 MB of 131 MB"
    assert IndexView().with_preparing(Preparing("Calibrating bekko")).step == "Calibrating bekko…"


def test_the_count_follows_the_slider_before_it_stands_still(window, page):
    from tests.zbm_gui.windows import search

    search(window, "soil carbon")
    session = window.library_tab.search.session
    for margin in (0, 37, 100):
        page.best_match.cutoff.setValue(margin)
        kept, found = session.kept_at(margin)
        assert page.best_match.kept.text().startswith(f"Keeps {kept} of {found} match")
    assert session is window.library_tab.search.session, "nothing was asked again yet"
    assert session.kept_at(100)[0] == session.kept_at(100)[1]


def test_diagnostics_are_measured_only_while_they_are_shown(page):
    group = page.diagnostics
    assert not group.body.isVisible() and not group._timer.isActive()
    group.disclosure.click()
    until(lambda: group._last is not None)
    names = [name.text() for name, _ in group._rows]
    assert "Stored: Word index" in names and "Program" in names
    group.copy.click()
    text = QGuiApplication.clipboard().text()
    assert "Qt: " in text and "Passages of a document" in text
    library = page._engine.engine.library
    for secret in (str(library.folder), *(item.title for item in library.items.values())):
        assert secret not in text
    assert "Copied" in group.said.text()
    page.window().hide()
    assert not group._timer.isActive()


def test_open_preferences_let_the_index_use_all_cores(window, page):
    attendance = window.engine.engine.attendance
    assert attendance.boosted
    page.window().close()
    assert not attendance.boosted


def test_everything_has_a_name_for_those_who_cannot_see_it(page):
    for kind in (QAbstractButton, QAbstractSlider, QComboBox, QProgressBar):
        for widget in page.findChildren(kind):
            if widget.isVisibleTo(page):
                name = widget.accessibleName() or (
                    widget.text() if isinstance(widget, QAbstractButton) else ""
                )
                assert name, widget


def test_the_wheel_scrolls_the_page_and_changes_nothing_it_passes_over(page):
    from PySide6.QtCore import QCoreApplication, QPoint, QPointF, Qt
    from PySide6.QtGui import QWheelEvent

    slider = page.best_match.cutoff
    before = slider.value()

    def turn():
        middle = QPointF(slider.rect().center())
        event = QWheelEvent(
            middle, slider.mapToGlobal(middle), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QCoreApplication.sendEvent(slider, event)

    page.best_match.semantic.setFocus()
    turn()
    assert slider.value() == before
    slider.setFocus()
    turn()
    assert slider.value() != before


@pytest.mark.parametrize("title", ["General", "Advanced", "Needs attention"])
def test_a_narrow_dialog_cuts_nothing_off(window, page, title):
    dialog = page.window()
    dialog.open_page(title)
    dialog.resize(dialog.minimumSizeHint().width(), 600)
    settle(10)
    shown = dialog.page
    assert shown.width() >= shown.minimumSizeHint().width()
    assert dialog.minimumSizeHint().width() <= 80 * style.unit(dialog)
