"""The table of what can be done with pages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from PySide6.QtGui import QKeySequence

from zbm_gui.actions import COMMANDS
from zbm_gui.viewer.pages.actions import DEEDS, MENU, MORE, NEED_A_DOCUMENT


def test_no_keys_mean_two_things():
    """Two actions with the same keys in one place would both be ignored."""
    own = [QKeySequence(keys).toString() for deed in DEEDS for keys in deed.keys]
    assert len(own) == len(set(own))
    windows = {
        QKeySequence(keys).toString()
        for command in COMMANDS
        if not command.in_library
        for keys in command.keys
    }
    assert not windows & set(own)


def test_menus_name_what_is_in_the_table():
    names = {deed.name for deed in DEEDS}
    assert set(MENU) | set(MORE) <= names | {""}
    assert names >= NEED_A_DOCUMENT


def test_every_deed_is_reached_and_explained(reader):
    for deed in DEEDS:
        action = reader.actions_by_name[deed.name]
        assert action.text() == deed.text
        assert action.toolTip().startswith(deed.text)
        assert not action.icon().isNull()
        assert action.isIconVisibleInMenu() is not action.isCheckable()


def test_nothing_can_be_done_without_a_document(reader):
    for name in (
        "print",
        "rotate_right",
        "two_pages",
        "thumbnails",
        "annotations",
        "copy_region",
        "copy_citation",
    ):
        assert not reader.actions_by_name[name].isEnabled(), name
    assert not reader.actions_by_name["next_set"].isEnabled()


def test_printing_is_loaded_when_first_used():
    code = "import sys, zbm_gui.viewer.pages.reader; assert 'PySide6.QtPrintSupport' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[4], check=True, timeout=60)
