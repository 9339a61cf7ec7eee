"""What tantivy does silently, and that the index is not caught by it.

Each test first shows the trap where it is cheap to show, so that a release without it is noticed.
"""

import pytest
import tantivy

from tests.zbm_core.lexical.conftest import attachment, item, key
from zbm_core.lexical import parse_query
from zbm_core.lexical.expression import idf
from zbm_core.lexical.shelves import PASSAGES


def found(index, text, **options):
    return [hit.item.key for hit in index.search(parse_query(text), **options)]


def test_a_signed_number_would_lose_the_batch():
    writer = tantivy.Index(PASSAGES).writer(15_000_000, 1)
    row = tantivy.Document()
    row.add_integer("source", 1)
    writer.add_document(row)
    with pytest.raises(ValueError, match="U64"):
        writer.commit()


def test_deleting_a_number_by_term_deletes_nothing(opened):
    index = tantivy.Index(PASSAGES)
    writer = index.writer(15_000_000, 1)
    row = tantivy.Document()
    row.add_unsigned("source", 1)
    writer.add_document(row)
    writer.commit()
    writer.delete_documents_by_term("source", 1)
    writer.commit()
    index.reload()
    assert index.searcher().num_docs == 1  # the trap
    ours = opened(item("A", "Soil", "About humus."))
    assert ours._view.snapshot.counts == (2, 0, 1)
    ours.delete([key("A")])
    ours.commit()
    assert ours._view.snapshot.counts == (0, 0, 0)


def test_a_failed_commit_loses_nothing(opened, monkeypatch):
    """After an error the writers are dropped, and the batch is done again as a whole."""
    from zbm_core.lexical import IndexNotWritten
    from zbm_core.lexical.shelves import Shelves

    index = opened(item("A", "Soil"))
    whole, calls = Shelves.commit, []

    def half(self):
        calls.append(1)
        if len(calls) == 1:
            self._writers["passages"].commit()
            raise ValueError("An IO error occurred: 'disk'")
        whole(self)

    monkeypatch.setattr(Shelves, "commit", half)
    index.put(item("B", "Moss"))
    index.put(attachment("P", "A", "humus and peat"))
    with pytest.raises(IndexNotWritten):
        index.commit()
    index.put(item("C", "Lichen"))
    index.commit()
    assert (
        found(index, "moss") == ["B"] and found(index, "lichen") == ["C"] and found(index, "humus") == ["A"]
    )
    assert index._view.snapshot.counts == index._state.counts() == (4, 1, 3)


def test_frequencies_that_count_deleted_rows_are_bounded(opened):
    index = opened(*(item(f"A{n}", "Soil carbon") for n in range(40)))
    index.delete([key(f"A{n}") for n in range(1, 40)])
    index.commit()
    searcher = index._view.snapshot.passages
    assert searcher.doc_freq("stems", "soil") >= searcher.num_docs
    assert idf(1, 40) == idf(40, 40) > 0
    hits = index.search(parse_query("soil carbon"))
    assert [hit.item.key for hit in hits] == ["A0"] and 0 < hits[0].score <= 1


def test_statistics_of_documents_do_not_reach_passages(opened):
    """A passage's score must not fall because a long document is in the same index."""
    index = opened(attachment("P", "A", "peat bog water", "soil"), attachment("Q", "B", "peat bog water"))
    long = attachment("L", "C", *["filling words of another subject entirely"] * 300)
    before = index.passages(parse_query("peat"), key("A"))[0].score
    index.put(item("I", "A title"))
    index.commit()
    snapshot = index._view.snapshot
    assert (snapshot.documents.num_docs, snapshot.items.num_docs) == (2, 1)
    index.put(long)
    index.commit()
    after = index.passages(parse_query("peat"), key("A"))[0].score
    assert after == pytest.approx(before, rel=0.5)


def test_a_beginning_is_scored_by_rarity(opened):
    """tantivy's own prefix query gives every match the same score."""
    index = opened(
        item(
            "A", "", "The humus layer grows in old forests where leaves fall and rot for many years in peace."
        ),
        item("B", "Humus", "Humus, humification and humic acids: on humus."),
        *(item(f"F{n}", "", "Another subject of no interest whatever, written down.") for n in range(10)),
    )
    hits = index.search(parse_query("hum*"))
    assert [hit.item.key for hit in hits] == ["B", "A"] and hits[0].score > hits[1].score


def test_the_searcher_of_a_hit_is_the_one_asked_for_its_fields(opened):
    """An address belongs to its snapshot: a search that spans a commit reads its own."""
    index = opened(item("A", "Soil carbon"))
    view = index._view
    index.put(item("A", "Lamps", stamp="2"))
    index.put(item("B", "Soil again"))
    index.commit()
    from zbm_core.lexical import ranking

    assert [hit.item.key for hit in ranking.search(view, parse_query("carbon"))] == ["A"]
    assert found(index, "carbon") == []


def test_the_lock_is_freed_by_closing(opened):
    opened(item("A", "Soil")).close()
    index = opened(item("B", "Moss"))
    assert found(index, "moss") == ["B"]
