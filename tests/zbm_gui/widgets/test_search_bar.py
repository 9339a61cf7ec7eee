import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.zbm_gui.waiting import Catcher
from zbm_core.library.records import ItemKey
from zbm_core.search.records import Scope
from zbm_gui.digest import Digest
from zbm_gui.widgets.search_bar import Place, SearchBar

SOILS = ItemKey(1, "SOILS")
PLACE = Place(1, "My Library", SOILS, "Soils & more")


@pytest.fixture
def bar(app):
    bar = SearchBar()
    bar.resize(900, 50)
    bar.show()
    bar.set_digest(
        Digest({1: 5, 2: 3}, {}, {}, {"book": 3, "thesis": 2}, {"soil": 4, "carbon": 1}, 3, (1998, 2021))
    )
    bar.set_place(PLACE)
    bar.field.setFocus()
    yield bar
    bar.close()
    bar.deleteLater()


def labels(menu):
    return [action.text() for action in menu.actions() if action.text()]


def choose(menu, start):
    next(action for action in menu.actions() if action.text().startswith(start)).trigger()


def test_enter_searches_and_typing_does_not(bar):
    requested = Catcher(bar.search_requested)
    QTest.keyClicks(bar.field, "soil carbon")
    assert requested.values == []
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert requested.wait() == ("soil carbon",)


def test_escape_clears_and_then_leaves(bar):
    cleared, left = Catcher(bar.cleared), Catcher(bar.left)
    QTest.keyClicks(bar.field, "soil")
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert bar.text() == ""
    assert len(cleared.values) == 1 and left.values == []
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert left.values == [(False,)]


def test_down_goes_to_the_first_row(bar):
    left = Catcher(bar.left)
    QTest.keyClicks(bar.field, "soil")
    QTest.keyClick(bar.field, Qt.Key.Key_Down)
    assert left.values == [(True,)]


def test_enter_on_nothing_ends_the_search(bar):
    cleared, requested = Catcher(bar.cleared), Catcher(bar.search_requested)
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert cleared.values and not requested.values


def test_recent_queries_are_offered_and_repeated(bar):
    requested = Catcher(bar.search_requested)
    bar.set_recent(["soil & carbon", "peat"])
    menu = bar.make_menu()
    assert "soil && carbon" in labels(menu)
    choose(menu, "peat")
    assert requested.wait() == ("peat",)
    assert bar.text() == "peat"


def test_the_scope_is_what_the_sidebar_selected(bar):
    assert bar.scope() == Scope(library=1, collection=SOILS)
    assert bar.place_name() == "Soils & more"


def test_the_scope_can_be_widened_and_follows_the_sidebar_again(bar):
    changed = Catcher(bar.scope_changed)
    assert labels(bar.make_places_menu()) == [
        "All libraries",
        "My Library",
        "Soils && more",
        "Include subcollections",
    ]
    choose(bar.make_places_menu(), "My Library")
    assert bar.scope() == Scope(library=1)
    assert bar.place_name() == "My Library"
    choose(bar.make_places_menu(), "All libraries")
    assert bar.scope() == Scope()
    assert len(changed.values) == 2
    bar.set_place(PLACE)
    assert bar.scope() == Scope(library=1, collection=SOILS)


def test_subcollections_can_be_left_out(bar):
    choose(bar.make_places_menu(), "Include subcollections")
    assert bar.scope().subcollections is False


def test_filters_go_into_the_scope_and_out_again(bar):
    bar.years_chip.set_years(2019, None)
    bar.types_chip.set_ticked(["thesis"])
    bar.tags_chip.set_ticked(["soil", "carbon"])
    assert bar.scope() == Scope(
        library=1, collection=SOILS, year_from=2019, item_types=("thesis",), tags=("soil", "carbon")
    )
    changed = Catcher(bar.scope_changed)
    bar.remove_filters()
    assert bar.scope() == Scope(library=1, collection=SOILS)
    assert len(changed.values) == 1


def test_searching_everywhere_drops_the_filters_too(bar):
    bar.years_chip.set_years(2019, 2020)
    bar.search_everywhere()
    assert bar.scope() == Scope()
    assert bar.place_name() == "all libraries"


def test_everywhere_is_the_library_when_there_is_one(bar):
    bar.set_digest(Digest({1: 5}, {}, {}, {}, {}, 0, None))
    assert bar.everywhere_name() == "My Library"


def test_weaker_matches_can_be_had_from_the_menu(bar):
    changed = Catcher(bar.scope_changed)
    choose(bar.make_menu(), "Show weaker")
    assert bar.weaker_too
    assert changed.values


def test_a_narrow_bar_puts_its_chips_below(bar):
    wide = bar.sizeHint().height()
    bar.resize(420, 100)
    assert bar.sizeHint().height() > wide


def test_everything_has_a_name_for_screen_readers(bar):
    assert bar.field.accessibleName() == "Search"
    bar.types_chip.set_ticked(["thesis"])
    assert bar.types_chip.accessibleName() == "Type: Thesis"
    assert bar.years_chip.accessibleName() == "Year: any"


def test_languages_are_offered_where_there_is_a_choice(bar):
    assert not bar.languages_chip.isVisibleTo(bar)
    bar.set_languages({"en": "English", "de": "German"}, {"en": 4, "de": 2})
    assert bar.languages_chip.isVisibleTo(bar)
    bar.languages_chip.set_ticked(["de"])
    assert bar.scope().languages == ("de",)
    assert bar.languages_chip.accessibleName() == "Language: German"
    # A filter that is on is never hidden.
    bar.set_languages({"en": "English"}, {"en": 4})
    assert bar.languages_chip.isVisibleTo(bar)
    bar.remove_filters()
    assert bar.scope().languages == ()
