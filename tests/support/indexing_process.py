"""A process that indexes, to be disturbed: ``python -m tests.support.indexing_process HOME LIBRARY [BYTES]``.

Prints ``open`` when the library is open, then one JSON line: how the run ended and, where it finished, what the
indexes hold. With BYTES no file may grow beyond so many, as on a full disk. `install_model` puts a tiny model there.
"""

from __future__ import annotations

import hashlib
import json
import string
import sys
from pathlib import Path
from typing import Any

import numpy as np

MODEL = "tiny"
WIDTH = 16
_QUERIES = ("soil carbon", "water", "the patients were", "virus", "method results", "light", "history of")


def engine_in(home: Path):
    """An engine whose files are in *home*, and which searches by the tiny model."""
    from zbm_core.engine import Engine
    from zbm_core.paths import AppPaths
    from zbm_core.settings import Settings

    paths = AppPaths.under(home)
    settings = Settings(paths.config / "settings.json")
    settings.set("semantic.model", MODEL)
    return Engine(paths, settings)


def install_model(home: Path) -> None:
    """A model of single letters: its vectors tell texts apart, and it costs nothing."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers

    from tests.support.models import tiny_graph
    from zbm_core.paths import AppPaths
    from zbm_core.semantic import Calibration, Model
    from zbm_core.semantic.model import ModelFile
    from zbm_core.semantic.shelf import RECORD_FILE

    folder = AppPaths.under(home).data / "models" / MODEL
    folder.mkdir(parents=True, exist_ok=True)
    letters = ["<unk>", *string.ascii_lowercase]
    tokenizer = Tokenizer(
        models.WordLevel({letter: i for i, letter in enumerate(letters)}, unk_token="<unk>")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    (folder / "tokenizer.json").write_text(tokenizer.to_str(), "utf-8")
    table = np.random.default_rng(3).normal(size=(len(letters), WIDTH)).astype(np.float32)
    (folder / "model.onnx").write_bytes(tiny_graph(table))
    nothing = np.zeros((1, WIDTH), "<f4").tobytes()
    model = Model(
        name=MODEL,
        revision="1",
        repository="",
        hub_revision="",
        files=tuple(
            ModelFile(name, (folder / name).stat().st_size) for name in ("model.onnx", "tokenizer.json")
        ),
        graph="model.onnx",
        tokenizer="tokenizer.json",
        pooling="mean",
        native_width=WIDTH,
        width=WIDTH,
        max_tokens=512,
        calibration=Calibration(0.1, 0.5, 0.9, 0.0, ("en",), nothing, nothing),
    )
    (folder / RECORD_FILE).write_text(model.to_json(), "utf-8")


def content_of(engine) -> dict[str, Any]:
    """What the indexes of *engine* hold, by what is in the library: the same whatever way it came there."""
    from zbm_core.lexical import parse_query

    words, meaning, documents = engine._index, engine._desk.meaning, engine._documents
    rows = {}
    tops = words._state.tops()
    for row in words._state.rows():
        rows[str(row.key)] = [row.kind, str(tops[row.top]), row.stamp, row.passages, row.documents, row.items]
    found = {}
    for query in map(parse_query, _QUERIES):
        # Of every item, not of those a search lists: which come near its floor follows from statistics that count
        # rows replaced and not yet merged away.
        hits = sorted(
            (str(item), str(hit.source), str(hit.passage))
            for item in words.tops()
            for hit in words.passages(query, item)
        )
        found[repr(query)] = hashlib.sha256(repr(hits).encode()).hexdigest()
    vectors = {}
    keys = {handle: str(key) for handle, key, *_ in meaning.index._store.sources()}
    for handles, chunks, blobs in meaning.index._store.vectors(WIDTH):
        for handle, chunk, vector in zip(handles.tolist(), chunks.tolist(), blobs, strict=True):
            vectors[f"{keys[handle]}#{chunk}"] = vector.tolist()
    packs = {}
    for key in sorted(documents.keys()):
        report = documents.report(key)
        chunks = [chunk.text for chunk in documents.chunks(key)] if report.chunks else []
        packs[str(key)] = [report.outcome, report.digest, hashlib.sha256(repr(chunks).encode()).hexdigest()]
    return {"rows": rows, "found": found, "vectors": vectors, "packs": packs}


def main(arguments: list[str]) -> None:
    home, library = Path(arguments[0]), Path(arguments[1])
    if len(arguments) > 2:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (int(arguments[2]), resource.RLIM_INFINITY))
    from zbm_core.errors import ZbmError

    engine = engine_in(home)
    answer: dict[str, Any] = {"finished": False}
    try:
        engine.open_library(library)
        print("open", flush=True)
        notice = engine.index_notice()
        outcome = engine.run(patient=False)
        answer = {
            "finished": outcome.finished and outcome.meaning_error is None,
            "error": str(outcome.meaning_error or ""),
            "notice": notice,
            "written": outcome.indexed,
            "reread": outcome.reread,
            "embedded": outcome.embedding.embedded if outcome.embedding is not None else 0,
        }
        if answer["finished"]:
            answer["content"] = content_of(engine)
    except ZbmError as error:
        answer["error"] = f"{error} ({error.detail})"
    print(json.dumps(answer), flush=True)
    engine.close()


if __name__ == "__main__":
    main(sys.argv[1:])
