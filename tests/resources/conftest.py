import sqlite3

import pytest

from resources.demo.build import LIBRARY


@pytest.fixture(scope="module")
def database():
    connection = sqlite3.connect(f"file:{LIBRARY.as_posix()}/zotero.sqlite?mode=ro&immutable=1", uri=True)
    yield connection
    connection.close()
