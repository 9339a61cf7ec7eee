"""``zbm-cli``: the engine without a window.

    zbm-cli index    --library DIR [--index DIR] [--json]
    zbm-cli search   --library DIR [--index DIR] [--json] (QUERY | --queries FILE) [...]
    zbm-cli passages --library DIR [--index DIR] [--json] QUERY ITEM
    zbm-cli similar  --library DIR [--index DIR] [--json] ITEM
    zbm-cli status   --library DIR [--index DIR] [--json]
    zbm-cli attention --library DIR [--index DIR] [--json | --csv] [--again]
    zbm-cli calibrate [--index DIR] [--json] MODEL
    zbm-cli serve-embeddings [--host HOST] [--port PORT] [--key KEY] [--model MODEL]
    zbm-cli endpoint test [--key KEY] [--model MODEL] [--json] URL

Exit codes: 0 done, 1 failed (one sentence on standard error), 2 wrong use, 3 nothing found,
130 interrupted. Everything machine-readable goes to standard output, one JSON object a line.

A search result (``search --json``, one line a query)::

    {"id", "query", "engine", "outlook", "cpu_ms", "results": [
        {"library", "key", "title", "rank", "score", "lexical", "semantic", "passages": [
            {"attachment", "kind", "page", "page_label", "section", "text", "quote", "rects", "strength"}]}]}

``library`` is Zotero's libraryID; ``lexical`` and ``semantic`` are null where an engine said nothing;
``page`` is the physical page from 1, null where a format has none; ``attachment`` is the key of the
attachment, note or annotation the passage was read from (the item's own for its title and abstract);
``quote`` is the line worth reading; each of ``rects`` is [page index from 0, left, bottom, right, top] in
points of PDF user space. Fields may be added; none changes its meaning.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from zbm_core import cli_endpoint, cli_indexing
from zbm_core import cli_output as show
from zbm_core.allocator import give_memory_back
from zbm_core.children import become_child
from zbm_core.cli_indexing import DONE, INTERRUPTED
from zbm_core.engine import Engine
from zbm_core.errors import Cancelled, CancelToken, ZbmError
from zbm_core.library.records import ItemKey
from zbm_core.paths import AppPaths
from zbm_core.search.records import EngineChoice, Fusion, Scope, SearchRequest
from zbm_core.settings import Settings

FAILED, NOTHING_FOUND = 1, 3
#: Bytes of a queries file's line at most; a longer one is not a query.
MAX_QUERY_LINE = 1_000_000


def main(argv: list[str] | None = None) -> int:
    if argv is None and become_child(sys.argv):
        return DONE
    options = _parser().parse_args(argv)
    cancel = CancelToken()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, lambda *_: cancel.cancel())
    give_memory_back()
    paths = AppPaths.under(options.index) if options.index else AppPaths.default()
    engine = Engine(paths, Settings(paths.config / "settings.json"))
    try:
        if "library" in options:
            _open(engine, options, cancel)
        return options.command(engine, options, cancel)
    except ZbmError as error:
        print(f"zbm-cli: {error.message}", file=sys.stderr)
        if error.detail and options.verbose:
            print(error.detail, file=sys.stderr)
        return FAILED
    except (Cancelled, KeyboardInterrupt):
        print("zbm-cli: stopped; what was indexed is kept", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has left (head, less); there is nobody to tell.
        sys.stderr.close()
        return DONE
    finally:
        engine.close()


def _open(engine: Engine, options: argparse.Namespace, cancel: CancelToken) -> None:
    library = engine.open_library(options.library, cancel)
    for warning in (*library.warnings, engine.index_notice()):
        if warning:
            print(f"zbm-cli: {warning}", file=sys.stderr)


# --- commands -------------------------------------------------------------------------------------------


def _search(engine: Engine, options: argparse.Namespace, cancel: CancelToken) -> int:
    found = False
    for identifier, text in _queries(options):
        cancel.check()
        session = engine.search(_request(options, text), cancel, previews=0)
        result = session.result
        found = found or bool(result.matches)
        rows = []
        for match in result.matches:
            passages = session.previews(match.item) if options.passages else ()
            rows.append((match, passages))
        if options.json or options.queries:
            show.print_json(
                id=identifier,
                query=text,
                engine=options.engine,
                outlook=result.outlook,
                cpu_ms=round(result.cpu_ms, 3),
                results=[show.result_fields(engine, match, passages) for match, passages in rows],
            )
        else:
            show.print_results(engine, result, rows)
    return DONE if found else NOTHING_FOUND


def _passages(engine: Engine, options: argparse.Namespace, cancel: CancelToken) -> int:
    session = engine.search(_request(options, options.query), cancel)
    item = _item_key(engine, options.item)
    passages = session.passages(item)
    for passage in passages:
        if options.json:
            show.print_json(**show.passage_fields(passage))
        else:
            print(f"{show.where(passage)}\n  {passage.text}\n")
    return DONE if passages else NOTHING_FOUND


def _similar(engine: Engine, options: argparse.Namespace, cancel: CancelToken) -> int:
    matches = engine.similar(_item_key(engine, options.item), options.limit or None)
    for match in matches:
        if options.json:
            show.print_json(**show.result_fields(engine, match, ()))
        else:
            title = engine.library.record(match.item).title
            print(f"{match.rank:>3}. {title}  {match.strength:.2f}  {match.item}")
    return DONE if matches else NOTHING_FOUND


def _calibrate(engine: Engine, options: argparse.Namespace, cancel: CancelToken) -> int:
    from zbm_core.semantic import calibrate_installed

    model = engine.shelf.installed(options.model)
    if model is None:
        raise ZbmError(
            f"The model {options.model} is not installed. Installed and known: "
            + ", ".join(engine.shelf.catalogue())
            + "."
        )
    calibration = calibrate_installed(engine.shelf, model, cancel).calibration
    if options.json:
        show.print_json(model=model.identity, floor=calibration.floor, ceiling=calibration.ceiling)
    else:
        print(f"{model.identity}: floor {calibration.floor:.3f}, ceiling {calibration.ceiling:.3f}")
    return DONE


# --- what is asked --------------------------------------------------------------------------------------


def _queries(options: argparse.Namespace) -> Iterator[tuple[str | None, str]]:
    if not options.queries:
        yield None, options.query
        return
    try:
        with options.queries.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                if len(line) > MAX_QUERY_LINE:
                    raise ZbmError(f"Line {number} of {options.queries} is too long to be a query.")
                try:
                    entry = json.loads(line)
                    yield str(entry["id"]), str(entry["text"])
                except (ValueError, KeyError, TypeError) as error:
                    raise ZbmError(
                        f'Line {number} of {options.queries} is not of the form {{"id": …, "text": …}}.',
                        str(error),
                    ) from error
    except OSError as error:
        raise ZbmError(f"The queries in {options.queries} could not be read: {error.strerror}.") from error


def _request(options: argparse.Namespace, text: str) -> SearchRequest:
    scope = Scope(
        library=options.library_id,
        collection=ItemKey(options.library_id or 1, options.collection) if options.collection else None,
        subcollections=not options.no_subcollections,
        tags=tuple(options.tag),
        year_from=options.year_from,
        year_to=options.year_to,
        item_types=tuple(options.type),
        languages=tuple(options.language),
    )
    return SearchRequest(
        text,
        scope,
        EngineChoice(options.engine),
        options.margin,
        options.limit or None,
        Fusion(options.fusion),
    )


def _item_key(engine: Engine, text: str) -> ItemKey:
    library, _, key = text.rpartition("/")
    if library and not library.isdigit():
        raise ZbmError(f"{text} is not an item: write KEY, or LIBRARY/KEY.")
    item = ItemKey(int(library) if library else 1, key)
    if engine.library.record(item) is None:
        raise ZbmError(f"There is no item {text} in this library.")
    return engine.library.top_of(item)


# --- the parser -----------------------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    plain = argparse.ArgumentParser(add_help=False)
    plain.add_argument("--index", type=Path, help="where to keep the index (default: the app's own folder)")
    plain.add_argument("--json", action="store_true", help="one JSON object a line")
    plain.add_argument("--verbose", action="store_true", help="technical causes with errors")
    common = argparse.ArgumentParser(add_help=False, parents=[plain])
    common.add_argument("--library", type=Path, required=True, help="the Zotero data directory")

    asking = argparse.ArgumentParser(add_help=False)
    asking.add_argument("--engine", choices=[choice.value for choice in EngineChoice], default="hybrid")
    asking.add_argument(
        "--fusion", choices=[how.value for how in Fusion], default="strength", help="how engines are combined"
    )
    asking.add_argument(
        "--margin", type=int, default=100, help="percent below the strongest match to keep (default: all)"
    )
    asking.add_argument("--limit", type=int, default=50, help="items at most, 0 for all (default: 50)")
    asking.add_argument("--library-id", type=int, help="only this library (Zotero's libraryID)")
    asking.add_argument("--collection", help="only this collection (its key)")
    asking.add_argument("--no-subcollections", action="store_true")
    asking.add_argument("--tag", action="append", default=[], help="only items with this tag (repeatable)")
    asking.add_argument("--type", action="append", default=[], help="only this item type (repeatable)")
    asking.add_argument(
        "--language", action="append", default=[], help="only what is in this language, as de (repeatable)"
    )
    asking.add_argument("--year-from", type=int)
    asking.add_argument("--year-to", type=int)

    parser = argparse.ArgumentParser(
        prog="zbm-cli", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add = commands.add_parser

    cli_indexing.add_commands(add, common)

    search = add("search", parents=[common, asking], help="rank the library against a query")
    what = search.add_mutually_exclusive_group(required=True)
    what.add_argument("query", nargs="?", metavar="QUERY")
    what.add_argument("--queries", type=Path, metavar="FILE", help='JSON lines of {"id": …, "text": …}')
    search.add_argument("--no-passages", dest="passages", action="store_false", help="rank only")
    search.set_defaults(command=_search)

    passages = add("passages", parents=[common, asking], help="every passage of one item")
    passages.add_argument("query", metavar="QUERY")
    passages.add_argument("item", metavar="ITEM", help="KEY, or LIBRARY/KEY")
    passages.set_defaults(command=_passages)

    similar = add("similar", parents=[common], help="items that mean what one item means")
    similar.add_argument("item", metavar="ITEM", help="KEY, or LIBRARY/KEY")
    similar.add_argument("--limit", type=int, default=20, help="items at most (default: 20)")
    similar.set_defaults(command=_similar)

    calibrate = add("calibrate", parents=[plain], help="measure an installed embedding model")
    calibrate.add_argument("model", metavar="MODEL", help="its name")
    calibrate.set_defaults(command=_calibrate)

    cli_endpoint.add_commands(add, plain)
    return parser


if __name__ == "__main__":
    sys.exit(main())
