from pathlib import Path

import pytest

from tests.support.sample_library import write_sample_library


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the data directory is written."""
    return tmp_path / "Zotero"


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def keys(folder: Path):
    """The sample library, written to `folder`."""
    return write_sample_library(folder)
