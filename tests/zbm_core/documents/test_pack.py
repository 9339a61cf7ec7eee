"""Packs give back what was put in, whatever it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zbm_core.documents import pack
from zbm_core.documents.structure import (
    Chunk,
    DocumentReport,
    Outcome,
    OutlineEntry,
    PdfAnchor,
    Rect,
    Selector,
    SelectorAnchor,
)

text = st.text(alphabet=st.characters(codec="utf-8"), max_size=60)
tenth = st.integers(-20_000, 60_000).map(lambda value: value / 10)


@st.composite
def rects(draw: st.DrawFn) -> Rect:
    left, right = sorted((draw(tenth), draw(tenth)))
    bottom, top = sorted((draw(tenth), draw(tenth)))
    return Rect(draw(st.integers(0, 20_000)), left, bottom, right, top)


selectors = st.builds(
    Selector, st.sampled_from(["FragmentSelector", "CssSelector"]), text, st.none() | st.integers(0, 9)
)
anchors = (
    st.none()
    | st.lists(rects(), min_size=1, max_size=6).map(lambda found: PdfAnchor(tuple(found)))
    | st.lists(selectors, min_size=1, max_size=3).map(lambda found: SelectorAnchor(tuple(found)))
)
chunks = st.lists(
    st.tuples(
        text,
        text,
        st.booleans(),
        st.lists(text, max_size=3),
        st.lists(text, max_size=2),
        st.booleans(),
        anchors,
        st.lists(st.integers(0, 5000), max_size=5).map(sorted),
        st.sampled_from(["", "en", "zh", "ceb"]),
    ),
    max_size=40,
).map(
    lambda rows: [
        Chunk(
            index,
            body,
            f"{extra}{body}" if plain else f"{body[:3]}{extra}{body[3:]}",
            tuple(path),
            tuple(labels),
            reference,
            anchor,
            tuple(starts),
            language,
        )
        for index, (body, extra, plain, path, labels, reference, anchor, starts, language) in enumerate(rows)
    ]
)


@given(chunks)
@settings(max_examples=60, deadline=None)
def test_chunks_come_back_as_they_were(tmp_path_factory: pytest.TempPathFactory, made: list[Chunk]) -> None:
    path = tmp_path_factory.mktemp("pack") / "1-KEY00000.pack"
    report = DocumentReport(
        Outcome.INDEXED, "", 3, len(made), "stamp", "digest", 0.875, (("en", 0.75), ("ja", 0.25)), True
    )
    pack.write(path, pack.Header(report, 2), made, [OutlineEntry("Tïtle", 1, 0, 5)])
    assert pack.read_header(path) == pack.Header(report, 2)
    assert pack.read_chunks(path) == made
    assert pack.read_chunks(path, range(len(made) - 1, -1, -1)) == made[::-1]
    assert pack.read_outline(path) == [OutlineEntry("Tïtle", 1, 0, None)]


def test_a_report_alone_is_a_pack(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "1-KEY00000.pack"
    report = DocumentReport(Outcome.PASSWORD, "Grund: 密码", None, 0, "stamp")
    pack.write(path, pack.Header(report, 0))
    assert pack.read_header(path).report == report
    assert pack.read_chunks(path) == []
    assert pack.read_outline(path) == []
    assert path.stat().st_size < 300


def test_chunk_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "1-KEY00000.pack"
    pack.write(path, pack.Header(DocumentReport(Outcome.NO_TEXT), 0))
    for index in (0, -1):
        with pytest.raises(IndexError):
            pack.read_chunks(path, [index])


def test_every_flipped_bit_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "1-KEY00000.pack"
    made = [Chunk(n, f"text {n} " * 20, f"text {n} " * 20, (), (), False, None) for n in range(20)]
    pack.write(path, pack.Header(DocumentReport(Outcome.INDEXED, "", 1, 20, "s"), 0), made)
    data = path.read_bytes()
    for place in range(0, len(data), 7):
        harmed = bytearray(data)
        harmed[place] ^= 1 << place % 8
        path.write_bytes(bytes(harmed))
        try:
            found = pack.read_chunks(path)
        except pack.BadPack:
            continue
        assert found == made  # two unused bytes of the head


def test_an_inflated_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "1-KEY00000.pack"
    made = [Chunk(0, "a" * 100_000, "a" * 100_000, (), (), False, None)]
    pack.write(path, pack.Header(DocumentReport(Outcome.INDEXED, "", 1, 1, "s"), 0), made)
    monkeypatch.setattr(pack, "MAX_BLOCK", 10_000)
    with pytest.raises(pack.BadPack, match="too large"):
        pack.read_chunks(path)


def test_text_that_cannot_be_encoded_is_stored_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "1-KEY00000.pack"
    made = [Chunk(0, "half \ud800 pair", "half \ud800 pair", (), (), False, None)]
    pack.write(path, pack.Header(DocumentReport(Outcome.INDEXED, "", 1, 1, "s"), 0), made)
    assert pack.read_chunks(path)[0].text == "half ? pair"
