"""A widget for one setting, made from its row of the table."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QSpinBox, QWidget

from zbm_core.settings import TABLE, Setting, Settings
from zbm_gui import style

#: What a choice is called; one not listed is its value with a capital.
CHOICE_NAMES = {
    "appearance.theme": {"system": "As the system", "light": "Light", "dark": "Dark"},
    "search.engine": {"hybrid": "Words and meaning"},
}
_BY_KEY = {setting.key: setting for setting in TABLE}

Store = Callable[[str, object], None]  # a key and its new value


def setting_of(key: str) -> Setting:
    return _BY_KEY[key]


def choice_name(key: str, choice: str) -> str:
    return CHOICE_NAMES.get(key, {}).get(choice, choice.capitalize())


def make_editor(settings: Settings, key: str, store: Store) -> QWidget:
    """A combo box, check box, spin box or line for *key*, showing its value.

    *store* is called with the key and the new value whenever the user changes it.
    """
    setting = _BY_KEY[key]
    value = settings.get(key)
    if setting.choices:
        editor = QComboBox()
        for choice in setting.choices:
            editor.addItem(choice_name(key, choice), choice)
        editor.setCurrentIndex(setting.choices.index(value))
        editor.currentIndexChanged.connect(lambda _index: store(key, editor.currentData()))
    elif setting.type is bool:
        editor = QCheckBox(setting.text)
        style.visible_indicators(editor)
        editor.setChecked(value)
        editor.toggled.connect(lambda on: store(key, on))
    elif setting.type is int:
        editor = QSpinBox()
        editor.setRange(
            setting.low if setting.low is not None else -(2**31),
            setting.high if setting.high is not None else 2**31 - 1,
        )
        editor.setValue(value)
        editor.valueChanged.connect(lambda number: store(key, number))
    elif setting.type is str:
        editor = QLineEdit(value)
        editor.editingFinished.connect(lambda: store(key, editor.text()))
    else:
        raise TypeError(f"{key} has no editor for a {setting.type.__name__}")
    editor.setAccessibleName(setting.text)
    return editor
