"""Models for tests: the packaged one, made once for all runs of the suite, and tiny ones made on the spot."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

#: Seconds after which nobody is making the model any more.
_STALE = 300
#: Words a tiny model knows; their vectors are the rows of `tiny_table`.
WORDS = [
    "<pad>",
    "<s>",
    "</s>",
    "<unk>",
    "query:",
    "passage:",
    "soil",
    "carbon",
    "water",
    "river",
    "the",
    "in",
]


def made_once(name: str):
    """A shelf that is kept between runs, with the packaged model *name* installed; its record."""
    from zbm_core.semantic import Shelf
    from zbm_core.semantic.making import packaged_weights, use_resources

    source = use_resources() / "weights.npz" if name.startswith("use") else packaged_weights()
    # Made anew when the weights or what makes the files of them differ.
    code = Path(__file__).resolve().parents[2] / "zbm_core" / "semantic"
    stamp = [
        source.stat().st_size,
        *((code / file).stat().st_mtime_ns for file in ("e5_graph.py", "making.py", "distilling.py")),
    ]
    label = zlib.crc32(repr((stamp, str(code))).encode())
    folder = Path(tempfile.gettempdir()) / f"zbm-test-models-{label:08x}"
    shelf = Shelf(folder)
    # Tests run side by side: one of them makes the model, the others wait for it.
    with _alone(folder.with_name(f"{folder.name}-{name}.lock")):
        model = shelf.installed(name) or shelf.install({**shelf.catalogue(), **shelf.pickers()}[name])
    return shelf, model


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Held by one process at a time; a lock of one that was killed is broken after some minutes."""
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
            break
        except FileExistsError:
            with contextlib.suppress(FileNotFoundError):
                if time.time() - lock.stat().st_mtime > _STALE:
                    lock.unlink()
            time.sleep(0.1)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


def tiny_table(width: int = 8, seed: int = 4) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(len(WORDS), width)).astype(np.float32)


def tiny_tokenizer() -> bytes:
    """tokenizer.json of whole words, with ``<s>`` before and ``</s>`` after a text."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)]
    )
    return tokenizer.to_str().encode()


def tiny_graph(table: np.ndarray, *, fails_on: int | None = None) -> bytes:
    """An ONNX graph that looks each token's vector up: ``last_hidden_state (batch, tokens, width)``.

    Args:
        fails_on: a token id that the graph cannot look up.
    """
    from onnx import TensorProto, helper, numpy_helper

    nodes = []
    ids = "input_ids"
    if fails_on is not None:
        nodes += [
            helper.make_node("Equal", ["input_ids", "bad"], ["is_bad"]),
            helper.make_node("Where", ["is_bad", "far", "input_ids"], ["places"]),
        ]
        ids = "places"
    nodes.append(helper.make_node("Gather", ["table", ids], ["last_hidden_state"]))
    constants = [numpy_helper.from_array(table, "table")]
    if fails_on is not None:
        constants += [
            numpy_helper.from_array(np.array([fails_on]), "bad"),
            numpy_helper.from_array(np.array([10**6]), "far"),
        ]
    shape = ["batch", "tokens"]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, shape)
            for name in ("input_ids", "attention_mask")
        ],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, table.shape[1]])],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return model.SerializeToString()


def tiny_repository(
    pooling: str = "mean_tokens",
    prompts: dict[str, str] | None = None,
    changes: dict[str, bytes | None] | None = None,
) -> dict[str, bytes]:
    """The files of a small sentence-transformers repository.

    Args:
        pooling: the name sentence-transformers gives the mode.
        changes: files by path put in the place of others; None leaves one out.
    """
    modes = ["mean_tokens", "cls_token", "max_tokens", "lasttoken"]
    pooling_config = {f"pooling_mode_{mode}": mode == pooling for mode in modes}
    described = {
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
        ],
        "1_Pooling/config.json": {"word_embedding_dimension": 8, **pooling_config},
        "config.json": {"hidden_size": 8, "max_position_embeddings": 64, "model_type": "bert"},
        "sentence_bert_config.json": {"max_seq_length": 32, "do_lower_case": False},
        "config_sentence_transformers.json": {"prompts": prompts or {}},
    }
    files = {path: json.dumps(value).encode() for path, value in described.items()}
    files["onnx/model.onnx"] = tiny_graph(tiny_table())
    files["tokenizer.json"] = tiny_tokenizer()
    for path, content in (changes or {}).items():
        if content is None:
            files.pop(path)
        else:
            files[path] = content
    return files
