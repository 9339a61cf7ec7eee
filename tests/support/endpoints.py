"""What tests of an embedding server share: a keyring in memory, a small model here and the same one served."""

from __future__ import annotations

import keyring
import keyring.backend
import keyring.errors
import pytest

from tests.support.embedding_server import embed_by
from tests.support.word_model import word_encoder


class MemoryKeyring(keyring.backend.KeyringBackend):
    """A keyring that serves."""

    priority = 5

    def __init__(self):
        super().__init__()
        self.kept, self.asked = {}, 0

    def get_password(self, service, username):
        self.asked += 1
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        self.kept[service, username] = password

    def delete_password(self, service, username):
        if self.kept.pop((service, username), None) is None:
            raise keyring.errors.PasswordDeleteError


@pytest.fixture
def ring():
    before = keyring.get_keyring()
    ring = MemoryKeyring()
    keyring.set_keyring(ring)
    yield ring
    keyring.set_keyring(before)


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    with word_encoder(tmp_path_factory.mktemp("model")) as encoder:
        yield encoder


@pytest.fixture(scope="module")
def embed(tmp_path_factory):
    with word_encoder(tmp_path_factory.mktemp("served"), prefixes=("", "")) as encoder:
        yield embed_by(encoder)
