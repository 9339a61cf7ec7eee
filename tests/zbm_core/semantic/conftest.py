from pathlib import Path

import pytest

from tests.support.models import made_once
from zbm_core.semantic import Encoder, ModelError


@pytest.fixture(scope="session")
def e5():
    """The packaged model, installed: its folder and record."""
    try:
        shelf, model = made_once("multilingual-e5-small")
    except ModelError as error:
        pytest.skip(error.message)
    return shelf.folder_of(model.name), model


@pytest.fixture(scope="session")
def use():
    """The packaged sentence picker, installed: its folder and record."""
    shelf, model = made_once("use-multilingual-v3")
    return shelf.folder_of(model.name), model


@pytest.fixture(scope="session")
def encoder(e5, use):
    """An encoder that many tests ask; a test that kills its child makes its own."""
    encoder = Encoder(*e5, picker=use)
    yield encoder
    encoder.close()


@pytest.fixture(scope="session")
def corpora():
    """The retrieval corpora of the test data folder beside the project."""
    folder = Path(__file__).resolve().parents[3].parent / "shared" / "corpora"
    if not folder.is_dir():
        pytest.skip("the test data folder is not beside the project")
    return folder
