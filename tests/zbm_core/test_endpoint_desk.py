"""The engine's side of an embedding server: what is stored, what is not, and who embeds a run."""

import json
import logging
import time

import keyring
import keyring.backend
import keyring.backends.fail
import keyring.errors
import numpy as np
import pytest

from tests.support.embedding_server import EmbeddingServerDouble
from tests.support.endpoints import MemoryKeyring
from tests.support.word_model import word_encoder
from zbm_core.credentials import SERVICE, Credentials
from zbm_core.endpoint_desk import EndpointDesk, EndpointError
from zbm_core.semantic import AddressError, Encoder, State, Verdict
from zbm_core.settings import Settings

SECRET = "sk-very-secret-0123456789"


class SilentKeyring(MemoryKeyring):
    """One that waits for somebody who does not come."""

    def get_password(self, service, username):
        time.sleep(30)

    def set_password(self, service, username, password):
        time.sleep(30)


@pytest.fixture
def no_ring(ring):
    keyring.set_keyring(keyring.backends.fail.Keyring())


@pytest.fixture
def server(embed):
    with EmbeddingServerDouble(embed, key=SECRET) as server:
        yield server


@pytest.fixture
def settings(tmp_path):
    return Settings(tmp_path / "settings.json")


@pytest.fixture
def desk(settings, local):
    return EndpointDesk(settings, lambda: local)


def use(desk, server, key=SECRET):
    verdict = desk.verify(server.url, key)
    assert verdict.ok
    return desk.set(server.url, key, verdict)


def embedded(desk, local, texts=("soil carbon", "a river", "water")):
    with desk.encoder_for_run(local) as encoder:
        rows = np.zeros((len(texts), local.model.native_width))
        for batch in encoder.batches(texts):
            rows[batch.rows] = batch.vectors
        return encoder, rows


def test_nothing_is_set_to_begin_with(desk, local):
    status = desk.status()
    assert not status.url and not status.active and status.line.startswith("Off")
    with desk.encoder_for_run(local) as encoder:
        assert encoder is local
    assert desk.served().model == "words"


def test_a_server_that_passed_embeds_the_runs(desk, server, local, ring):
    assert use(desk, server) is True
    before = len(server.requests)
    encoder, rows = embedded(desk, local)
    assert encoder is not local and len(server.requests) == before + 2  # the look before, and the texts
    truth = local.raw_passages(("soil carbon", "a river", "water"))
    assert np.allclose(rows, truth, atol=1e-5)
    status = desk.status()
    assert status.active and status.has_key and status.key_kept and "in use, agreement 1.000" in status.line
    assert status.usage.requests == 2 and status.usage.tokens > 0
    embedded(desk, local)
    assert desk.status().usage.requests == 4


def test_another_start_goes_on_with_it(desk, server, settings, local, ring, tmp_path):
    use(desk, server)
    again = EndpointDesk(Settings(tmp_path / "settings.json"), lambda: local)
    assert again.status().active
    encoder, _ = embedded(again, local)
    assert encoder.usage.local_texts == 0 and server.headers[-1]["Authorization"] == f"Bearer {SECRET}"


def test_the_key_is_in_the_keyring_and_nowhere_else(desk, server, settings, local, ring, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    use(desk, server)
    embedded(desk, local)
    assert list(ring.kept.values()) == [SECRET] and next(iter(ring.kept))[0] == SERVICE
    written = (tmp_path / "settings.json").read_text("utf-8")
    assert json.loads(written)["values"]["endpoint.has_key"] is True
    assert SECRET not in written + caplog.text + repr(desk.status()) + repr(desk.verify(server.url, None))
    server.fault = "418"
    assert SECRET not in repr(desk.verify(server.url, None)) + caplog.text


def test_without_a_keyring_the_key_is_kept_until_the_app_closes(
    desk, server, settings, local, no_ring, tmp_path
):
    assert use(desk, server) is False
    assert desk.status().key_kept is False
    encoder, _ = embedded(desk, local)
    assert encoder.usage.local_texts == 0
    # The next start has no key; the server says so, and this machine takes over.
    again = EndpointDesk(Settings(tmp_path / "settings.json"), lambda: local)
    encoder, rows = embedded(again, local)
    assert encoder.usage.local_texts == 3 and rows.any()
    status = again.status()
    assert not status.active and status.verdict.state is State.UNAUTHORIZED and "key" in status.line


def test_a_keyring_that_does_not_answer_holds_nothing_up(ring):
    keyring.set_keyring(SilentKeyring())
    credentials = Credentials(patience=0.2)
    assert credentials.set("a", SECRET) is False and credentials.get("a") == SECRET
    assert credentials.problem == "no answer"


def test_a_keyring_is_not_opened_where_there_is_no_key(settings, local, embed, ring):
    with EmbeddingServerDouble(embed) as server:
        desk = EndpointDesk(settings, lambda: local)
        use(desk, server, key=None)
        embedded(desk, local)
        desk.status()
        desk.remove()
    assert ring.asked == 0 and not ring.kept


def test_a_key_for_one_server_is_not_sent_to_another(desk, server, embed, ring):
    use(desk, server)
    with EmbeddingServerDouble(embed) as other:
        desk.verify(other.url, None)
        assert all("Authorization" not in headers for headers in other.headers)


def test_removing_forgets_everything(desk, server, settings, local, ring):
    use(desk, server)
    embedded(desk, local)
    desk.remove()
    assert not ring.kept and not desk.status().url
    assert all(not settings.get(f"endpoint.{name}") for name in ("url", "verdict", "usage", "has_key"))
    assert embedded(desk, local)[0] is local


def test_another_server_takes_the_key_of_the_first_away(desk, server, embed, ring):
    use(desk, server)
    with EmbeddingServerDouble(embed) as other:
        use(desk, other, key="")
        assert not ring.kept and not desk.status().has_key


def test_only_a_server_that_passed_can_be_set(desk, server, ring):
    verdict = desk.verify(server.url, "wrong")
    assert verdict.state is State.UNAUTHORIZED
    with pytest.raises(EndpointError):
        desk.set(server.url, "wrong", verdict)
    fine = desk.verify(server.url, SECRET)
    with pytest.raises(EndpointError):
        desk.set("http://other.example", SECRET, fine)
    assert not desk.status().url and not ring.kept


def test_a_server_found_out_during_a_run_is_off_until_it_passes_again(desk, server, local, ring):
    use(desk, server)
    server.fault = "reversed"
    encoder, rows = embedded(desk, local)
    truth = local.raw_passages(("soil carbon", "a river", "water"))
    assert np.allclose(rows, truth) and encoder.skipped
    status = desk.status()
    assert not status.active and status.verdict.state is State.INVALID and "not in use" in status.line
    before = len(server.requests)
    assert embedded(desk, local)[0] is local and len(server.requests) == before
    server.fault = ""
    use(desk, server, key=None)
    assert desk.status().active


def test_a_server_that_is_away_is_asked_again_at_the_next_run(desk, server, local, ring):
    use(desk, server)
    server.fault = "404"
    texts = ("soil carbon",)
    for _ in range(2):
        encoder, _ = embedded(desk, local, texts)
        assert encoder.usage.failures >= 1
    assert desk.status().active
    server.fault = ""
    assert embedded(desk, local, texts)[0].usage.local_texts == 0


def test_with_another_model_the_verdict_holds_no_more(desk, server, settings, local, ring, tmp_path):
    use(desk, server)
    with word_encoder(tmp_path / "other", seed=9, name="others") as other:
        later = EndpointDesk(settings, lambda: other)
        assert not later.status().active and "not tested with the model in use" in later.status().line
        assert embedded(later, other)[0] is other


def test_while_meaning_is_off_the_setting_stands(desk, server, settings, ring):
    use(desk, server)
    off = EndpointDesk(settings, lambda: None)
    status = off.status()
    assert status.url and not status.active and "once searching by meaning is on" in status.line
    assert off.served() is None
    with pytest.raises(EndpointError) as told:
        off.verify(server.url, None)
    assert "not ready" in told.value.message


def test_what_is_typed_wrongly_is_said_without_repeating_the_key(desk, server, ring):
    with pytest.raises(AddressError):
        desk.verify("no address at all", None)
    with pytest.raises(EndpointError) as told:
        desk.verify(server.url, "schlüssel")
    assert "schlüssel" not in f"{told.value.message}{told.value.detail}{told.value.__context__}"


def test_damaged_settings_are_as_good_as_none(settings, local):
    settings.set("endpoint.url", "http://localhost:1/v1/embeddings")
    for damaged in ("{", "[]", Verdict(State.OK).to_json()):
        settings.set("endpoint.verdict", damaged)
        settings.set("endpoint.usage", damaged)
        desk = EndpointDesk(settings, lambda: local)
        assert not desk.status().active and isinstance(local, Encoder)
        assert embedded(desk, local)[0] is local
