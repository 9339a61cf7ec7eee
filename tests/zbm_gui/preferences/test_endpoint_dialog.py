"""The dialog of the embedding server, over real servers on loopback."""

import time

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.support.embedding_server import EmbeddingServerDouble
from tests.zbm_gui.waiting import Catcher, settle, until
from zbm_core.endpoint_desk import EndpointDesk
from zbm_core.settings import Settings
from zbm_gui.preferences.endpoint_dialog import FORGOTTEN_KEY, NOT_READY, PLAIN_KEY, EndpointDialog
from zbm_gui.preferences.endpoint_status import EndpointStatusRow


@pytest.fixture
def server(embed):
    with EmbeddingServerDouble(embed) as server:
        yield server


@pytest.fixture
def settings(tmp_path):
    return Settings(tmp_path / "settings.json")


@pytest.fixture
def desk(settings, local, ring):
    return EndpointDesk(settings, lambda: local)


@pytest.fixture
def dialogs(app):
    made = []
    yield made
    for dialog in made:
        dialog.reject()
        dialog.deleteLater()


@pytest.fixture
def make(desk, settings, dialogs):
    def make():
        dialog = EndpointDialog(desk, settings)
        dialogs.append(dialog)
        dialog.show()
        return dialog

    return make


def type_in(field, text):
    field.clear()
    QTest.keyClicks(field, text)


def try_out(dialog, url, key=""):
    type_in(dialog.url, url)
    type_in(dialog.key, key)
    dialog.test.click()
    until(lambda: dialog._job is None, "the test's end")


def test_it_says_what_a_server_must_serve(make):
    dialog = make()
    assert "--pooling mean" in dialog.command.text() and dialog.command.text().count("\n") == 1
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == dialog.command.text()
    assert not dialog.test.isEnabled() and not dialog.use.isEnabled() and not dialog.remove.isVisible()


def test_a_server_that_passes_is_used(make, server, desk):
    dialog = make()
    changed = Catcher(dialog.endpoint_changed)
    try_out(dialog, server.url)
    assert [name for name, passed, _ in dialog.checks.rows if passed] == [
        "Connection", "Embeddings", "Width", "Agreement", "Long texts",
    ]  # fmt: skip
    assert "1.0000" in {name: text for name, _, text in dialog.checks.rows}["Agreement"]
    assert "match" in dialog.checks.outcome.text() and not dialog.checks.spinner.isVisible()
    assert dialog.use.isEnabled() and not desk.status().url
    dialog.use.click()
    changed.wait()
    assert not dialog.isVisible() and desk.status().active


def test_another_text_in_the_fields_needs_another_test(make, server):
    dialog = make()
    try_out(dialog, server.url)
    QTest.keyClicks(dialog.url, "x")
    assert not dialog.use.isEnabled() and not dialog.checks.rows and not dialog.checks.outcome.text()
    try_out(dialog, server.url)
    QTest.keyClicks(dialog.key, "x")
    assert not dialog.use.isEnabled()


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("404", "--embeddings"),
        ("401", "API key"),
        ("narrow", "another model"),
        ("reversed", "--pooling mean"),
    ],
)
def test_each_failure_has_its_sentence_and_remedy(make, server, desk, fault, words):
    server.fault = fault
    dialog = make()
    try_out(dialog, server.url)
    assert words in dialog.checks.outcome.text()
    assert [passed for _, passed, _ in dialog.checks.rows].count(False) == 1
    assert not dialog.use.isEnabled() and dialog.test.isEnabled()


def test_the_next_test_begins_on_an_empty_page(make, server):
    server.fault = "404"
    dialog = make()
    try_out(dialog, server.url)
    labels = [dialog.checks._grid.itemAt(place).widget() for place in range(dialog.checks._grid.count())]
    assert labels and all(label.isVisible() for label in labels)
    dialog.test.click()
    assert not any(label.isVisible() for label in labels)  # or they would show through the new ones
    assert "Testing" in dialog.checks.outcome.text()


def test_what_is_no_address_is_said(make):
    dialog = make()
    try_out(dialog, "ftp://somewhere")
    assert "not the address of a server" in dialog.checks.outcome.text()


def test_the_window_goes_on_while_a_server_is_silent(make, server):
    server.fault = "silence"
    dialog = make()
    type_in(dialog.url, server.url)
    dialog.test.click()
    assert dialog.checks.spinner.isVisible()
    until(lambda: server.requests)
    began = time.monotonic()
    settle()
    dialog.reject()
    assert time.monotonic() - began < 5 and not dialog.isVisible()  # the server is silent for half a minute
    until(lambda: not _alive(dialog))


def _alive(dialog):
    from zbm_gui.preferences.endpoint_dialog import _alive as alive

    return alive(dialog._lane)


def test_a_kept_key_is_not_shown_and_still_serves(make, server, desk):
    server.key = "abc-key"
    dialog = make()
    try_out(dialog, server.url, "abc-key")
    dialog.use.click()
    until(lambda: desk.status().active)
    dialog = make()
    assert dialog.key.text() == "" and "Kept" in dialog.key.placeholderText()
    assert "match" in dialog.checks.outcome.text()
    dialog.test.click()
    until(lambda: dialog._job is None)
    assert dialog.use.isEnabled()


def test_without_a_keyring_it_says_that_the_key_is_forgotten(make, server, desk):
    import keyring.backends.fail

    keyring.set_keyring(keyring.backends.fail.Keyring())
    server.key = "abc-key"
    dialog = make()
    try_out(dialog, server.url, "abc-key")
    dialog.use.click()
    until(lambda: desk.status().active)
    until(lambda: dialog.checks.outcome.text() == FORGOTTEN_KEY)
    assert dialog.isVisible() and dialog.cancel.text() == "Close"


def test_removing(make, server, desk):
    dialog = make()
    try_out(dialog, server.url)
    dialog.use.click()
    until(lambda: desk.status().active)
    dialog = make()
    assert dialog.remove.isVisible()
    changed = Catcher(dialog.endpoint_changed)
    dialog.remove.click()
    changed.wait()
    assert not desk.status().url and not dialog.isVisible()


def test_limits_are_kept(make, server, settings):
    dialog = make()
    try_out(dialog, server.url)
    dialog.limits["endpoint.requests_a_minute"].setValue(30)
    dialog.use.click()
    until(lambda: not dialog.isVisible())
    assert settings.get("endpoint.requests_a_minute") == 30 and settings.get("endpoint.tokens_a_minute") == 0


def test_a_key_in_the_open_is_warned_of(make):
    dialog = make()
    for url, warned in (
        ("http://lab.example", True),
        ("https://lab.example", False),
        ("http://localhost:1", False),
    ):
        type_in(dialog.url, url)
        type_in(dialog.key, "abc")
        assert (dialog.warning.isVisible() and dialog.warning.text() == PLAIN_KEY) is warned


def test_before_a_model_is_ready_nothing_can_be_tested(settings, dialogs, ring):
    dialog = EndpointDialog(EndpointDesk(settings, lambda: None), settings)
    dialogs.append(dialog)
    dialog.show()
    type_in(dialog.url, "http://localhost:1")
    assert not dialog.test.isEnabled()


def test_the_line_in_the_preferences(app, desk, server):
    row = EndpointStatusRow()
    row.show_status(None)
    assert not row.configure.isEnabled()
    row.show_status(desk.status())
    assert row.configure.isEnabled() and row.line.text().startswith("Off")
    asked = Catcher(row.configure_endpoint_requested)
    row.configure.click()
    asked.wait()
    desk.set(server.url, None, desk.verify(server.url))
    with desk.encoder_for_run(desk._encoder()) as encoder:
        list(encoder.batches(["soil carbon"]))
    row.show_status(desk.status())
    assert "in use" in row.line.text() and "2 requests" in row.usage.text()
    row.deleteLater()


def test_not_ready_is_said(settings, dialogs, ring):
    dialog = EndpointDialog(EndpointDesk(settings, lambda: None), settings)
    dialogs.append(dialog)
    assert dialog.checks.outcome.text() == NOT_READY
