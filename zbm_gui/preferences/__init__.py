"""The preferences dialog: pages over the settings' table; every choice is kept at once."""

from zbm_gui.preferences.dialog import PreferencesDialog

__all__ = ["PreferencesDialog"]
