"""Every test runs without a display; windows are looked at with `grab()`."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
