import json
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalSocket

from tests.zbm_gui.waiting import settle, until
from zbm_gui.single_instance import LARGEST_MESSAGE, SingleInstance

ROOT = Path(__file__).resolve().parents[2]

SECOND = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from zbm_gui.single_instance import SingleInstance
app = QCoreApplication([])
instance = SingleInstance(Path(sys.argv[1]))
print("first" if instance.is_first() else "second", instance.pass_on(sys.argv[2:]), flush=True)
"""


@pytest.fixture
def first(app, tmp_path):
    instance = SingleInstance(tmp_path / "home")
    assert instance.is_first()
    heard = []
    instance.listen(heard.append)
    instance.heard = heard
    yield instance
    instance.close()


def test_a_second_process_hands_its_arguments_over(first, tmp_path):
    command = [sys.executable, "-c", SECOND, str(tmp_path / "home"), "--query", "Böden & „Kohlenstoff“"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as second:
        until(lambda: second.poll() is not None)
        assert second.stdout.read().split() == ["second", "True"]
    assert first.heard == [["--query", "Böden & „Kohlenstoff“"]]


def test_another_home_is_another_instance(first, tmp_path):
    other = SingleInstance(tmp_path / "elsewhere")
    assert other.is_first()
    other.close()


def test_after_the_first_has_closed_there_is_a_new_first(app, tmp_path):
    one = SingleInstance(tmp_path)
    assert one.is_first()
    one.listen(lambda arguments: None)
    assert not SingleInstance(tmp_path).is_first()
    one.close()
    two = SingleInstance(tmp_path)
    assert two.is_first()
    two.close()


def test_a_lock_left_by_a_dead_process_does_not_keep_the_window_out(app, tmp_path):
    code = (
        "import os, sys; from pathlib import Path; from zbm_gui.single_instance import SingleInstance;"
        "kept = SingleInstance(Path(sys.argv[1])); assert kept.is_first(); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT).returncode == 9
    assert (tmp_path / "window.lock").exists()
    instance = SingleInstance(tmp_path)
    assert instance.is_first()
    instance.close()


@pytest.mark.parametrize(
    "message",
    [b"no json\n", b'{"a": 1}\n', b"[1, 2]\n", b"x" * (LARGEST_MESSAGE + 10), json.dumps([]).encode()],
)
def test_a_message_that_is_not_ours_changes_nothing(first, message):
    socket = QLocalSocket()
    socket.connectToServer(first._name)
    assert socket.waitForConnected(2000)
    socket.write(message)
    socket.flush()
    settle(20)
    socket.abort()
    settle()
    assert first.heard == []


def test_nobody_answers_where_nobody_listens(app, tmp_path, monkeypatch):
    monkeypatch.setattr("zbm_gui.single_instance.CONNECT_SECONDS", 0.2)
    one = SingleInstance(tmp_path)
    assert one.is_first()
    assert not SingleInstance(tmp_path).pass_on(["--demo"])
    one.close()
