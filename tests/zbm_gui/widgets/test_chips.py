import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget

from tests.zbm_gui.waiting import Catcher, settle
from zbm_gui.widgets.chips import ChecksChip, YearsChip


@pytest.fixture
def tags(app):
    chip = ChecksChip("Tags")
    names = [f"tag {number}" for number in range(30)]
    chip.set_choices({name: name for name in names}, dict.fromkeys(names, 1))
    chip.show()
    yield chip
    chip.close()
    chip.deleteLater()


@pytest.fixture
def years(app):
    chip = YearsChip()
    chip.set_known((1998, 2021))
    chip.show()
    yield chip
    chip.close()
    chip.deleteLater()


def popup():
    return QApplication.activePopupWidget()


def test_ticking_filters_once_the_popup_closes(tags):
    changed = Catcher(tags.changed)
    tags.click()
    rows = popup().findChild(QListWidget)
    rows.item(1).setCheckState(Qt.CheckState.Checked)
    rows.item(3).setCheckState(Qt.CheckState.Checked)
    assert changed.values == []
    popup().close()
    settle()
    assert tags.ticked == ("tag 1", "tag 3")
    assert len(changed.values) == 1
    assert tags.value == "tag 1 +1"


def test_closing_without_a_change_says_nothing(tags):
    changed = Catcher(tags.changed)
    tags.click()
    popup().close()
    settle()
    assert changed.values == []


def test_a_long_list_is_narrowed_by_typing_and_ticked_by_keyboard(tags):
    tags.click()
    field, rows = popup().findChild(QLineEdit), popup().findChild(QListWidget)
    QTest.keyClicks(field, "tag 29")
    assert rows.count() == 1
    rows.setFocus()
    rows.setCurrentRow(0)
    QTest.keyClick(rows, Qt.Key.Key_Space)
    popup().close()
    settle()
    assert tags.ticked == ("tag 29",)


def test_ticked_ones_come_first_and_any_drops_them(tags):
    tags.set_ticked(["tag 20"])
    tags.click()
    rows = popup().findChild(QListWidget)
    assert rows.item(0).text().startswith("tag 20")
    rows.item(0).setCheckState(Qt.CheckState.Unchecked)
    popup().close()
    settle()
    assert tags.ticked == ()
    assert tags.value == ""


def test_a_chip_without_choices_cannot_be_opened(tags):
    tags.set_choices({}, {})
    assert not tags.isEnabled()


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [(2019, None, "from 2019"), (None, 2020, "to 2020"), (2019, 2020, "2019–2020"), (2020, 2020, "2020")],
)
def test_a_range_of_years_says_itself(years, first, last, text):
    years.set_years(first, last)
    assert years.value == text


def test_years_the_wrong_way_round_are_turned(years):
    years.set_years(2020, 2010)
    assert years.years == (2010, 2020)


def test_years_are_typed_and_taken_with_enter(years):
    changed = Catcher(years.changed)
    years.click()
    first, last = popup().findChildren(QLineEdit)
    QTest.keyClicks(first, "2001x")
    QTest.keyClicks(last, "2010")
    QTest.keyClick(last, Qt.Key.Key_Return)
    settle()
    assert years.years == (2001, 2010)
    assert len(changed.values) == 1
