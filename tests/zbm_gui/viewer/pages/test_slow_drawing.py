"""Pages that PDFium takes its time for: the reader says so, and what can be done."""

from __future__ import annotations

import pymupdf

from tests.zbm_gui.viewer.pages.conftest import drawn
from tests.zbm_gui.waiting import until
from zbm_gui.states import Act
from zbm_gui.viewer.pages import desk as desk_module


def test_a_page_that_takes_long_is_spoken_of_until_it_is_drawn(reader, tmp_path, monkeypatch):
    monkeypatch.setattr(desk_module, "SLOW_MS", 0)
    document = pymupdf.open()
    page = document.new_page()
    shape = page.new_shape()
    for number in range(30_000):
        shape.draw_line((number % 500, 10), (500 - number % 499, 700))
    shape.finish(width=0.1)
    shape.commit()
    path = tmp_path / "dense.pdf"
    document.save(path)
    assert reader.open(path, "Dense")
    said = []
    reader._file.desk.slowed.connect(lambda: said.append(reader.banner.state))
    until(lambda: said)
    assert said[0].title.startswith("This page takes unusually long")
    assert Act.OPEN_EXTERNALLY in said[0].acts
    until(lambda: reader._file.desk.idle)
    assert reader.banner.state is None


def test_a_document_that_waits_for_anothers_page_says_so(reader, make_pdf, monkeypatch):
    assert reader.open(make_pdf("alpha"), "Alpha")
    drawn(reader)
    monkeypatch.setattr(desk_module, "SLOW_MS", 20)
    floor = desk_module._floor()
    floor.take()
    try:
        until(lambda: reader.banner.state is not None)
        assert "another document" in reader.banner.state.title
        reader.open(make_pdf("beta", name="beta.pdf"), "Beta")  # opened meanwhile, it waits as well
        assert "another document" in reader.banner.state.title
    finally:
        floor.free()
    assert reader.banner.state is None
