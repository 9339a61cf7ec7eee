"""How well both engines together rank: nDCG@10 of words, meaning and their fusion, the product's own way.

Everything goes through the engine: a Zotero data directory is opened, indexed by words and by meaning with the
model that is installed here (the packaged one where no hub is reached), and searched. Each figure is told for all
questions and for those held out: weights were chosen on the others (`quality` parts them the same way).

Parts (``--only``): covidqa, scifact, cranfield, cisi, and cross (questions in German, Russian, Chinese and Arabic
against English paragraphs). Embedding takes an hour of one core for all; ``--home DIR`` keeps the indexes.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks.figures import DATA, Figure, at_least, plain, unmeasured
from tests.benchmarks.quality import USER_LIBRARY, _held_out, _write_library
from tests.support.corpora import Corpus, ndcg, read_corpus
from zbm_core.engine import Engine
from zbm_core.library.records import ItemKey
from zbm_core.paths import AppPaths
from zbm_core.search.records import EngineChoice, Fusion, SearchRequest
from zbm_core.settings import Settings

GOALS = {"covidqa": 0.88, "scifact": 0.74, "cranfield": 0.59, "cisi": 0.44}
CROSS = {"de": 0.91, "ru": 0.88, "zh": 0.84, "ar": 0.81}
#: The hybrid may be so much below the better engine, on any collection.
MAY_LOSE = 0.01
FIRST_PASSAGE, QUOTED_LINE = 0.80, 0.45

Rank = Callable[[str], list[str]]


def run(options: Namespace) -> Iterator[Figure]:
    home = Path(getattr(options, "home", "") or "")
    for name in options.only.split(",") if options.only else [*GOALS, "cross"]:
        if not DATA.is_dir():
            yield unmeasured(f"meaning.{name}", "no test data")
            continue
        with contextlib.ExitStack() as stack:
            place = (
                home / name if str(home) != "." else Path(stack.enter_context(tempfile.TemporaryDirectory()))
            )
            yield from _cross(place) if name == "cross" else _collection(name, place, options.quick)


# --- one collection -----------------------------------------------------------------------------------


def _collection(name: str, place: Path, quick: bool) -> Iterator[Figure]:
    corpus = read_corpus(DATA / "corpora" / ("covidqa_full" if name == "covidqa" else name))
    with _indexed(name, corpus, place) as (engine, documents):
        queries = dict(list(corpus.queries.items())[: 50 if quick else None])
        values = {}
        for label, choice, fusion in (
            ("words", EngineChoice.WORDS, Fusion.STRENGTH),
            ("meaning", EngineChoice.MEANING, Fusion.STRENGTH),
            ("ranks", EngineChoice.HYBRID, Fusion.RANKS),
            ("hybrid", EngineChoice.HYBRID, Fusion.STRENGTH),
        ):
            scores = _scores(engine, documents, corpus, queries, choice, fusion)
            values[label] = sum(scores.values()) / len(scores)
            if label != "hybrid":
                yield plain(f"meaning.{name}.{label}", values[label], "nDCG@10")
        yield at_least(f"meaning.{name}.hybrid", values["hybrid"], GOALS[name], "nDCG@10")
        held_out = [score for query, score in scores.items() if _held_out(query)]
        yield plain(f"meaning.{name}.hybrid_held_out", sum(held_out) / len(held_out), "nDCG@10")
        better = max(values["words"], values["meaning"])
        yield at_least(f"meaning.{name}.over_better_engine", values["hybrid"] - better, -MAY_LOSE, "nDCG@10")
        if name == "covidqa":
            yield from _passages(engine, documents, corpus, queries)


def _scores(
    engine: Engine,
    documents: dict[ItemKey, str],
    corpus: Corpus,
    queries: dict[str, str],
    choice: EngineChoice,
    fusion: Fusion,
) -> dict[str, float]:
    scores = {}
    for query, text in queries.items():
        matches = engine.rank(SearchRequest(text, engine=choice, fusion=fusion, margin=100))
        scores[query] = ndcg([documents[match.item] for match in matches[:10]], corpus.gains[query])
    return scores


def _passages(
    engine: Engine, documents: dict[ItemKey, str], corpus: Corpus, queries: dict[str, str]
) -> Iterator[Figure]:
    """Whether the first quoted passage, and its quoted line, hold the answer's text, where the article ranks first."""
    answers: dict[str, list[str]] = {}
    for line in (DATA / "corpora" / "covidqa_full" / "answers.jsonl").read_text("utf-8").splitlines():
        answer = json.loads(line)
        answers.setdefault(answer["qid"], []).append(answer["answer"])
    asked = in_passage = in_line = 0
    for query, text in queries.items():
        session = engine.search(SearchRequest(text, margin=100, limit=1))
        matches = session.result.matches
        if not matches or documents[matches[0].item] not in corpus.gains[query]:
            continue
        previews = session.previews(matches[0].item)
        if not previews:
            continue
        first = previews[0]
        asked += 1
        in_passage += any(_holds(first.text, answer) for answer in answers[query])
        in_line += any(_holds(first.text[slice(*first.quote)], answer) for answer in answers[query])
    yield at_least(
        "meaning.covidqa.answer_in_first_passage", in_passage / asked, FIRST_PASSAGE, f"of {asked}"
    )
    yield at_least("meaning.covidqa.answer_in_quoted_line", in_line / asked, QUOTED_LINE, f"of {asked}")


def _holds(text: str, answer: str) -> bool:
    """Whether *text* has the answer, whatever lines and hyphens were made of it; a long answer by most of it."""
    squeezed = ["".join(c for c in part.casefold() if c.isalnum()) for part in (text, answer)]
    return bool(squeezed[1]) and squeezed[1] in squeezed[0]


# --- across languages ------------------------------------------------------------------------------------


def _cross(place: Path) -> Iterator[Figure]:
    english = read_corpus(DATA / "corpora" / "xquad_en")
    with _indexed("xquad_en", english, place) as (engine, documents):
        for language, goal in CROSS.items():
            corpus = read_corpus(DATA / "corpora" / f"xquad_{language}")
            values = {}
            for choice in (EngineChoice.MEANING, EngineChoice.HYBRID):
                scores = _scores(engine, documents, corpus, corpus.queries, choice, Fusion.STRENGTH)
                values[choice] = sum(scores.values()) / len(scores)
            yield plain(f"meaning.cross.{language}.meaning", values[EngineChoice.MEANING], "nDCG@10")
            yield at_least(f"meaning.cross.{language}.hybrid", values[EngineChoice.HYBRID], goal, "nDCG@10")


# --- the library -----------------------------------------------------------------------------------------


@contextlib.contextmanager
def _indexed(name: str, corpus: Corpus, place: Path) -> Iterator[tuple[Engine, dict[ItemKey, str]]]:
    """An engine with the collection indexed by words and by meaning, and the document of each item."""
    names = place / "documents.json"
    if name == "covidqa":
        folder = DATA / "libraries" / "covidqa"
        mapping = json.loads((folder / "documents.json").read_text("utf-8"))
        documents = {ItemKey(USER_LIBRARY, keys["item"]): document for document, keys in mapping.items()}
    else:
        folder = place / "data"
        if not names.is_file():
            made = _write_library(folder, corpus)
            names.write_text(json.dumps([[key.key, document] for key, document in made.items()]))
        documents = {ItemKey(USER_LIBRARY, key): document for key, document in json.loads(names.read_text())}
    paths = AppPaths.under(place / "home")
    engine = Engine(paths, Settings(paths.config / "settings.json"))
    try:
        engine.open_library(folder)
        engine.index()
        engine.prepare_meaning()
        engine.embed()
        yield engine, documents
    finally:
        engine.close()
