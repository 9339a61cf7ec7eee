import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QSpinBox

from tests.zbm_gui.waiting import Catcher, until
from zbm_core.library.records import ItemKey
from zbm_core.paths import AppPaths
from zbm_core.settings import TABLE, Settings
from zbm_gui.engine_thread import EngineThread
from zbm_gui.preferences import PreferencesDialog
from zbm_gui.preferences.editors import make_editor
from zbm_gui.preferences.page import Page


@pytest.fixture
def settings(tmp_path):
    return Settings(tmp_path / "config" / "settings.json")


@pytest.fixture
def engine(app, tmp_path, settings, small):
    engine = EngineThread(AppPaths.under(tmp_path / "home"), settings)
    opened, finished = Catcher(engine.library_opened), Catcher(engine.indexing_finished)
    engine.open_library(small.folder)
    opened.wait()
    engine.start_indexing()
    finished.wait()
    yield engine
    assert engine.close()


@pytest.fixture
def dialog(settings, engine):
    dialog = PreferencesDialog(settings, engine)
    dialog.set_library(engine.engine.library)
    dialog.show()
    yield dialog
    dialog.close()
    dialog.deleteLater()


@pytest.mark.parametrize("setting", [s for s in TABLE if s.type is not list], ids=lambda s: s.key)
def test_every_kind_of_setting_has_an_editor_that_shows_and_stores_it(app, settings, setting):
    stored = {}
    editor = make_editor(settings, setting.key, stored.__setitem__)
    assert editor.accessibleName() == setting.text
    match editor:
        case QComboBox():
            assert editor.currentData() == setting.default
            editor.setCurrentIndex(editor.count() - 1 if editor.currentIndex() == 0 else 0)
        case QCheckBox():
            assert editor.isChecked() == setting.default
            editor.toggle()
        case QSpinBox():
            assert editor.value() == setting.default
            editor.setValue(setting.default + 1)
        case QLineEdit():
            assert editor.text() == setting.default
            editor.setText("/elsewhere")
            editor.editingFinished.emit()
    assert setting.key in stored and stored[setting.key] != setting.default
    settings.set(setting.key, stored[setting.key])
    editor.deleteLater()


def test_the_folder_is_shown(dialog, small):
    assert dialog.general.folder.text() == str(small.folder)


def test_appearance_holds_at_once(dialog, settings):
    changed = Catcher(dialog.general.changed)
    dialog.general.theme.setCurrentIndex(dialog.general.theme.findData("dark"))
    assert changed.wait() == ("appearance.theme",)
    assert settings.get("appearance.theme") == "dark"


def test_documents_that_need_attention_are_listed_with_their_reasons(dialog, small):
    rows = dialog.general.attention.rows
    until(lambda: rows.topLevelItemCount() == 2)
    shown = {rows.topLevelItem(n).text(0): rows.topLevelItem(n) for n in range(2)}
    assert shown["Forest floors"].text(1) == "File missing"
    assert shown["A report on rivers"].text(1) == "Damaged"
    assert all(row.text(2) for row in shown.values())
    assert dialog.general.attention.summary.text() == "2 documents."


def test_one_of_them_can_be_shown_and_read_again(dialog, small):
    attention = dialog.general.attention
    until(lambda: attention.rows.topLevelItemCount() == 2)
    wanted, again = Catcher(attention.item_requested), Catcher(attention.index_requested)
    attention.rows.topLevelItem(0).setSelected(True)
    key = attention.rows.topLevelItem(0).data(0, 0x100)
    attention.show_item.click()
    assert wanted.wait() == (key,)
    assert key in (ItemKey(1, small.missing), ItemKey(1, small.damaged))
    attention.again.click()
    again.wait()


@pytest.mark.expects_log("settings not saved")
def test_a_choice_that_cannot_be_saved_holds_and_says_so(app, tmp_path):
    (tmp_path / "file").write_text("")
    page = Page(Settings(tmp_path / "file" / "settings.json"))
    said, changed = Catcher(page.not_saved), Catcher(page.changed)
    page.store("appearance.theme", "dark")
    assert "could not be saved" in said.wait()[0]
    assert changed.values
    assert page.settings.get("appearance.theme") == "dark"


def test_a_page_is_opened_by_its_name(dialog):
    assert dialog._stack.currentWidget() is dialog.general
    dialog.open_page("Advanced")
    assert dialog._stack.currentWidget() is dialog.advanced
