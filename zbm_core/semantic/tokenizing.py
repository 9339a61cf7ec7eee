"""Text to token ids: the tokenizer a model was published with, in as little memory as it can be run."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from zbm_core.semantic.unigram import SUFFIX, UnigramTokenizer

Tokenize = Callable[[str], list[int]]


def load_tokenizer(file: Path, limit: int, *, source: str = "", marks: bool = True) -> Tokenize:
    """A function from a text to its ids, *limit* at most.

    Args:
        file: tokenizer.json; its table beside it (`unigram.make_table`) is used instead where there is one.
        source: SHA-256 of the file as the model's record has it, "" for any.
        marks: put the model's marks around the text.

    Raises:
        Exception: of the `tokenizers` library, whose errors have no kind of their own.
    """
    table = file.with_name(file.name + SUFFIX)
    if table.exists():
        # A damaged table costs memory, not correctness: the file it was made of is there.
        with contextlib.suppress(ValueError, KeyError, OSError):
            unigram = UnigramTokenizer(table, source)
            return lambda text: unigram.encode(text, limit, marks=marks)
    import tokenizers

    whole = tokenizers.Tokenizer.from_file(str(file))
    whole.no_padding()
    whole.enable_truncation(limit)
    return lambda text: whole.encode(text, add_special_tokens=marks).ids


def load_batch_tokenizer(file: Path, limit: int) -> Callable[[Sequence[str]], list[list[int]]]:
    """A function from many short texts to the ids of each, without marks, *limit* at most.

    Raises:
        Exception: of the `tokenizers` library, whose errors have no kind of their own.
    """
    table = file.with_name(file.name + SUFFIX)
    if table.exists():
        with contextlib.suppress(ValueError, KeyError, OSError):
            unigram = UnigramTokenizer(table)
            return lambda texts: unigram.encode_all(texts, limit)
    tokenize = load_tokenizer(file, limit, marks=False)
    return lambda texts: [tokenize(text) for text in texts]


def write_unigram(
    path: Path,
    pieces: list[tuple[str, float]],
    unknown: int,
    before: list[tuple[str, int]],
    after: list[tuple[str, int]],
) -> None:
    """Write a SentencePiece vocabulary as the tokenizer.json of a Unigram model.

    Args:
        before, after: names and ids of the marks around a text.
    """
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    # The library makes the form; the pieces are put in after it, since its tree of them takes 300 MB.
    tokenizer = Tokenizer(models.Unigram([pieces[unknown]], unk_id=0, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace("▁", prepend_scheme="always")
    frame = " ".join([*(name for name, _ in before), "$A", *(name for name, _ in after)])
    tokenizer.post_processor = processors.TemplateProcessing(single=frame, special_tokens=[*before, *after])
    whole = json.loads(tokenizer.to_str())
    whole["model"]["vocab"], whole["model"]["unk_id"] = pieces, unknown
    path.write_text(json.dumps(whole, ensure_ascii=False), "utf-8")
