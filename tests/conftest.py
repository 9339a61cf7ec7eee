"""Every test runs without a display; windows are looked at with `grab()`."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def pytest_addoption(parser):
    parser.addoption(
        "--thorough", type=int, default=1, metavar="TIMES",
        help="fuzz this many times as long, and (from 2 on) try the bombs that take minutes",
    )  # fmt: skip
