"""The Advanced page of a window over the small library."""

import pytest

from tests.zbm_gui.waiting import Catcher, until
from tests.zbm_gui.windows import search
from zbm_core.engine import MeaningStatus
from zbm_core.indexing.records import Bar, EmbeddingProgress, Phase, Progress, RunProgress, Step
from zbm_core.search.records import EngineChoice
from zbm_core.semantic import Preparing
from zbm_gui import dialogs
from zbm_gui.preferences import advanced as advanced_module
from zbm_gui.preferences.best_match import BestMatchGroup
from zbm_gui.preferences.index_group import IndexGroup
from zbm_gui.preferences.index_view import IndexView


@pytest.fixture
def page(window):
    page = window.preferences.open("Advanced").advanced
    until(lambda: page.index.records_count.text())
    return page


@pytest.fixture
def group(app):
    group = IndexGroup()
    yield group
    group.deleteLater()


def test_the_index_tells_how_far_it_is(page):
    status = page._engine.engine.status()
    assert page.index.records_count.text() == f"{status.items_done} / {status.items_total}"
    assert page.index.documents_count.text() == f"{status.documents_done} / {status.documents_total}"
    assert page.index.attention.text() == f"{status.attention} documents need attention"
    assert page.index.meaning.text() == "Searching by meaning is off."


def test_a_page_opened_in_the_middle_of_a_run_says_what_the_run_said_last(window):
    runs = window.engine._runs
    runs._on_progress(RunProgress(Step.MODEL, Bar(3, 0, 3), Bar(1, 0, 2)))
    runs._on_preparing(Preparing("Making a model"))
    page = window.preferences.open("Advanced").advanced
    assert page.index.meaning.text() == "Making a model…"
    assert page.index.records_count.text() == "0 / 3"
    runs._ended()
    page.shown()
    assert page.index.meaning.text() == "Searching by meaning is off."


def test_documents_that_need_attention_have_a_page(window, page):
    page.index.show_attention.click()
    dialog = window.preferences.open()
    assert dialog.page is dialog.attention


def test_the_cutoff_is_stored_and_the_last_search_asked_again(window, page):
    search(window, "soil carbon")
    before = window.library_tab.search.result
    assert (
        f"of {len(before.matches) + before.hidden} matches of your last search" in page.best_match.kept.text()
    )
    answered = Catcher(window.engine.search_finished)
    window.library_tab.bar.weaker_too = True  # the user now says otherwise
    page.best_match.cutoff.setValue(0)
    answered.wait()
    result = window.library_tab.search.result
    assert result.request.margin == 0 == page.settings.get("search.margin")
    assert len(result.matches) <= len(before.matches)
    assert page.best_match.kept.text().startswith(f"Keeps {len(result.matches)} of ")
    page.best_match.cutoff.setValue(100)
    answered.wait()
    assert len(window.library_tab.search.result.matches) > len(result.matches)
    assert window.library_tab.search.result.hidden == 0


def test_without_a_search_the_cutoff_says_what_it_is(page):
    assert page.best_match.kept.text() == "How many of the weaker matches are listed."


def test_which_engines_rank_is_a_choice_while_meaning_is_on(window, page):
    assert not page.best_match.engines["hybrid"].isEnabled()
    page.settings.set("search.semantic", True)
    page.best_match.describe(MeaningStatus(True, "A model", "MIT", 4, 4, 131_000_000))
    assert page.best_match.model.text() == "In use: A model · MIT · 131 MB"
    search(window, "soil")
    for choice in ("words", "meaning", "hybrid"):
        answered = Catcher(window.engine.search_finished)
        page.best_match.engines[choice].click()
        answered.wait()
        assert window.library_tab.search.result.request.engine is EngineChoice(choice)
        assert page.settings.get("search.engine") == choice


def test_the_stored_choices_are_shown(app, tmp_path):
    from zbm_core.settings import Settings

    settings = Settings(tmp_path / "settings.json")
    settings.set("search.margin", 70)
    settings.set("search.engine", "words")
    group = BestMatchGroup(settings, settings.set)
    assert group.cutoff.value() == 70 and group.engines["words"].isChecked()
    assert group.model.text() == "None is ready yet."
    group.deleteLater()


def test_pausing_here_is_pausing_everywhere(window, page):
    page.index.pause.click()
    assert page.settings.get("indexing.paused") and window.indexing.paused
    assert page.index.pause.text() == "Resume"
    assert page.index.meaning.text() == "Indexing is paused. Searching by meaning is off."
    window.index_status.button.click()
    assert page.index.pause.text() == "Pause" and not window.indexing.paused
    assert "paused" not in page.index.meaning.text()


def test_the_index_of_meaning_in_words(group):
    for status, running, words in (
        (None, False, "off"),
        (MeaningStatus(False), False, "off"),
        (MeaningStatus(True), False, "No semantic data yet"),
        (MeaningStatus(True, "M", "", 10, 10), False, "10 passages is up to date"),
        (MeaningStatus(True, "M", "", 9, 10), False, "1 passage waits"),
        (MeaningStatus(True, "M", "", 4, 2310), True, "locally for 2,306 passages"),
    ):
        group.show_view(IndexView().with_status(status, running))
        assert words in group.meaning.text()
    group.show_view(IndexView().with_embedding(EmbeddingProgress(1204, 2310, 3000.0)))
    assert group.meaning.text() == "Generating semantic data locally for 1,106 passages · about 50 minutes"


def test_a_library_without_documents_has_full_bars(group):
    group.show_view(IndexView().with_words(Progress(Phase.DONE, 3, 3, 0, 0)))
    assert group.documents.value() == group.documents.maximum()
    assert group.attention.isHidden() and group.show_attention.isHidden()
    progress = Progress(Phase.DOCUMENTS, 3, 3, 1204, 1870, attention=1, seconds_left=3000.0)
    group.show_view(IndexView().with_words(progress))
    assert group.documents_count.text() == "1,204 / 1,870 · about 50 minutes"
    assert group.attention.text() == "1 document needs attention"


def test_rebuilding_is_asked_once(page, monkeypatch):
    asked = []
    monkeypatch.setattr(dialogs, "confirm", lambda *arguments: asked.append(arguments))
    requested = Catcher(page.rebuild_requested)
    page.index.rebuild.click()
    assert asked[0][2] == advanced_module.REBUILD and not requested.values
    asked[0][-1]()
    assert requested.values


def test_only_the_named_button_confirms(page):
    for number, done in ((0, 1), (1, 0)):
        said = []
        box = dialogs.confirm(page, "Sure?", "It takes long.", "Do it", lambda said=said: said.append(1))
        buttons = sorted(box.buttons(), key=lambda button: button.text() != "Do it")
        assert box.defaultButton() is buttons[1]
        buttons[number].click()
        assert len(said) == done
