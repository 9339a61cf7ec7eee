"""A page drawn for someone is noticed, wherever it is drawn from."""

import pymupdf
import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from tests.zbm_gui.waiting import settle, until
from zbm_gui.idleness import reader as noticed
from zbm_gui.viewer import PdfReader


@pytest.fixture
def shown(app):
    widget = PdfReader()
    widget.resize(600, 500)
    widget.show()
    yield widget
    widget.close_document()
    widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    settle()


def test_the_pages_of_a_pdf(shown, tmp_path, monkeypatch):
    document = pymupdf.open()
    document.new_page().insert_text((72, 100), "Peat and humus")
    document.save(tmp_path / "one.pdf")
    document.close()
    monkeypatch.setattr(noticed, "_drawn", 0.0)
    shown.open(tmp_path / "one.pdf", "One")
    until(lambda: noticed.last_drawn() > 1e9, "a page drawn")
