"""The dialog over an engine that has indexed the small library."""

import pytest

from tests.support.endpoints import embed, local, ring  # noqa: F401 - fixtures
from tests.zbm_gui.waiting import Catcher, until
from zbm_core.paths import AppPaths
from zbm_core.settings import Settings
from zbm_gui.engine_thread import EngineThread
from zbm_gui.preferences import PreferencesDialog


@pytest.fixture
def settings(tmp_path):
    return Settings(tmp_path / "config" / "settings.json")


@pytest.fixture
def engine(app, tmp_path, settings, small):
    settings.set("search.semantic", False)  # there is no model here, and none is to be fetched
    engine = EngineThread(AppPaths.under(tmp_path / "home"), settings)
    opened, indexed = Catcher(engine.library_opened), []
    engine.open_library(small.folder)
    opened.wait()
    # By words alone: a whole run would fetch or make a model.
    engine.ask("index", lambda asked, token: asked.index(token), indexed.append)
    until(lambda: indexed)
    yield engine
    assert engine.close()


@pytest.fixture
def dialog(settings, engine):
    dialog = PreferencesDialog(settings, engine)
    dialog.set_library(engine.engine.library)
    dialog.show()
    yield dialog
    dialog.close()
    dialog.deleteLater()
