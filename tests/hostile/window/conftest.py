"""The window's fixtures, for hostile libraries and documents."""

from tests.zbm_gui.conftest import app, quiet, windows  # noqa: F401 - fixtures
