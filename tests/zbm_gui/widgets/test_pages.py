"""State pages and banners."""

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel

from tests.zbm_gui.waiting import Catcher, settle
from zbm_gui.states import Act, State
from zbm_gui.widgets.banner import Banner
from zbm_gui.widgets.state_page import StatePage

STATE = State(
    "Nothing matches", "12 items in My Library do.", (Act.SEARCH_EVERYWHERE, Act.CLEAR), lines=("/a",)
)


@pytest.fixture
def page(app):
    page = StatePage()
    page.resize(600, 400)
    page.show()
    yield page
    page.close()
    page.deleteLater()


@pytest.fixture
def banner(app):
    banner = Banner()
    banner.resize(600, 40)
    yield banner
    banner.close()
    banner.deleteLater()


def buttons(widget):
    return {
        button.text() or button.accessibleName(): button for button in widget.findChildren(QAbstractButton)
    }


def test_a_page_shows_words_and_acts(page):
    page.show_state(STATE)
    texts = [label.text() for label in page.findChildren(QLabel)]
    assert texts == ["Nothing matches", "12 items in My Library do.", "/a"]
    requested = Catcher(page.act_requested)
    buttons(page)["Search there"].click()
    assert requested.wait() == (Act.SEARCH_EVERYWHERE, STATE)
    assert page.accessibleName() == "Nothing matches. 12 items in My Library do."


def test_markup_in_a_name_is_shown_as_it_is(page):
    page.show_state(State("<b>x</b>", "<img src='http://example.org/a.png'>"))
    settle()
    assert page.findChildren(QLabel)[0].textFormat().name == "PlainText"


def test_another_state_replaces_the_first_and_the_same_keeps_the_focus(page):
    page.show_state(STATE)
    page.focus_first_act()
    button = buttons(page)["Search there"]
    page.show_state(State("Nothing matches", "12 items in My Library do.", STATE.acts, lines=("/a",)))
    assert buttons(page)["Search there"] is button
    page.show_state(State("Searching", busy=True))
    settle()
    assert not page.focus_first_act()
    assert [label.text() for label in page.widget().findChildren(QLabel)] == ["Searching"]


def test_a_narrow_page_wraps_rather_than_cuts(page):
    page.show_state(State("A title that is longer than the page is wide", "word " * 60, (Act.CLEAR,)))
    page.resize(260, 500)
    settle()
    for label in page.findChildren(QLabel):
        assert label.width() <= 260


def test_a_banner_shows_only_when_it_has_something_to_say(banner):
    assert banner.isHidden()
    banner.show_state(State("The cutoff hides 31 weaker matches.", acts=(Act.SHOW_WEAKER,)))
    assert not banner.isHidden()
    requested = Catcher(banner.act_requested)
    buttons(banner)["Show them"].click()
    assert requested.wait()[0] is Act.SHOW_WEAKER
    banner.show_state(None)
    assert banner.isHidden()


def test_dismissing_hides_it(banner):
    banner.show_state(State("A backup was read.", acts=(Act.DISMISS,), icon="warning"))
    buttons(banner)["Dismiss"].click()
    assert banner.isHidden()


def test_the_buttons_of_an_earlier_state_are_gone(banner):
    banner.show_state(State("a", acts=(Act.SHOW_WEAKER,)))
    banner.show_state(State("b", acts=(Act.RESUME,)))
    settle()
    from PySide6.QtCore import QCoreApplication, QEvent

    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert list(buttons(banner)) == ["Resume indexing"]
    assert banner.accessibleName() == "b"
