"""An engine that searches by a model of single letters: whole runs cost next to nothing."""

import shutil

import pytest

from tests.support.indexing_process import MODEL, install_model
from zbm_core.engine import Engine
from zbm_core.paths import AppPaths
from zbm_core.settings import Settings


@pytest.fixture(scope="session")
def _models(tmp_path_factory):
    home = tmp_path_factory.mktemp("models")
    install_model(home)
    return AppPaths.under(home).data / "models"


@pytest.fixture
def tiny_engine(tmp_path, _models, monkeypatch):
    # No quote is picked by a model here, so none is made.
    monkeypatch.setattr("zbm_core.semantic.preparation._install_picker", lambda *_arguments: None)
    paths = AppPaths.under(tmp_path / "app")
    paths.data.mkdir(parents=True)
    shutil.copytree(_models, paths.data / "models")
    settings = Settings(paths.config / "settings.json")
    settings.set("semantic.model", MODEL)
    engine = Engine(paths, settings)
    yield engine
    engine.close()
