"""Hostile PDFs in the window's own reader, where PDFium works in the window's process: each in a process of its own here.

Nothing is asked for, launched or opened; the window goes on; there are pages, or a sentence that says why there are none.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.conftest import Ear
from tests.support import hostile_pdfs
from tests.support.hostile_pdfs import SENTENCES, one_page, stream, written

ROOT = Path(__file__).resolve().parents[3]

PATIENCE = 120.0
"""Seconds after which the process counts as hung, on the busiest machine."""


def shown(path: Path, *more: str) -> dict[str, Any]:
    """What `tests.support.pdf_reader_process` says of a file. A crash or a hang fails the test."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.support.pdf_reader_process", str(path), *more],
        cwd=ROOT,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ended.returncode == 0, (ended.returncode, ended.stderr.decode()[-2_000:])
    return json.loads(ended.stdout.splitlines()[-1])


def page(box: bytes, more: bytes = b"") -> bytes:
    data = one_page(stream(SENTENCES), page=more)
    return data.replace(b"[0 0 600 800]", box)


def many_pages(count: int = 20_000) -> bytes:
    """Pages without end, all of them the same."""
    kids = b" ".join([b"3 0 R"] * count)
    return written(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count %d /Kids [%s] >>" % (count, kids),
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
            stream(SENTENCES),
            hostile_pdfs.FONT,
        ]
    )


SIZES = {
    "as wide as a country": page(b"[0 0 1000000000 1000000000]"),
    "a line": page(b"[0 0 1000000000 0.0001]"),
    "nothing": page(b"[0 0 0 0]"),
    "turned inside out": page(b"[600 800 0 0]"),
    "no numbers": page(b"[(a) /b null true]"),
    "beyond all numbers": page(b"[0 0 1" + b"0" * 400 + b" 800]"),
    "units of a mile": page(b"[0 0 600 800]", b"/UserUnit 100000000"),
    "turned by nonsense": page(b"[0 0 600 800]", b"/Rotate 1234567891"),
    "cropped away": page(b"[0 0 600 800]", b"/CropBox [9000 9000 9001 9001]"),
}


def calling_by_hand(address: str, folder: Path) -> bytes:
    """Links all over the page, to programs and files, and one to the network; what they would do on a click."""
    script = folder / "launched.sh"
    script.write_text(f"#!/bin/sh\ntouch {folder / 'marker'}\n")
    script.chmod(0o755)
    file = str(script).encode()
    targets = [
        b"/S /Launch /F (%s)" % file,
        b"/S /Launch /Unix (%s) /Win << /F (%s) >> /Mac (%s) /NewWindow true" % (file, file, file),
        b"/S /URI /URI (file://%s)" % file,
        b"/S /URI /URI (%s)" % file,
        b"/S /URI /URI (javascript:app.alert\\(1\\))",
        b"/S /GoToR /F (%s) /D [0 /Fit]" % file,
        b"/S /GoToE /T << /R /C /N (f) >> /D [0 /Fit]",
        b"/S /SubmitForm /F (%s/submit)" % address.encode(),
        b"/S /JavaScript /JS (app.launchURL\\('%s/js'\\))" % address.encode(),
        b"/S /URI /URI (%s/uri)" % address.encode(),
    ]
    links = b" ".join(
        b"<< /Type /Annot /Subtype /Link /Rect [%d 0 %d 800] /A << %s >> >>" % (n * 60, n * 60 + 60, target)
        for n, target in enumerate(targets)
    )
    attached = stream(b"#!/bin/sh\ntouch marker\n", b"/Type /EmbeddedFile")
    return one_page(
        stream(SENTENCES),
        page=b"/Annots [%s << /Type /Annot /Subtype /FileAttachment /Rect [0 0 600 30] /FS 7 0 R >>]" % links,
        catalog=b"/Names << /EmbeddedFiles << /Names [(f) 7 0 R] >> >> /OpenAction << %s >>" % targets[0],
        more=[attached, b"<< /Type /Filespec /F (run.sh) /EF << /F 6 0 R >> >>"],
    )


def test_nothing_is_asked_for_on_opening(ear: Ear, tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(hostile_pdfs.calling(ear.address))
    found = shown(path, "click")
    assert found["opened"] and found["pages"] == 1 and found["drawn"]
    assert not ear.heard


def test_nothing_is_launched_by_a_click(ear: Ear, tmp_path: Path) -> None:
    """An address of the network is offered to be opened; it is shown first, and nothing else is even offered."""
    path = tmp_path / "a.pdf"
    path.write_bytes(calling_by_hand(ear.address, tmp_path))
    found = shown(path, "click")
    assert found["opened"] and found["drawn"]
    assert found["links"] == [f"{ear.address}/uri"]
    assert found["offered"] == [f"{ear.address}/uri"], "the clicks have met the links"
    assert found["handed"] == []
    assert not ear.heard and not (tmp_path / "marker").exists()


@pytest.mark.parametrize("name", list(SIZES))
def test_a_page_of_any_size(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(SIZES[name])
    found = shown(path)
    assert found["pages"] == 1 or found["said"]
    assert found["drawn"] and found["memory"] < 1 << 30


def test_pages_without_end(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(many_pages())
    found = shown(path)
    assert found["opened"] and found["pages"] == 20_000


TANGLED = re.compile("leads back into itself|would take gigabytes")

OPENED = {
    "flate ratio", "many glyphs", "doubling forms", "form in itself", "false count", "outline in itself", "huge picture",
    "type 3 in itself", "deep arrays", "many annotations",
}  # fmt: skip
SAID = {"deep page tree": TANGLED, "page tree in itself": TANGLED, "object stream": TANGLED}

NOT_DRAWN = {"doubling forms", "many annotations"}
"""PDFium does not come to an end with the first and takes its time with the second: the window does not wait for it."""

SLOW = {"flate ratio", "doubling forms", "many annotations", "object stream", "many glyphs"}


@pytest.mark.parametrize("name", list(hostile_pdfs.BOMBS))
def test_a_bomb_ends_in_pages_or_in_a_sentence(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if name in SLOW and request.config.getoption("--thorough") < 2:
        pytest.skip("takes seconds; tried with --thorough 2")
    path = tmp_path / "a.pdf"
    path.write_bytes(hostile_pdfs.BOMBS[name]())
    found = shown(path)
    if name in OPENED:
        assert found["opened"] and found["pages"] == 1
        assert found["drawn"] or name in NOT_DRAWN
    else:
        assert not found["opened"] and SAID[name].search(" ".join(found["said"]))
    assert found["outline"] <= 1


def test_every_bomb_has_its_end() -> None:
    assert set(hostile_pdfs.BOMBS) == OPENED | set(SAID)
