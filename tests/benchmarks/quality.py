"""How well the word engine ranks: nDCG@10 on public collections, with bm25s on the same texts beside it.

Everything goes the product's own way: a Zotero data directory is read, an indexing run puts it into the
index, and the index is searched. `covidqa` is a library of 98 articles as PDFs; the other collections are
written as items with a title and an abstract.

The parts of the ranking were compared on all questions. Its factors are those that rank best, over the first four
collections, on the half of the questions whose ids hash to an even number; `held_out` is the other half.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.figures import DATA, Figure, at_least, at_most, percentile, plain, unmeasured
from tests.support.corpora import Corpus, ndcg, read_corpus
from zbm_core.documents import DocumentStore
from zbm_core.indexing import Parts, Run
from zbm_core.lexical import LexicalIndex, parse_query
from zbm_core.library import read_library
from zbm_core.library.records import ItemKey
from zbm_core.text import bigrams, is_run, language_of, normalize_for_search, table, words

# The product's own goals, and for collections in other languages the same or bm25s on the same text.
GOALS = {
    "covidqa": 0.85,
    "scifact": 0.70,
    "cranfield": 0.56,
    "cisi": 0.40,
    "xquad_zh": 0.96,
    "jaquad_ja": 0.91,
    "cmrc2018_zh": 0.98,
    "xquad_de": 0.94,
    "xquad_ru": 0.95,
    "xquad_ar": 0.93,
}
_OR_YARDSTICK = {"xquad_zh", "jaquad_ja", "cmrc2018_zh", "xquad_de", "xquad_ru", "xquad_ar"}
USER_LIBRARY = 1


def run(options: Namespace) -> Iterator[Figure]:
    chosen = options.only.split(",") if options.only else list(GOALS)
    for name in chosen:
        corpus_folder = DATA / "corpora" / ("covidqa_full" if name == "covidqa" else name)
        if not corpus_folder.is_dir():
            yield unmeasured(f"quality.{name}.ndcg10", "no test data")
            continue
        corpus = read_corpus(corpus_folder)
        if options.quick:
            corpus.queries.update(dict(list(corpus.queries.items())[:50]))
            for query in list(corpus.queries)[50:]:
                del corpus.queries[query]
        with tempfile.TemporaryDirectory() as scratch:
            yield from _measure(name, corpus, Path(scratch))


def _measure(name: str, corpus: Corpus, scratch: Path) -> Iterator[Figure]:
    yardstick = sum(_bm25s(name, corpus).values()) / len(corpus.queries)
    if name == "covidqa":
        folder = DATA / "libraries" / "covidqa"
        mapping = json.loads((folder / "documents.json").read_text("utf-8"))
        documents = {ItemKey(USER_LIBRARY, keys["item"]): document for document, keys in mapping.items()}
    else:
        folder = scratch / "data"
        documents = _write_library(folder, corpus)
    with (
        read_library(folder, scratch / "snapshot") as library,
        contextlib.closing(DocumentStore(scratch / "documents", workers=2)) as store,
    ):
        index = LexicalIndex.open(scratch / "lexical", library.user_key)
        Run(Parts(library, index, store)).run()
    try:
        scores: dict[str, float] = {}
        costs: list[float] = []
        empty = 0
        for query, text in corpus.queries.items():
            began = time.process_time()
            hits = index.search(parse_query(text))
            costs.append((time.process_time() - began) * 1000)
            scores[query] = ndcg([documents[hit.item] for hit in hits], corpus.gains[query])
            empty += not hits
    finally:
        index.close()
    value = sum(scores.values()) / len(scores)
    goal = min(GOALS[name], yardstick) if name in _OR_YARDSTICK else GOALS[name]
    yield at_least(f"quality.{name}.ndcg10", value, goal, f"{len(scores)} queries")
    held_out = [score for query, score in scores.items() if _held_out(query)]
    yield plain(f"quality.{name}.held_out", sum(held_out) / len(held_out), f"{len(held_out)} queries")
    yield plain(f"quality.{name}.bm25s", yardstick, "same text, stems")
    if name == "covidqa":
        yield at_most(f"quality.{name}.empty", empty, 0, "queries")
    else:
        yield plain(f"quality.{name}.empty", empty, "queries")
    yield plain(f"quality.{name}.cpu_p95", percentile(costs, 0.95), "ms")


def _held_out(query: str) -> bool:
    return int(hashlib.md5(query.encode()).hexdigest(), 16) % 2 == 1


def _write_library(folder: Path, corpus: Corpus) -> dict[ItemKey, str]:
    from resources.demo.zotero_database import ZoteroDatabase

    documents = {}
    with ZoteroDatabase(folder) as database:
        for document in corpus.documents:
            fields = {"title": document["title"], "abstractNote": document["text"]}
            key = database.add_item("journalArticle", {name: text for name, text in fields.items() if text})
            documents[ItemKey(USER_LIBRARY, key)] = document["id"]
    return documents


def _bm25s(name: str, corpus: Corpus) -> dict[str, float]:
    """The yardstick: bm25s with its own defaults over words stemmed as here; long articles by their best
    paragraph."""
    import bm25s

    language = language_of(" ".join(document["text"] for document in corpus.documents[:5]))
    stems = table(language)

    def tokens(text: str) -> list[str]:
        found: list[str] = []
        for word in words(normalize_for_search(text)):
            found += bigrams(word) if is_run(word) else [stems[word]]
        return found

    units: list[list[str]] = []
    owners: list[str] = []
    for document in corpus.documents:
        if name == "covidqa":
            parts = _paragraphs(document["text"])
        else:
            parts = [f"{document['title']}\n{document['text']}"]
        units += [tokens(part) for part in parts]
        owners += [document["id"]] * len(parts)
    retriever = bm25s.BM25()
    retriever.index(units, show_progress=False)
    scores: dict[str, float] = {}
    for query, text in corpus.queries.items():
        asked = [token for token in tokens(text) if token in retriever.vocab_dict]
        best: dict[str, float] = {}
        if asked:
            for owner, score in zip(owners, retriever.get_scores(asked), strict=True):
                best[owner] = max(best.get(owner, -math.inf), float(score))
        ranked = sorted((owner for owner in best if best[owner] > 0), key=lambda owner: -best[owner])
        scores[query] = ndcg(ranked, corpus.gains[query])
    return scores


def _paragraphs(text: str) -> list[str]:
    return [part for part in text.split("\n\n") if part.strip()]
