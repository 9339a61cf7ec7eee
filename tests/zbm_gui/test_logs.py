import logging
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import qWarning

from zbm_gui.logs import Logs

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def logs(app, tmp_path):
    logs = Logs(tmp_path / "logs")
    assert logs.start() == ""
    yield logs
    logs.close()


@pytest.mark.expects_log("something odd")
@pytest.mark.expects_log("Qt found it odd too")
def test_warnings_and_qt_messages_go_to_the_file(logs):
    logging.getLogger("zbm_gui.test").warning("something odd")
    qWarning("Qt found it odd too")
    text = logs.file.read_text("utf-8")
    assert "something odd" in text
    assert "Qt found it odd too" in text


def test_a_folder_that_cannot_be_written_is_said_and_survived(app, tmp_path):
    (tmp_path / "file").write_text("")
    logs = Logs(tmp_path / "file" / "logs")
    assert "No log file" in logs.start()
    logs.close()


def test_a_hard_crash_leaves_a_trace_for_the_next_start(app, tmp_path):
    code = (
        "import sys; from pathlib import Path; from zbm_gui.logs import Logs;"
        "Logs(Path(sys.argv[1])).start(); import faulthandler; faulthandler._sigsegv()"
    )
    run = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True)
    assert run.returncode != 0
    logs = Logs(tmp_path)
    logs.start()
    assert "Fatal Python error" in logs.last_crash
    logs.close()
    again = Logs(tmp_path)
    again.start()
    assert again.last_crash == ""
    again.close()
