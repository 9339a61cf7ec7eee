"""A loaded model: texts to pooled vectors. Runs in the child."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from zbm_core.semantic.model import Model, ModelError
from zbm_core.semantic.tokenizing import load_tokenizer

#: A call's memory is kept for the next, which is 1.1 times as fast, and as much as a batch takes, 55 MB; `give_back`
#: frees it when there is nothing left to do.
_ARENA = {"arena_extend_strategy": "kSameAsRequested"}


#: Tokens of a text at most, whatever the model allows: attention takes their square, 50 MB a head at 3,500. No chunk
#: is nearly as long.
MOST_TOKENS = 2048


class Runner:
    """The model *model* in *folder*.

    Args:
        threads: of one call. Spinning is off: it would take the core from the window.

    Raises:
        ModelError: the files are damaged, or not what the record says.
    """

    def __init__(self, folder: Path, model: Model, threads: int) -> None:
        import onnxruntime

        self._model = model
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.enable_mem_pattern = False  # made for calls of one shape; batches have many
        options.log_severity_level = 3
        source = next((file.sha256 or "" for file in model.files if file.path == model.tokenizer), "")
        try:
            self._session = onnxruntime.InferenceSession(
                str(folder / model.graph), options, providers=[("CPUExecutionProvider", _ARENA)]
            )
            self._tokenize = load_tokenizer(
                folder / model.tokenizer, min(model.max_tokens, MOST_TOKENS), source=source
            )
            self._inputs = {entry.name for entry in self._session.get_inputs()}
            width = self.run([self._ids("a", "")]).shape[1]
        except Exception as error:  # the libraries raise their own bare kinds
            raise ModelError(
                f"The model {model.name} could not be loaded. Download it again.", str(error)
            ) from error
        if width != model.native_width:
            raise ModelError(
                f"The model {model.name} cannot be used: its vectors are {width} wide and its record says "
                f"{model.native_width}."
            )

    def tokenize(self, texts: Sequence[str], prefix: str) -> list[list[int]]:
        """Token ids of each text; empty for a text with nothing in it."""
        return [self._ids(text, prefix) if text.strip() else [] for text in texts]

    def _ids(self, text: str, prefix: str) -> list[int]:
        # Any run of whitespace is one space: tokenizers differ in what they make of the others,
        # and vectors moved by up to 0.1 for it.
        text = prefix + " ".join(text.split())
        return self._tokenize(" " + text if self._model.leading_space else text)

    def run(self, rows: Sequence[Sequence[int]]) -> np.ndarray:
        """Token ids of one batch to ``(n, native width) float32``; zeros where there are none."""
        said = [number for number, row in enumerate(rows) if row]
        if len(said) < len(rows):
            vectors = np.zeros((len(rows), self._model.native_width), np.float32)
            if said:
                vectors[said] = self.run([rows[number] for number in said])
            return vectors
        longest = max(len(row) for row in rows)
        # What stands in the padding is nothing to a masked model; 0 is in every vocabulary.
        ids = np.zeros((len(rows), longest), np.int64)
        mask = np.zeros((len(rows), longest), np.int64)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        output = self._call(ids, None, mask)
        return self._pool(output, mask).astype(np.float32)

    def give_back(self) -> None:
        """Free what calls have kept for the next one; they keep it again."""
        import onnxruntime

        options = onnxruntime.RunOptions()
        options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
        self._call(np.array([self._ids("a", "")]), options)

    def _call(self, ids: np.ndarray, options: Any = None, mask: np.ndarray | None = None) -> list[np.ndarray]:
        mask = np.ones_like(ids) if mask is None else mask
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        if "position_ids" in self._inputs:
            given["position_ids"] = np.ascontiguousarray(np.broadcast_to(np.arange(ids.shape[1]), ids.shape))
        unknown = self._inputs - given.keys()
        if unknown:
            raise ValueError(f"the graph wants {', '.join(sorted(unknown))}")
        return self._session.run(None, {name: given[name] for name in self._inputs}, options)

    def _pool(self, output: list[np.ndarray], mask: np.ndarray) -> np.ndarray:
        if self._model.pooling == "none":
            return next(array for array in output if array.ndim == 2)
        states = next(array for array in output if array.ndim == 3)
        match self._model.pooling:
            case "cls":
                return states[:, 0]
            case "last":
                return states[np.arange(len(states)), mask.sum(axis=1) - 1]
        states = states.astype(np.float32)
        # Not a product with the mask: padding may hold anything, and 0 times infinity is no number.
        total = np.where(mask[..., None] > 0, states, 0).sum(axis=1)
        return total / mask.sum(axis=1, keepdims=True)
