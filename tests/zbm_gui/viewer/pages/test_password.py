"""A password asked for once, kept while the program runs, nowhere else."""

from __future__ import annotations

import logging

import pymupdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton

from tests.zbm_gui.viewer.pages.conftest import drawn
from tests.zbm_gui.waiting import Catcher, settle, until
from zbm_gui.viewer.pages import passwords


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    monkeypatch.setattr(passwords, "_given", {})


@pytest.fixture
def locked(make_pdf):
    encryption = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": "geheim ß", "owner_pw": "owner"}
    return make_pdf("a secret page", save=encryption)


def page(reader):
    return reader.opening.password


def give(reader, password: str) -> None:
    edit = page(reader).findChild(QLineEdit)
    edit.clear()
    QTest.keyClicks(edit, password)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    settle()


def said(reader) -> str:
    return page(reader).accessibleName()


def test_the_password_is_asked_for_and_opens_the_document(reader, locked):
    failed, opened = Catcher(reader.load_failed), Catcher(reader.opened)
    assert reader.open(locked, "Secret") is False
    assert "password" in failed.wait()[0]
    assert page(reader).isVisible()
    assert not reader.view.isVisible()
    reader.activateWindow()
    reader.setFocus()
    until(page(reader).findChild(QLineEdit).hasFocus, "the keyboard in the field")
    assert "does not open" not in said(reader)
    give(reader, "geheim ß")
    assert opened.wait() == ()
    drawn(reader)
    assert reader.view.isVisible()
    assert reader.page_count == 1
    assert page(reader).findChild(QLineEdit).text() == ""


def test_a_wrong_password_is_said_and_another_can_be_given(reader, locked):
    reader.open(locked, "Secret")
    give(reader, "wrong")
    assert page(reader).isVisible()
    assert "does not open" in said(reader)
    give(reader, "owner")  # the owner's opens it, too
    assert reader.page_count == 1


def test_it_is_asked_for_once(app, reader, locked):
    reader.open(locked, "Secret")
    give(reader, "geheim ß")
    reader.close_document()
    assert reader.open(locked, "Secret") is True
    assert reader.page_count == 1


def test_a_password_that_no_longer_fits_is_forgotten(reader, locked, make_pdf):
    reader.open(locked, "Secret")
    give(reader, "geheim ß")
    encryption = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": "new", "owner_pw": "owner2"}
    reader.close_document()
    make_pdf("another", save=encryption)
    assert reader.open(locked, "Secret") is False
    assert passwords.known(locked) == ""
    assert "does not open" not in said(reader)  # the user has not typed it


def test_it_is_neither_shown_nor_logged(reader, locked, caplog):
    caplog.set_level(logging.DEBUG)
    reader.open(locked, "Secret")
    edit = page(reader).findChild(QLineEdit)
    assert edit.echoMode() is QLineEdit.EchoMode.Password
    assert edit.accessibleName()
    give(reader, "wrong one")
    give(reader, "geheim ß")
    assert "geheim" not in caplog.text
    assert "wrong one" not in caplog.text


def test_other_ways_are_offered(reader, locked):
    reader.open(locked, "Secret")
    asked = Catcher(reader.open_externally_requested)
    buttons = {button.text(): button for button in page(reader).findChildren(QPushButton)}
    assert not buttons["Open"].isEnabled()
    buttons["Open externally"].click()
    asked.wait()


def test_the_one_of_the_test_data_folder(reader, document):
    reader.open(document("password_needed.pdf"), "password_needed.pdf")
    give(reader, "openpassword")
    drawn(reader)
    assert reader.page_count >= 1


def test_matches_can_be_shown_once_it_is_open(reader, locked):
    from zbm_core.documents.structure import Rect
    from zbm_gui.viewer import ReaderMatch

    match = ReaderMatch((Rect(0, 72, 480, 200, 520),))
    reader.opened.connect(lambda: reader.show_matches([match], 0))
    reader.open(locked, "Secret")
    give(reader, "geheim ß")
    assert reader.current_match() == 0
