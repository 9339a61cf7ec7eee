"""A model of whole words, made in a moment: real children, a real graph, and vectors that tell texts apart."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.support.models import tiny_graph
from zbm_core.semantic import Encoder, Model, corpus_file, load_triples
from zbm_core.semantic.endpoint.verification import TAIL
from zbm_core.semantic.model import ModelFile

_MARKS = ["<pad>", "<s>", "</s>", "<unk>", "query:", "passage:"]


def word_model(
    folder: Path,
    *,
    name: str = "words",
    seed: int = 4,
    width: int = 48,
    pooling: str = "mean",
    max_tokens: int = 2048,
    prefixes: tuple[str, str] = ("query: ", "passage: "),
) -> tuple[Path, Model]:
    """Write a model that knows every word of the calibration corpus; its folder and record.

    Two with the same *seed* and *width* are the same model, however they pool and cut.
    """
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    texts = [part for triple in load_triples(corpus_file()) for part in (triple.query, triple.passage)]
    words = dict.fromkeys([*_MARKS, *(word for text in [*texts, TAIL] for word in text.split())])
    vocabulary = {word: place for place, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)]
    )
    table = np.random.default_rng(seed).normal(size=(len(vocabulary), width)).astype(np.float32)
    # The marks say nothing, or every text would begin and end alike.
    table[: len(_MARKS)] *= 0.05
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(tiny_graph(table))
    (folder / "tokenizer.json").write_text(tokenizer.to_str(), "utf-8")
    model = Model(
        name=name,
        revision="1",
        repository="",
        hub_revision="",
        files=(ModelFile("model.onnx"), ModelFile("tokenizer.json")),
        graph="model.onnx",
        tokenizer="tokenizer.json",
        pooling=pooling,
        native_width=width,
        width=width,
        max_tokens=max_tokens,
        query_prefix=prefixes[0],
        passage_prefix=prefixes[1],
        title=name,
    )
    return folder, model


def word_encoder(folder: Path, **options) -> Encoder:
    return Encoder(*word_model(folder, **options))
