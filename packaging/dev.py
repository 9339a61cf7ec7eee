#!/usr/bin/env python3
"""Two commands for a fresh clone: ``run`` opens the app, ``test`` runs the suite.

Both make ``.venv`` beside the project, install the pinned dependencies when the lock has changed, and
see to the system libraries Qt needs. Needs nothing but Python 3.11 or newer.

    python3 packaging/dev.py run [--demo] [--library DIR]
    python3 packaging/dev.py test [pytest options]
    python3 packaging/dev.py lock          rewrite the pinned versions (needs uv)
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCKS = {
    "run": ROOT / "packaging" / "requirements.lock",
    "test": ROOT / "packaging" / "requirements-test.lock",
}
OLDEST_PYTHON = (3, 11)

# What Qt loads at start-up and a bare Debian or Ubuntu lacks: library -> package.
OFFSCREEN_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
}
SCREEN_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libX11-xcb.so.1": "libx11-xcb1",
}
DEMO_QUERY = "how much carbon is stored in soil"


def say(text: str) -> None:
    print(f"zbm: {text}", flush=True)


def stop(text: str) -> None:
    raise SystemExit(f"zbm: {text}")


def venv_python() -> Path:
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def has_display() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    if os.environ.get("QT_QPA_PLATFORM") == "offscreen":
        return False
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


# --- system libraries --------------------------------------------------------------------------------


def missing_packages(screen: bool) -> list[str]:
    """Debian packages of the shared libraries that cannot be loaded here."""
    if not sys.platform.startswith("linux"):
        return []
    wanted = dict(OFFSCREEN_LIBRARIES, **(SCREEN_LIBRARIES if screen else {}))
    missing = []
    for library, package in wanted.items():
        try:
            ctypes.CDLL(library)
        except OSError:
            missing.append(package)
    if not any(Path(folder).is_dir() and any(Path(folder).rglob("*.[ot]tf")) for folder in font_folders()):
        missing.append("fonts-dejavu-core")
    return missing


def font_folders() -> list[str]:
    return [
        "/usr/share/fonts",
        "/usr/local/share/fonts",
        str(Path.home() / ".fonts"),
        str(Path.home() / ".local/share/fonts"),
    ]


def apt_install(packages: list[str]) -> None:
    """Install *packages* as root on Debian or Ubuntu; otherwise say the exact command and stop."""
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if not shutil.which("apt-get"):
        stop(
            "these system libraries are missing (named as Debian packages): "
            + " ".join(packages)
            + ". Install their equivalents and run this again."
        )
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        stop("system libraries are missing. Run this, then try again:\n    sudo " + " ".join(command))
    say("installing system libraries: " + " ".join(packages))
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    for step in (["apt-get", "update", "-q"], command):
        if subprocess.run(step, env=environment, stdout=subprocess.DEVNULL).returncode != 0:
            stop("this command failed; run it by hand to see why:\n    " + " ".join(step))


def ensure_system(screen: bool) -> None:
    packages = missing_packages(screen)
    if packages:
        apt_install(packages)


# --- the virtual environment -------------------------------------------------------------------------


def make_venv() -> None:
    if venv_python().exists():
        works = subprocess.run([str(venv_python()), "-c", "import pip"], capture_output=True).returncode == 0
        if works:
            return
        say(f"{VENV.name} is damaged and is made anew")
        shutil.rmtree(VENV)
    say(f"making {VENV.name}")
    result = subprocess.run([sys.executable, "-m", "venv", str(VENV)], capture_output=True, text=True)
    if result.returncode == 0:
        return
    shutil.rmtree(VENV, ignore_errors=True)
    if "ensurepip" in result.stdout + result.stderr:
        # Debian splits venv off; its message names the package of this very version.
        apt_install([f"python3.{sys.version_info.minor}-venv"])
        if subprocess.run([sys.executable, "-m", "venv", str(VENV)]).returncode == 0:
            return
    stop(f"the virtual environment could not be made:\n{result.stdout}{result.stderr}")


def ensure_packages(kind: str) -> None:
    """Install the *kind* of lock into the environment unless that very lock is in it already."""
    lock = LOCKS[kind]
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()
    stamp = VENV / f"zbm-{kind}.stamp"
    if stamp.is_file() and stamp.read_text() == digest:
        return
    say(f"installing the packages of {lock.name} (once; a few minutes at most)")
    command = [
        str(venv_python()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
        "--no-deps", "--require-hashes", "--only-binary", ":all:", "-r", str(lock),
    ]  # fmt: skip
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        stop(
            "the packages could not be installed. The network may be down, or a package may have no "
            f"build for this system.\n{result.stderr.strip()[-3000:]}\nThe command was:\n    {' '.join(command)}"
        )
    stamp.write_text(digest)


def prepare(kind: str, screen: bool) -> None:
    if sys.version_info < OLDEST_PYTHON:
        stop(
            f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}. Try python3.12 packaging/dev.py …"
        )
    ensure_system(screen)
    make_venv()
    ensure_packages(kind)


# --- the commands ------------------------------------------------------------------------------------


def run(arguments: list[str]) -> int:
    screen = has_display()
    prepare("run", screen)
    environment = dict(os.environ)
    command = [str(venv_python()), "-m", "zbm_gui", *arguments]
    if screen:
        command.append("--demo-if-none")
    else:
        say("there is no display: the demonstration runs offscreen instead")
        environment["QT_QPA_PLATFORM"] = "offscreen"
        picture = ROOT / "zbm-demo.png"
        if "--library" not in arguments and "--demo" not in arguments:
            command.append("--demo")
        if "--screenshot" not in arguments:
            command += ["--screenshot", str(picture)]
        if "--query" not in arguments:
            command += ["--query", DEMO_QUERY]
    return subprocess.run(command, cwd=ROOT, env=environment).returncode


def test(arguments: list[str]) -> int:
    prepare("test", screen=False)
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen")
    if not any(argument.startswith(("-n", "--co", "--pdb")) for argument in arguments):
        # A file's tests stay together: they share what takes long to make.
        arguments = ["-n", "auto", "--dist", "loadfile", *arguments]
    return subprocess.run(
        [str(venv_python()), "-m", "pytest", *arguments], cwd=ROOT, env=environment
    ).returncode


def lock(arguments: list[str]) -> int:
    uv = shutil.which("uv") or stop("uv is needed to rewrite the pinned versions: pip install uv")
    for kind, target in LOCKS.items():
        extra = ["--extra", "test"] if kind == "test" else []
        command = [
            str(uv), "pip", "compile", "pyproject.toml", "--universal", "--python-version", "3.11",
            "--generate-hashes", "--no-header", "--no-annotate", "-q", "-o", str(target), *extra, *arguments,
        ]  # fmt: skip
        if subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL).returncode != 0:
            return 1
    return 0


COMMANDS = {"run": run, "test": test, "lock": lock}


def main() -> int:
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        print(__doc__)
        return 2
    try:
        return COMMANDS[sys.argv[1]](sys.argv[2:])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
