from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from zbm_gui.style import motion, reduced_motion


class Hints:
    """Style hints of a system that has said what it wants."""

    def __init__(self, preference: Qt.MotionPreference) -> None:
        self._preference = preference

    def accessibility(self) -> "Hints":
        return self

    def motionPreference(self) -> Qt.MotionPreference:
        return self._preference


def test_a_system_that_says_nothing_lets_things_move(app):
    assert reduced_motion() is False


def test_the_wish_for_less_motion_is_heard(app, monkeypatch):
    for preference in Qt.MotionPreference:
        hints = Hints(preference)
        monkeypatch.setattr(QGuiApplication, "styleHints", staticmethod(lambda hints=hints: hints))
        assert reduced_motion() is (preference is Qt.MotionPreference.ReducedMotion)


def test_a_qt_that_does_not_know_is_no_error(app, monkeypatch):
    monkeypatch.setattr(QGuiApplication, "styleHints", staticmethod(object))
    monkeypatch.setattr(motion.sys, "platform", "linux")
    assert reduced_motion() is False
