"""`zbm-cli index`, `status` and `attention`: the index as the window tells of it, in the same words."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from zbm_core import attention as listed
from zbm_core import cli_output as show
from zbm_core.engine import Engine
from zbm_core.engine_records import PAUSED
from zbm_core.errors import CancelToken, ZbmError
from zbm_core.indexing.records import EmbeddingReport

DONE, INTERRUPTED = 0, 130

ASKED_FOR = "It was asked for here, so it is done now; the window stays paused."


def add_commands(add: Callable[..., argparse.ArgumentParser], common: argparse.ArgumentParser) -> None:
    index = add("index", parents=[common], help="bring the index in line with the library")
    index.add_argument("--words-only", action="store_true", help="do not index by meaning")
    index.set_defaults(command=_index)
    status = add("status", parents=[common], help="what is indexed, and what needs attention")
    status.set_defaults(command=_status)
    attention = add("attention", parents=[common], help="the documents that could not be read, and why")
    attention.add_argument("--csv", action="store_true", help="a table for a spreadsheet")
    attention.add_argument("--again", action="store_true", help="have all of them read again by the next run")
    attention.set_defaults(command=_attention)


# --- index ----------------------------------------------------------------------------------------------


def _index(engine: Engine, options: argparse.Namespace, cancel: CancelToken) -> int:
    if engine.settings.get("indexing.paused"):
        print(f"zbm-cli: {PAUSED} {ASKED_FOR}", file=sys.stderr)
    line = show.ProgressLine() if sys.stderr.isatty() and not options.json else None
    report = engine.index(cancel, line and line.indexing)
    embedded = _embed(engine, options, cancel, line) if report.finished else None
    if line:
        line.end()
    attention = engine.documents_needing_attention()
    if options.json:
        show.print_json(
            finished=report.finished,
            indexed=report.indexed,
            deleted=report.deleted,
            seconds=round(report.seconds, 3),
            **show.counts(report.progress),
            **show.meaning(engine),
            documents=[show.document_fields(attachment, outcome) for attachment, outcome in attention],
        )
    else:
        done = "Up to date" if report.finished else "Stopped"
        print(f"{done}: {report.indexed:,} written, {report.deleted:,} removed in {report.seconds:.1f} s.")
        if embedded is not None:
            place = embedded.progress
            print(f"Meaning: {place.done:,} of {place.total:,} passages, {embedded.embedded:,} of them now.")
        _print_attention(engine, attention)
    whole = report.finished and (embedded is None or embedded.finished)
    return DONE if whole else INTERRUPTED


def _embed(
    engine: Engine, options: argparse.Namespace, cancel: CancelToken, line: show.ProgressLine | None
) -> EmbeddingReport | None:
    """Index by meaning too, unless it is off; where no model can be had that is said, and words are done."""
    if options.words_only:
        return None
    try:
        notice = engine.prepare_meaning(cancel, line and line.preparing)
        if notice:
            print(f"zbm-cli: {notice}", file=sys.stderr)
        return engine.embed(cancel, line and line.embedding)
    except ZbmError as error:
        print(f"zbm-cli: {error.message}", file=sys.stderr)
        return None


# --- status and attention -------------------------------------------------------------------------------


def _status(engine: Engine, options: argparse.Namespace, _cancel: CancelToken) -> int:
    progress, library, meaning = engine.status(), engine.library, engine.meaning_status()
    attention = engine.documents_needing_attention()
    paused, place, server = (
        engine.settings.get("indexing.paused"),
        engine.index_place.place(),
        engine.endpoint.status(),
    )
    if options.json:
        show.print_json(
            library=str(library.folder),
            schema=library.schema_version,
            items=len(library.top_level),
            index=str(engine.home_of(library.folder)),
            index_bytes=place.size,
            paused=paused,
            endpoint=server.url or None,
            endpoint_active=server.active,
            **show.counts(progress),
            **show.meaning(engine),
            documents=[show.document_fields(attachment, report) for attachment, report in attention],
        )
        return DONE
    print(f"{library.folder}: {len(library.top_level):,} items (schema {library.schema_version})")
    print(f"  Metadata, notes and annotations  {progress.items_done:,} / {progress.items_total:,}")
    print(f"  Attachments                      {progress.documents_done:,} / {progress.documents_total:,}")
    model = f" ({meaning.model})" if meaning.model else ""
    print(f"  {f'{PAUSED} ' if paused else ''}{meaning.in_words}{model}")
    print(f"  Embedding server: {server.line}")
    print(f"  Index location: {place.folder} · {place.size / 1e6:,.0f} MB")
    _print_attention(engine, attention)
    return DONE


def _attention(engine: Engine, options: argparse.Namespace, _cancel: CancelToken) -> int:
    attention = engine.documents_needing_attention()
    if options.json:
        for attachment, report in attention:
            show.print_json(**show.document_fields(attachment, report))
    elif options.csv:
        print(listed.as_csv(listed.rows_of(engine.library, attention)), end="")
    elif attention:
        print(listed.in_words(len(attention)))
        print(listed.as_lines(listed.rows_of(engine.library, attention)), end="")
    else:
        print("Every document that was read could be read.")
    if options.again and attention:
        engine.read_again([attachment.key for attachment, _report in attention])
        print("zbm-cli: they are read again by the next run", file=sys.stderr)
    return DONE


def _print_attention(engine: Engine, attention: list) -> None:
    """How many, and each on a line with its key, for `--json` and Zotero to be asked about."""
    if not attention:
        return
    print(f"  {listed.in_words(len(attention))}")
    for row in listed.rows_of(engine.library, attention):
        print(
            f"    {row.key}  {' '.join(row.name.split())}: {row.happened}. {' '.join(row.reason.split())}".rstrip()
        )
