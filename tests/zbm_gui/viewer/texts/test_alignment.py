"""Characters of a passage on the page it stands on."""

from __future__ import annotations

from zbm_core.documents.reading.records import Place
from zbm_gui.viewer.texts.alignment import Alignment, letters_of, stretches, text_of

PAGES = {
    0: ("A heading", "One para\u00adgraph, \ufffc with a picture.", "Another one."),
    1: ("It goes on here", "and ends."),
}
PLACES = (Place(0, 0, 0, 2, 12), Place(1, 0, 0, 0, 15))
PASSAGE = "A heading\n\nOne paragraph, with a picture.\n\nAnother one.\n\nIt goes on here"


def laid(passage: str = PASSAGE, places=PLACES) -> Alignment:
    return Alignment(passage, places, PAGES.__getitem__)


def said(place: Place) -> str:
    return text_of(place, PAGES[place.section])


def at(words: str, passage: str = PASSAGE) -> tuple[int, int]:
    start = passage.index(words)
    return start, start + len(words)


def test_words_are_found_behind_soft_hyphens_and_pictures():
    alignment = laid()
    assert alignment.share == 1.0
    assert said(alignment.place(*at("paragraph,"))) == "para\u00adgraph,"
    assert said(alignment.place(*at("picture"))) == "picture"
    assert said(alignment.place(*at("It goes"))) == "It goes"
    assert alignment.place(*at("It goes")).section == 1


def test_a_stretch_over_blocks_keeps_its_ends():
    place = laid().place(*at("with a picture.\n\nAnother"))
    assert place == Place(0, 1, 18, 2, 7)
    assert said(place) == "with a picture.\nAnother"


def test_a_stretch_over_sections_ends_with_the_first():
    assert said(laid().place(*at("one.\n\nIt goes"))) == "one."


def test_what_the_passage_leaves_out_is_not_its_place():
    without = PASSAGE.replace("One paragraph, with a picture.\n\n", "")
    alignment = laid(without)
    assert alignment.share == 1.0
    assert [said(place) for place in alignment.places()] == ["A heading", "Another one.", "It goes on here"]
    assert said(alignment.place(*at("heading\n\nAnother", without))) == (
        "heading\nOne para\u00adgraph, \ufffc with a picture.\nAnother"
    )


def test_a_whole_passage_is_one_stretch_a_section():
    assert [said(place) for place in laid().places()] == [
        "A heading\nOne para\u00adgraph, \ufffc with a picture.\nAnother one.",
        "It goes on here",
    ]


def test_a_page_that_differs_still_shows_the_paragraphs_it_has():
    other = PASSAGE.replace("A heading", "A heading of old")
    alignment = laid(other)
    assert 0.5 < alignment.share < 1
    assert said(alignment.place(*at("Another one", other))) == "Another one"
    assert alignment.place(*at("of old", other)) is None


def test_nothing_stands_nowhere():
    assert laid(places=()).place(0, 5) is None
    assert laid(places=()).places() == ()
    assert laid().place(9, 11) is None  # the gap between two paragraphs


def test_letters_and_stretches():
    assert letters_of(" a\u2028b\ufffc\u00ad c\n") == "abc"
    assert list(stretches(Place(0, 0, 2, 2, 0), PAGES[0])) == [(0, 2, 9), (1, 0, len(PAGES[0][1]))]
    assert list(stretches(Place(0, 7, 0, 9, 3), PAGES[0])) == []
