"""One small real library for all tests of this folder, and a tree that shows it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.zbm_gui.item_tree.samples import read_shelf
from zbm_core.library import Library
from zbm_gui.item_tree import ItemTree


@pytest.fixture(scope="session")
def shelf(tmp_path_factory) -> Iterator[Library]:
    with read_shelf(tmp_path_factory.mktemp("zotero"), tmp_path_factory.mktemp("scratch")) as library:
        yield library


@pytest.fixture(scope="session")
def later_shelf(tmp_path_factory) -> Iterator[Library]:
    """The same library some time on (see `write_shelf`)."""
    folder, scratch = tmp_path_factory.mktemp("zotero"), tmp_path_factory.mktemp("scratch")
    with read_shelf(folder, scratch, later=True) as library:
        yield library


@pytest.fixture
def tree(app, shelf) -> Iterator[ItemTree]:
    tree = ItemTree()
    tree.resize(900, 600)
    tree.show()
    app.processEvents()
    tree.set_library(shelf)
    app.processEvents()
    yield tree
    tree.close()
    tree.deleteLater()
