from dataclasses import replace

from tests.zbm_gui.item_tree.reading import key
from tests.zbm_gui.item_tree.samples import passage, shelf_passages
from zbm_core.search.records import Kind, Match, Score
from zbm_gui.item_tree.columns import sort_text
from zbm_gui.item_tree.markup import plain_title
from zbm_gui.item_tree.wording import (
    best_attachment,
    local_date,
    page_words,
    place,
    record_title,
    relevance_words,
)


def test_titles_are_shown_without_tags():
    assert plain_title("<i>Homo sapiens</i> in CO<sub>2</sub>") == "Homo sapiens in CO2"
    assert plain_title('A <span style="font-variant:small-caps;">Name</span>\n here') == "A Name here"
    assert plain_title("p < 0.05 and <unknown> stay") == "p < 0.05 and <unknown> stay"
    assert plain_title("<b>a</b><b>b</b>") == "ab"


def test_an_untitled_record_says_what_it_is(shelf):
    item = shelf.items[key("ITEMBBBB")]._replace(title=" ")
    assert record_title(item) == "[Untitled Book]"


def test_annotations_are_titled_by_their_text(shelf):
    marked, drawn = shelf.annotations[key("ANNOAAAA")], shelf.annotations[key("ANNOBBBB")]
    assert record_title(marked) == "the carbon pool of the soil fell by a fifth"
    assert record_title(drawn) == "Drawing"
    assert record_title(drawn._replace(comment="a sketch")) == "a sketch"


def test_pages_are_physical_and_labels_stand_beside_them():
    assert page_words(3, "") == "p. 4"
    assert page_words(3, "4") == "p. 4"
    assert page_words(3, "iv") == "p. 4 (iv)"
    assert page_words(None, "iv") == "p. iv"
    assert page_words(None, "") == ""


def test_where_a_passage_stands(shelf):
    in_pdf, by_meaning, in_note, _ = shelf_passages()["ITEMAAAA"]
    assert place(in_pdf, shelf) == "p. 4 (104) · Results > Plots"
    assert place(by_meaning, shelf) == "p. 9 · Discussion"
    assert place(in_note, shelf) == "Note · Thoughts on plots"
    marked = passage("ITEMAAAA", "ANNOAAAA", "x", kind=Kind.ANNOTATION, section=(), page=3)
    assert place(marked, shelf) == "Annotation by Ada · p. 4"
    assert place(replace(marked, source=key("ANNOBBBB")), shelf) == "Annotation · p. 4"
    own = passage("ITEMAAAA", "ITEMAAAA", "x", kind=Kind.ITEM, section=("Abstract",), page=None)
    assert place(own, shelf) == "Abstract"
    assert place(replace(own, section=("journalAbbreviation",)), shelf) == "Journal abbr."
    bare = passage("ITEMAAAA", "ATTAAAAA", "x", section=(), page=None)
    assert place(bare, shelf) == "Full Text PDF"
    assert place(replace(bare, source=key("GONE2222")), shelf) == "Attachment"


def test_an_engine_that_said_nothing_is_left_out():
    assert relevance_words(Match(key("A"), 3, Score(0.62, 0.48), 1.0)) == "Rank 3 · words 0.62 · meaning 0.48"
    assert relevance_words(Match(key("A"), 3, Score(None, 0.0), 1.0)) == "Rank 3 · meaning 0.00"
    assert relevance_words(Match(key("A"), 1200, Score(), 1.0)) == "Rank 1,200"


def test_sorting_passes_over_case_accents_and_quotes():
    titles = ["“Zebra”", "Ökologie", "apple", "'n Boek", "Öffnung", "ostrich"]
    assert sorted(titles, key=sort_text) == ["apple", "'n Boek", "Öffnung", "Ökologie", "ostrich", "“Zebra”"]
    assert sort_text("...") == "..."
    assert sort_text("") == ""


def test_the_document_people_read_comes_first(shelf):
    assert best_attachment(shelf, key("ITEMAAAA")) == key("ATTAAAAA")
    assert best_attachment(shelf, key("ITEMBBBB")) == key("ATTCCCCC")
    assert best_attachment(shelf, key("ITEMEEEE")) is None
    assert best_attachment(shelf, key("ATTEEEEE")) == key("ATTEEEEE")


def test_a_time_that_cannot_be_read_is_shown_as_it_is():
    assert local_date("yesterday") == "yesterday"
    assert "2024" in local_date("2024-03-01 10:00:00") or "24" in local_date("2024-03-01 10:00:00")
