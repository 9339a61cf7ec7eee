import pytest

from zbm_core.documents.structure import PdfAnchor
from zbm_core.library import ItemKey
from zbm_core.search import Session, languages_of
from zbm_core.search.records import Kind, Outlook, Scope, SearchRequest


def search(engine, text, **scope) -> Session:
    return engine.search(SearchRequest(text, Scope(**scope), margin=100))


def test_absent_scores_stay_absent(indexed, small):
    match = search(indexed, "plough").result.matches[0]
    assert match.score.semantic is None
    assert 0 < match.score.lexical <= 1
    assert 0 < match.strength <= 1


def test_the_passage_carries_its_page_its_place_and_its_words(indexed, small):
    session = search(indexed, "drained peat oxygen")
    passage = next(p for p in session.previews(ItemKey(1, small.soil)) if p.kind is Kind.ATTACHMENT)
    assert passage.source == ItemKey(1, small.soil_pdf)
    assert passage.page == 0
    assert isinstance(passage.anchor, PdfAnchor) and passage.anchor.rects
    marked = {passage.text[start:end].lower() for start, end in passage.ranges}
    assert {"drained", "peat", "oxygen"} <= marked
    quote = passage.text[slice(*passage.quote)]
    assert "Drained peat loses it" in " ".join(quote.split())


def test_the_page_is_that_of_the_quote(indexed, small):
    # Both pages are one chunk here; what is quoted stands on the second.
    passage = search(indexed, "ploughing aggregates humus").previews(ItemKey(1, small.soil))[0]
    assert passage.page == 1


def test_a_note_and_an_annotation_are_passages_of_their_item(indexed, small):
    note = search(indexed, "Turin").previews(ItemKey(1, small.lamps))[0]
    assert (note.kind, note.source.key) == (Kind.NOTE, small.lamps_note)
    assert "moths of Turin" in note.text
    passages = search(indexed, "mire drainage").passages(ItemKey(1, small.soil))
    annotation = next(p for p in passages if p.kind is Kind.ANNOTATION)
    assert annotation.source.key == small.highlight
    assert annotation.page == 0
    assert annotation.anchor.rects[0][1:] == (50, 480, 200, 492)


def test_an_item_found_by_a_field_shows_that_field(indexed, small):
    (passage,) = search(indexed, "Gomez").previews(ItemKey(1, small.soil))
    assert passage.kind is Kind.ITEM
    assert passage.section == ("creators",)
    assert passage.text[slice(*passage.ranges[0])] == "Gómez"


def test_at_most_three_passages_are_quoted_and_they_come_first(indexed, small):
    passages = search(indexed, "the of and water carbon plough humus").passages(ItemKey(1, small.soil))
    assert [p.quoted for p in passages] == sorted((p.quoted for p in passages), reverse=True)
    assert sum(p.quoted for p in passages) <= 3
    assert [p.strength for p in passages if p.chunk is not None] == sorted(
        (p.strength for p in passages if p.chunk is not None), reverse=True
    )


def test_previews_of_the_best_items_come_with_the_results(indexed, small):
    session = search(indexed, "moths")
    for match in session.result.matches:
        assert session.ready(match.item) == session.previews(match.item)


def test_the_rest_arrives_in_batches_and_stops_when_closed(indexed, small):
    session = search(indexed, "moths")
    session.invalidate(match.item for match in session.result.matches)
    assert all(session.ready(match.item) is None for match in session.result.matches)
    told = []
    session.prefetch(told.append)
    assert sorted(item for batch in told for item in batch) == sorted(m.item for m in session.result.matches)
    session.invalidate(match.item for match in session.result.matches)
    session.close()
    session.prefetch(told.append)
    assert len(told) == 1


def test_a_scope_limits_every_answer(indexed, small):
    group = search(indexed, "moths", library=small.group).result
    assert [match.item for match in group.matches] == [ItemKey(small.group, small.group_item)]
    tagged = search(indexed, "humus", tags=("humus",)).result
    assert [match.item.key for match in tagged.matches] == [small.soil]
    assert search(indexed, "humus", year_from=2020).result.matches == ()
    assert search(indexed, "humus", year_from=2019, year_to=2019).result.matches
    assert search(indexed, "humus", item_types=("book",)).result.matches == ()
    only = search(indexed, "lamp", item_types=("attachment",)).result
    assert [match.item.key for match in only.matches] == [small.standalone]


def test_a_collection_with_and_without_its_subcollections(indexed, small):
    collection = ItemKey(1, small.collection)
    assert search(indexed, "plough", collection=collection).result.matches
    assert not search(indexed, "plough", collection=collection, subcollections=False).result.matches


@pytest.mark.parametrize("text", ["", "   ", "?!… —", '""'])
def test_nothing_to_search_for(indexed, text):
    assert search(indexed, text).result.outlook is Outlook.NOT_SEARCHABLE


def test_nothing_matches_here_but_elsewhere_something_does(indexed, small):
    result = search(indexed, "moths", collection=ItemKey(1, small.collection)).result
    assert result.outlook is Outlook.NOTHING_MATCHES
    assert result.elsewhere == 3
    nowhere = search(indexed, "xylophonic").result
    assert (nowhere.outlook, nowhere.elsewhere) == (Outlook.NOTHING_MATCHES, 0)


def test_the_filters_removed_every_match(indexed, small):
    result = search(indexed, "moths", year_from=2050).result
    assert result.outlook is Outlook.FILTERED_OUT
    assert result.elsewhere == 3


def test_nothing_is_indexed_yet(engine, small):
    engine.open_library(small.folder)
    result = search(engine, "moths").result
    assert result.outlook is Outlook.NOTHING_INDEXED
    assert (result.indexed, result.total) == (0, 4)


def test_what_the_margin_hides_is_counted(indexed):
    tight = indexed.search(SearchRequest("moths supper bats", margin=5)).result
    wide = indexed.search(SearchRequest("moths supper bats", margin=100)).result
    assert tight.hidden == len(wide.matches) - len(tight.matches) > 0
    assert wide.hidden == 0


def test_a_document_that_is_being_read_again_leaves_the_other_evidence(indexed, small):
    indexed.read_again([ItemKey(1, small.soil_pdf)])
    passages = search(indexed, "mire drainage water").passages(ItemKey(1, small.soil))
    assert passages and all(p.kind is not Kind.ATTACHMENT for p in passages)


def test_a_language_is_that_of_the_item_or_of_its_documents(indexed, small, monkeypatch):
    soil = ItemKey(1, small.soil)
    library, documents = indexed.library, indexed._documents
    # Nothing is said of the items: their English is read in their documents.
    assert languages_of(library, soil) == set()
    assert languages_of(library, soil, documents) == {"en"}
    english = search(indexed, "soils moths", languages=("en",)).result
    assert soil in {match.item for match in english.matches}
    german = search(indexed, "soils moths", languages=("de",)).result
    assert german.outlook is Outlook.FILTERED_OUT and german.elsewhere >= 1
    item = library.items[soil]
    said = item._replace(fields=(*item.fields, ("language", "Deutsch")))
    monkeypatch.setitem(library.items, soil, said)
    both = search(indexed, "soils moths", languages=("de",)).result
    assert [match.item for match in both.matches] == [soil]
