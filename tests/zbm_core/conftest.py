"""What tests above the rooms share: a small real library, and an engine that has indexed it."""

from __future__ import annotations

import shutil

import pytest

from tests.support.endpoints import embed, local, ring  # noqa: F401 - fixtures
from tests.support.small_library import SmallLibrary, build
from zbm_core.engine import Engine
from zbm_core.paths import AppPaths
from zbm_core.settings import Settings


@pytest.fixture(scope="session")
def _built_library(tmp_path_factory) -> SmallLibrary:
    root = tmp_path_factory.mktemp("small")
    return build(root / "Zotero", root / "work")


@pytest.fixture
def small(_built_library, tmp_path) -> SmallLibrary:
    """A library of this test's own, to change as it likes."""
    folder = tmp_path / "Zotero"
    shutil.copytree(_built_library.folder, folder)
    return SmallLibrary(
        folder, *[getattr(_built_library, name) for name in list(SmallLibrary.__dataclass_fields__)[1:]]
    )


@pytest.fixture
def engine(tmp_path):
    """An engine with nothing open, its files in this test's folder."""
    paths = AppPaths.under(tmp_path / "app")
    engine = Engine(paths, Settings(paths.config / "settings.json"))
    yield engine
    engine.close()


@pytest.fixture
def indexed(engine, small) -> Engine:
    engine.open_library(small.folder)
    engine.index()
    return engine
