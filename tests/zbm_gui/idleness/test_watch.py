"""Whether someone is at the computer, by whatever tells."""

import pytest
from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication

from zbm_gui.idleness import IDLE_AFTER, IdleWatch, own, watch

LONG = IDLE_AFTER + 1


class Told(QObject):
    """A system that says what a test says; None: it does not answer."""

    told = Signal(float)

    def __init__(self, seconds=None):
        super().__init__()
        self.seconds, self.asked = seconds, 0

    def ask(self):
        self.asked += 1
        if self.seconds is not None:
            self.told.emit(self.seconds)


@pytest.fixture
def make(app):
    made = []

    def make(*sources):
        watched = IdleWatch(sources=list(sources))
        watched.heard = []
        watched.changed.connect(watched.heard.append)
        made.append(watched)
        return watched

    yield make
    for watched in made:
        watched.stop()
        watched.deleteLater()


@pytest.fixture
def desk(monkeypatch):
    """What the application itself notices: its clock, the pointer, whether it is in front."""

    class Desk:
        now, pointer, state = 1_000.0, QPoint(5, 5), Qt.ApplicationState.ApplicationInactive

        def monotonic(self):
            return self.now

        def pos(self):
            return self.pointer

        def applicationState(self):
            return self.state

    desk = Desk()
    for name in ("time", "QCursor", "QGuiApplication"):
        monkeypatch.setattr(own, name, desk)
    return desk


def test_nobody_is_there_once_the_system_has_said_so(make):
    source = Told(10.0)
    watched = make(source)
    watched.start()
    watched.look()
    assert not watched.idle
    source.seconds = LONG
    watched.look()
    watched.look()
    assert watched.idle and watched.heard == [True]
    assert watched._timer.interval() == watch.LOOK_IDLE_MS
    source.seconds = 0.5
    watched.look()  # one look is enough to see that someone is back
    assert watched.heard == [True, False]
    assert watched._timer.interval() == watch.LOOK_MS


def test_the_least_of_what_is_told_holds(make):
    # A login service may call a session idle whose user types.
    login, server = Told(LONG), Told(2.0)
    watched = make(login, server)
    watched.start()
    for _ in range(3):
        watched.look()
    assert watched.heard == []


def test_who_brings_the_window_to_the_front_is_there(make):
    watched = make(Told(LONG))
    watched.start()
    watched.look()
    assert watched.idle
    QGuiApplication.instance().applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert watched.heard == [True, False]


def test_it_asks_nothing_unless_it_watches(make):
    source = Told(LONG)
    watched = make(source)
    assert source.asked == 0
    watched.start()
    watched.start()
    assert source.asked == 1
    watched.look()
    assert watched.idle
    watched.stop()
    assert not watched.idle and not watched.watching and watched.heard == [True, False]
    watched.start()
    watched.look()
    assert watched.heard == [True, False, True]


def test_where_nothing_tells_windows_and_pointer_do(make, desk):
    watched = make(Told(None))
    watched.start()
    desk.now += LONG
    watched.look()
    watched.look()
    assert watched.idle
    desk.pointer = QPoint(6, 5)
    watched.look()
    assert not watched.idle
    desk.now += LONG
    desk.state = Qt.ApplicationState.ApplicationActive
    watched.look()
    watched.look()
    assert not watched.idle


def test_a_system_that_tells_is_believed_before_what_the_application_notices(make, desk):
    source = Told(None)
    watched = make(source)
    watched.start()
    desk.now += LONG
    source.seconds = 1.0  # another program is in use
    for _ in range(3):
        watched.look()
    assert watched.heard == []
    source.seconds = None  # it answers no more: nobody knows
    watched.look()
    watched.look()
    assert watched.heard == []


def test_time_before_the_watch_began_does_not_count(make, desk):
    watched = make()
    desk.now += LONG
    watched.start()
    watched.look()
    assert not watched.idle
