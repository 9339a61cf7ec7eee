"""What `zbm-cli` prints: the JSON that tools build on, and the same in words.

The form of the JSON is described in `cli`; fields may be added, none changes its meaning.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from zbm_core.documents.structure import DocumentReport, PdfAnchor
from zbm_core.engine import Engine
from zbm_core.indexing.records import EmbeddingProgress, Progress
from zbm_core.library.records import Attachment, Item
from zbm_core.search.records import Match, Outlook, Passage, SearchResult

if TYPE_CHECKING:
    from zbm_core.semantic import Preparing


def counts(progress: Progress) -> dict[str, int]:
    return {
        "records_done": progress.items_done,
        "records_total": progress.items_total,
        "documents_done": progress.documents_done,
        "documents_total": progress.documents_total,
    }


def meaning(engine: Engine) -> dict[str, Any]:
    status = engine.meaning_status()
    return {"model": status.model or None, "chunks_done": status.embedded, "chunks_total": status.total}


def document_fields(attachment: Attachment, report: DocumentReport) -> dict[str, Any]:
    return {
        "library": attachment.key.library,
        "key": attachment.key.key,
        "title": attachment.title,
        "outcome": report.outcome,
        "reason": report.reason,
    }


def result_fields(engine: Engine, match: Match, passages: tuple[Passage, ...]) -> dict[str, Any]:
    record = engine.library.record(match.item)
    return {
        "library": match.item.library,
        "key": match.item.key,
        "title": record.title,
        "rank": match.rank,
        "score": round(match.strength, 6),
        "lexical": match.score.lexical,
        "semantic": match.score.semantic,
        "passages": [passage_fields(passage) for passage in passages],
    }


def passage_fields(passage: Passage) -> dict[str, Any]:
    rects = passage.anchor.rects if isinstance(passage.anchor, PdfAnchor) else ()
    return {
        "attachment": passage.source.key,
        "kind": passage.kind,
        "page": None if passage.page is None else passage.page + 1,
        "page_label": passage.page_label,
        "section": list(passage.section),
        "text": passage.text,
        "quote": passage.text[slice(*passage.quote)],
        "rects": [list(rect) for rect in rects],
        "strength": round(passage.strength, 6),
    }


def print_json(**fields: Any) -> None:
    print(json.dumps(fields, ensure_ascii=False), flush=True)


_NOTHING = {
    Outlook.NOT_SEARCHABLE: "There is nothing to search for in that query.",
    Outlook.NOTHING_INDEXED: "Nothing is indexed yet. Run: zbm-cli index --library …",
    Outlook.NOTHING_MATCHES: "Nothing matches.",
    Outlook.FILTERED_OUT: "The filters remove every match.",
}


def print_results(
    engine: Engine, result: SearchResult, rows: list[tuple[Match, tuple[Passage, ...]]]
) -> None:
    if not rows:
        print(_NOTHING[result.outlook])
        return
    for match, passages in rows:
        record = engine.library.record(match.item)
        who = engine.citation(match.item) if isinstance(record, Item) else ""
        print(f"{match.rank:>3}. {record.title}  [{who}]  {match.strength:.2f}  {match.item}")
        for passage in passages:
            print(f"       {where(passage)}: {' '.join(passage.text[slice(*passage.quote)].split())}")
    print(f"{len(rows):,} matches in {result.wall_ms:.0f} ms · {result.engines}")


def where(passage: Passage) -> str:
    page = [] if passage.page is None else [f"p. {passage.page + 1}"]
    return " · ".join([*page, *([" > ".join(passage.section)] if passage.section else [passage.kind])])


class ProgressLine:
    """One line on a terminal, rewritten in place."""

    def indexing(self, progress: Progress) -> None:
        self._show(
            f"{progress.items_done:,}/{progress.items_total:,} records, "
            f"{progress.documents_done:,}/{progress.documents_total:,} documents  {progress.current[:40]}"
        )

    def preparing(self, preparing: Preparing) -> None:
        share = f" {preparing.done / preparing.total:.0%}" if preparing.total else ""
        self._show(preparing.what + share)

    def embedding(self, progress: EmbeddingProgress) -> None:
        left = f", about {progress.seconds_left / 60:.0f} min" if progress.seconds_left else ""
        self._show(f"Meaning: {progress.done:,}/{progress.total:,} passages{left}")

    def _show(self, text: str) -> None:
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
