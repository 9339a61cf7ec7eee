"""Whether things may move."""

from __future__ import annotations

import sys

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication


def reduced_motion() -> bool:
    """True when the system asks for less motion. Unknown counts as no wish."""
    hints = QGuiApplication.styleHints()
    accessibility = getattr(hints, "accessibility", None)  # Qt 6.10
    preference = getattr(accessibility(), "motionPreference", None) if accessibility else None  # Qt 6.11
    if preference is not None:
        return preference() is Qt.MotionPreference.ReducedMotion
    return _asked_of_the_system()


def _asked_of_the_system() -> bool:
    """For a Qt that does not know yet."""
    if sys.platform == "win32":
        import ctypes

        get_client_area_animation = 0x1042  # SPI_GETCLIENTAREAANIMATION
        enabled = ctypes.c_int(1)
        known = ctypes.windll.user32.SystemParametersInfoW(
            get_client_area_animation, 0, ctypes.byref(enabled), 0
        )
        return bool(known) and not enabled.value
    if sys.platform == "darwin":
        return QSettings("apple.com", "universalaccess").value("reduceMotion", False, type=bool)
    return False
