import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QSpinBox

from tests.zbm_gui.waiting import Catcher
from zbm_core.settings import TABLE, Settings
from zbm_gui.preferences.editors import make_editor
from zbm_gui.preferences.page import Page


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
    assert dialog.page is dialog.general
    for page in (dialog.advanced, dialog.attention):
        dialog.open_page(page.title)
        assert dialog.page is page and page.isVisible()
