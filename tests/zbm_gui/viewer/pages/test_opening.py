"""Opening, closing, another document; readers beside each other; screens of other densities."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import shiboken6

from tests.zbm_gui.viewer.pages.conftest import drawn, is_ink, share_of
from tests.zbm_gui.waiting import settle, until
from zbm_gui.viewer import PdfReader

PAGES = [f"Page {number} of the book" for number in range(1, 13)]


def test_opening_another_document_forgets_the_first(reader, make_pdf):
    reader.open(make_pdf(*PAGES, name="a.pdf"), "A")
    reader.jump_to_page(5)
    reader.find("Page")
    reader.open(make_pdf("only", name="b.pdf"), "B")
    drawn(reader)
    assert reader.page_count == 1
    assert reader.current_page() == 0
    assert not reader.actions_by_name["back"].isEnabled()
    assert not reader.find_bar.isVisible()


def test_closing_while_a_page_is_being_drawn_does_not_wait(reader, document):
    reader.open(document("tracemonkey_two_column.pdf"), "Paper")
    reader.view.set_zoom(4.0)
    until(lambda: reader._file.desk.drawing, "a drawing under way")
    reader.close_document()
    assert reader.page_count == 0
    assert share_of(reader.view.viewport().grab().toImage(), reader.view.viewport().rect(), is_ink) == 0


def test_a_reader_destroyed_while_drawing_without_having_been_closed(app, document):
    reader = PdfReader()
    reader.resize(600, 600)
    reader.show()
    reader.open(document("tracemonkey_two_column.pdf"), "Paper")
    reader.view.set_zoom(4.0)
    desk = reader._file.desk
    until(lambda: desk.drawing, "a drawing under way")
    reader.deleteLater()
    del reader
    until(lambda: not shiboken6.isValid(desk), "the end of the drawing")


def test_the_file_is_let_go(reader, make_pdf):
    path = make_pdf(*PAGES)
    reader.open(path, "Book")
    drawn(reader)
    reader.close_document()
    settle()

    def held() -> bool:
        if not Path("/proc/self/fd").exists():
            pytest.skip("open files are listed under /proc on Linux")
        links = [str(link.readlink()) for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
        maps = Path("/proc/self/maps").read_text()
        return str(path) in links or str(path) in maps

    until(lambda: not held(), "the file to be let go")


def test_two_readers_share_one_floor(reader, make_pdf, document):
    """A question in one document never waits inside PDFium for a drawing of another."""
    other = PdfReader()
    other.resize(600, 600)
    other.show()
    other.open(document("tracemonkey_two_column.pdf"), "Paper")
    reader.open(make_pdf("alpha beta"), "Made")
    drawn(reader)
    drawn(other)
    other.view.set_zoom(5.0)
    until(lambda: other._file.desk.drawing, "a drawing under way")
    answered: list[str] = []
    reader._file.desk.ask(lambda: answered.append(reader._text.page(0).text))
    assert answered == []  # put off, not waited for
    until(lambda: answered, "the answer")
    assert answered == ["alpha beta"]
    other.close_document()
    other.deleteLater()


SHARP = """
import json, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
app = QApplication([])
from tests.zbm_gui.viewer.pages.conftest import picture
from zbm_gui.viewer import PdfReader
reader = PdfReader()
reader.resize(500, 500)
reader.show()
reader.open(Path(sys.argv[1]), "x")
image = picture(reader)
piece = next(p for p in reader.view.pictures.cache._images if p.page == 0)
print(json.dumps([image.devicePixelRatio(), image.width(), reader.view.viewport().width(), piece.width,
                  reader.view.look(0).rect.width()]))
reader.close_document()
"""


@pytest.mark.parametrize("factor", ["2", "1.25"])
def test_pages_are_drawn_in_device_pixels(make_pdf, factor):
    path = make_pdf("sharp")
    environment = {**os.environ, "QT_SCALE_FACTOR": factor, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", SHARP, str(path)],
        capture_output=True,
        text=True,
        env=environment,
        cwd=Path(__file__).parents[4],
        timeout=120,
        check=True,
    )
    ratio, image_width, viewport, piece, page = json.loads(done.stdout.splitlines()[-1])
    assert ratio == float(factor)
    assert image_width == round(viewport * ratio)
    assert piece == round(page * ratio)
