"""One small real library for all tests of this folder, and a pane to show it in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.zbm_gui.item_tree.samples import read_shelf
from zbm_core.library import Library
from zbm_gui.item_pane import ItemPane


@pytest.fixture(scope="session")
def shelf(tmp_path_factory) -> Iterator[Library]:
    with read_shelf(tmp_path_factory.mktemp("zotero"), tmp_path_factory.mktemp("scratch")) as library:
        yield library


@pytest.fixture(scope="session")
def later_shelf(tmp_path_factory) -> Iterator[Library]:
    folder, scratch = tmp_path_factory.mktemp("zotero"), tmp_path_factory.mktemp("scratch")
    with read_shelf(folder, scratch, later=True) as library:
        yield library


@pytest.fixture
def pane(app) -> Iterator[ItemPane]:
    pane = ItemPane()
    pane.resize(380, 900)
    pane.show()
    app.processEvents()
    yield pane
    pane.close()
    pane.deleteLater()
