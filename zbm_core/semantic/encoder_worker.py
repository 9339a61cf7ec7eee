"""The child that runs the model: ``python -m zbm_core.semantic.encoder_worker``.

Messages (one JSON object a line):

- ``{"op": "load", "folder", "record", "threads"}`` → ``{"loaded": true}``
- ``{"op": "query", "id", "text"}`` → ``{"id", "vector"}``: answered beside a running job
- ``{"op": "embed", "id", "texts", "budget"}`` → ``{"id", "started"}``, then for each batch
  ``{"id", "begin": [indices]}`` and ``{"id", "rows": [indices], "vectors", "tokens", "padded"}``, at the
  end ``{"id", "done": true}``
- ``{"op": "stop", "id"}``: the job ends after the batch it is in

Vectors are base64 of little-endian float32, ``(n, native width)``, pooled but neither cut nor normalised.
An error is ``{"id", "error": "..."}``.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zbm_core.processes import serve
from zbm_core.semantic.batching import LEAST_BUDGET, batches
from zbm_core.semantic.model import Model, ModelError

#: Available memory below which batches are halved (facts of the reference: 1.5 GiB to start a run).
TIGHT_MEMORY = 1 << 30


class Runner:
    """A loaded model: text to pooled vectors.

    Args:
        folder: where the record's files are.
        threads: of one call. Spinning is off: it would take the core from the window.
    """

    def __init__(self, folder: Path, model: Model, threads: int) -> None:
        import onnxruntime
        import tokenizers

        self._model = model
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # An arena never gives memory back; batches are of like size, so little is lost without one.
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(
                str(folder / model.graph), options, providers=["CPUExecutionProvider"]
            )
            self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / model.tokenizer))
        except Exception as error:  # both libraries raise their own bare kinds
            raise ModelError(
                f"The model {model.name} could not be loaded. Download it again.", str(error)
            ) from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(model.max_tokens)
        self._inputs = {entry.name for entry in self._session.get_inputs()}
        self._pad = self._tokenizer.token_to_id("<pad>") or self._tokenizer.token_to_id("[PAD]") or 0

    def tokenize(self, texts: list[str], prefix: str) -> list[list[int]]:
        return [
            encoding.ids
            for encoding in self._tokenizer.encode_batch([self._prepare(text, prefix) for text in texts])
        ]

    def _prepare(self, text: str, prefix: str) -> str:
        # Any run of whitespace is one space: tokenizers differ in what they make of the others,
        # and vectors moved by up to 0.1 for it.
        text = prefix + " ".join(text.split())
        return " " + text if self._model.leading_space else text

    def run(self, rows: list[list[int]]):
        """Token ids of one batch to ``(n, native width) float32``."""
        import numpy as np

        longest = max(len(row) for row in rows)
        ids = np.full((len(rows), longest), self._pad, np.int64)
        mask = np.zeros((len(rows), longest), np.int64)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        given = {"input_ids": ids, "ids": ids, "attention_mask": mask, "mask": mask}
        given["token_type_ids"] = np.zeros_like(ids)
        output = self._session.run(None, {name: given[name] for name in self._inputs})
        return self._pool(output, mask).astype(np.float32)

    def _pool(self, output: list, mask):
        import numpy as np

        states = output[0]
        match self._model.pooling:
            case "none":
                return next(array for array in output if array.ndim == 2)
            case "cls":
                return states[:, 0]
            case "last":
                return states[np.arange(len(states)), mask.sum(axis=1) - 1]
        weights = mask[..., None].astype(states.dtype)
        return (states * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)


class _Worker:
    def __init__(self) -> None:
        self._runner: Runner | None = None
        self._model: Model | None = None
        self._stop: set[int] = set()
        self._last: threading.Thread | None = None

    def handle(self, message: dict[str, Any], send: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        identifier = message.get("id")
        try:
            match message["op"]:
                case "load":
                    return self._load(message)
                case "query":
                    return {"id": identifier, "vector": self._query(message["text"])}
                case "embed":
                    before, self._last = self._last, None
                    self._last = threading.Thread(
                        target=self._embed, args=(message, send, before), daemon=True
                    )
                    self._last.start()
                    return {"id": identifier, "started": True}
                case "stop":
                    self._stop.add(identifier)
                    return {"id": identifier, "stopping": True}
            return {"id": identifier, "error": f"unknown request {message['op']!r}"}
        except ModelError as error:
            return {"id": identifier, "error": error.message, "detail": error.detail}

    def _load(self, message: dict[str, Any]) -> dict[str, Any]:
        self._model = Model.from_json(message["record"], "given")
        self._runner = Runner(Path(message["folder"]), self._model, message["threads"])
        return {"id": message.get("id"), "loaded": True}

    def _query(self, text: str) -> str:
        rows = self._runner.tokenize([text], self._model.query_prefix)
        return _encode(self._runner.run(rows))

    def _embed(
        self, message: dict[str, Any], send: Callable[[dict[str, Any]], None], before: threading.Thread | None
    ) -> None:
        identifier = message["id"]
        if before is not None:
            before.join()
        try:
            rows = self._runner.tokenize(message["texts"], self._model.passage_prefix)
            waiting = list(batches([len(row) for row in rows], _affordable(message["budget"])))
            for batch in waiting:
                if identifier in self._stop:
                    break
                send({"id": identifier, "begin": batch})
                part = [rows[index] for index in batch]
                send(
                    {
                        "id": identifier,
                        "rows": batch,
                        "vectors": _encode(self._runner.run(part)),
                        "tokens": sum(len(row) for row in part),
                        "padded": max(len(row) for row in part) * len(part),
                    }
                )
            send({"id": identifier, "done": True})
        except Exception as error:  # the parent decides; nothing may die unsaid in a thread
            send({"id": identifier, "error": "The model failed on a text.", "detail": repr(error)})


def _affordable(budget: int) -> int:
    """*budget* halved, more than once if need be, while the machine is short of memory."""
    import psutil

    available, need = psutil.virtual_memory().available, TIGHT_MEMORY
    while available < need and budget > LEAST_BUDGET:
        budget, need = budget // 2, need // 2
    return max(LEAST_BUDGET, budget)


def _encode(vectors) -> str:
    return base64.b64encode(vectors.astype("<f4").tobytes()).decode("ascii")


def main() -> None:
    serve(_Worker().handle)


if __name__ == "__main__":
    main()
