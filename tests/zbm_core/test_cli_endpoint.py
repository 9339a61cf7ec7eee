"""The two commands about embedding servers, as processes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.word_model import word_model
from zbm_core.cli import main
from zbm_core.cli_endpoint import KEY_VARIABLE
from zbm_core.paths import AppPaths
from zbm_core.semantic.model import RECORD_FILE, write_record

ROOT = Path(__file__).resolve().parents[2]
SECRET = "sk-very-secret-0123456789"


@pytest.fixture
def home(tmp_path):
    """A home folder with a small model installed."""
    folder = AppPaths.under(tmp_path / "home").data / "models" / "words"
    _, model = word_model(folder)
    write_record(folder / RECORD_FILE, model)
    return tmp_path / "home"


@pytest.fixture
def serving(home):
    """A server in a process of its own, with a key; its address and the process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "zbm_core.cli", "serve-embeddings", "--index", str(home), "--port", "0", "--json",
         "--model", "words"],
        cwd=ROOT, env={**os.environ, KEY_VARIABLE: SECRET}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    line = process.stdout.readline()
    assert line, process.stderr.read()
    yield json.loads(line)["address"], process
    process.kill()
    process.communicate()


def asked(home, *arguments):
    return main(["endpoint", "test", "--index", str(home), "--model", "words", *arguments])


def test_one_computer_serves_another(home, serving, capsys, monkeypatch):
    address, process = serving
    monkeypatch.setenv(KEY_VARIABLE, SECRET)
    assert asked(home, "--json", address) == 0
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["state"] == "ok" and verdict["agreement"] > 0.9999 and verdict["server_model"] == "words"
    assert asked(home, "--key", "wrong", address) == 1
    told = capsys.readouterr()
    assert "failed  Connection" in told.out and "key" in told.out and SECRET not in told.out + told.err
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and "texts embedded" in err and SECRET not in out + err


def test_what_others_can_reach_wants_a_key(home, capsys, monkeypatch):
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    command = [
        "serve-embeddings",
        "--index",
        str(home),
        "--model",
        "words",
        "--port",
        "0",
        "--host",
        "0.0.0.0",
    ]
    assert main(command) == 1
    assert "a key is needed" in capsys.readouterr().err


def test_a_wrong_address_is_said(home, capsys):
    assert asked(home, "ftp://somewhere") == 1
    assert "not the address of a server" in capsys.readouterr().err
