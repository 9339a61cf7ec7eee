"""Desktops on a bus of the test's own."""

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from tests.zbm_gui.waiting import Catcher, settle, until

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("dbus-daemon") is None, reason="there is no D-Bus here"
)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A bus of this module's own."""
    socket = f"unix:path={tmp_path_factory.mktemp('bus')}/bus"
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address", f"--address={socket}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    told = daemon.stdout.readline().strip()
    if not told:
        pytest.skip("the bus does not start here")
    yield told
    daemon.kill()
    daemon.communicate()


@pytest.fixture
def bus(app, address):
    from PySide6.QtDBus import QDBusConnection

    connection = QDBusConnection.connectToBus(address, "of a test")
    assert connection.isConnected()
    yield connection
    QDBusConnection.disconnectFromBus("of a test")


@contextmanager
def desktop(address, *arguments):
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.zbm_gui.idleness.bus_service", *arguments],
        env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": address},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "ready\n"
        yield
    finally:
        process.communicate()


def told_by(source):
    heard = Catcher(source.told)
    source.ask()
    return heard.wait()[0]


def test_gnome(bus, address):
    from zbm_gui.idleness.bus import gnome

    name = "org.gnome.Mutter.IdleMonitor"
    with desktop(address, name, "/org/gnome/Mutter/IdleMonitor/Core", "GetIdletime", "301500"):
        assert told_by(gnome(bus)) == 301.5


def test_kde(bus, address):
    from zbm_gui.idleness.bus import kde

    with desktop(address, "org.freedesktop.ScreenSaver", "/ScreenSaver", "GetSessionIdleTime", "2000"):
        assert told_by(kde(bus)) == 2.0


def test_a_service_that_is_not_there_says_nothing_and_can_be_asked_again(bus):
    from zbm_gui.idleness.bus import gnome

    source, heard = gnome(bus), []
    source.told.connect(heard.append)
    for _ in range(2):
        source.ask()
        source.ask()  # one question at a time
        until(lambda: source._watcher is None)
    assert heard == []


def test_a_session_that_is_said_to_be_idle_tells_since_when(bus, address):
    from zbm_gui.idleness.bus import Login

    service = ("org.freedesktop.login1", "/org/freedesktop/login1/session/auto", "Get")
    hints = {"IdleHint": True, "IdleSinceHint": int((time.time() - 400) * 1e6)}
    with desktop(address, *service, json.dumps(hints)):
        assert 399 < told_by(Login(bus)) < 460
    with desktop(address, *service, json.dumps({**hints, "IdleHint": False})):
        source, heard = Login(bus), []
        source.told.connect(heard.append)
        source.ask()
        until(lambda: source._hint._watcher is None)
        settle()
        assert heard == [] and source._since._watcher is None  # many desktops never tell


def test_since_never_is_not_told():
    from zbm_gui.idleness.bus import _seconds_since

    assert _seconds_since(0) is None and _seconds_since("yesterday") is None


def test_an_answer_of_another_form_says_nothing():
    from zbm_gui.idleness.bus import _milliseconds

    assert [_milliseconds(answer) for answer in ([], ["soon"], [-1], [250])] == [None, None, None, 0.25]


def test_no_bus_is_started_for_it(app, monkeypatch, tmp_path):
    from zbm_gui.idleness import bus as module

    for name in ("DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(module, "SYSTEM_BUS", tmp_path / "system_bus_socket")
    assert module.bus_sources() == []
