"""A small model, a server of it, and ways to ask the server that wait for nothing."""

import pytest

from tests.support.embedding_server import EmbeddingServerDouble, embed_by
from tests.support.word_model import word_encoder
from zbm_core.semantic.endpoint import Address, EndpointClient

#: Of clients in tests: nothing here needs a long wait.
QUICK = {"answer_seconds": 60.0, "first_back_off": 0.01}


@pytest.fixture(scope="session")
def local(tmp_path_factory):
    """This machine's encoder."""
    with word_encoder(tmp_path_factory.mktemp("model")) as encoder:
        yield encoder


@pytest.fixture(scope="session")
def embed(tmp_path_factory):
    """The same model as a server has it: prefixes are the client's."""
    with word_encoder(tmp_path_factory.mktemp("served"), prefixes=("", "")) as encoder:
        yield embed_by(encoder)


@pytest.fixture(scope="session")
def others(tmp_path_factory):
    """By name: servers' models that are not the one of this machine."""
    differences = {
        "another model": {"seed": 9},
        "another pooling": {"pooling": "last"},
        "cut at 512 tokens": {"max_tokens": 512},
    }
    encoders = {
        name: word_encoder(tmp_path_factory.mktemp("other"), prefixes=("", ""), **options)
        for name, options in differences.items()
    }
    yield {name: embed_by(encoder) for name, encoder in encoders.items()}
    for encoder in encoders.values():
        encoder.close()


@pytest.fixture
def server(embed):
    with EmbeddingServerDouble(embed) as server:
        yield server


@pytest.fixture
def client(server):
    client = EndpointClient(Address.parse(server.url), "openai", **QUICK)
    yield client
    client.close()
