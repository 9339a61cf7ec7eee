"""A tiny embedding model in a home folder, so that a window can index by meaning in no time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from tests.support.models import tiny_graph, tiny_table, tiny_tokenizer
from zbm_core.paths import AppPaths
from zbm_core.semantic import Calibration, Model, Shelf
from zbm_core.semantic.model import RECORD_FILE, ModelFile, write_record
from zbm_core.semantic.picker import write_table
from zbm_core.settings import Settings

NAME = "tiny"


def install_tiny_model(home: Path) -> None:
    """Install it where a window over *home* looks, as the user's choice, searching by meaning on."""
    paths = AppPaths.under(home)
    folder = paths.data / "models" / NAME
    folder.mkdir(parents=True)
    files = {"model.onnx": tiny_graph(tiny_table()), "tokenizer.json": tiny_tokenizer()}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    means = np.zeros((1, 8), "<f4").tobytes()
    model = Model(
        name=NAME,
        revision="1",
        repository="",
        hub_revision="",
        files=tuple(ModelFile(name, len(content)) for name, content in files.items()),
        graph="model.onnx",
        tokenizer="tokenizer.json",
        pooling="mean",
        native_width=8,
        width=8,
        max_tokens=64,
        licence="AGPL-3.0-or-later",
        title="Tiny model",
        calibration=Calibration(-1.0, 0.0, 1.0, 0.0, ("en",), means, means),
    )
    write_record(folder / RECORD_FILE, model)
    _install_tiny_picker(paths.data / "models")
    settings = Settings(paths.config / "settings.json")
    settings.set("search.semantic", True)
    settings.set("semantic.model", NAME)


def _install_tiny_picker(models: Path) -> None:
    """The model that picks quotes likewise; making the packaged one takes half a minute."""
    picker = Shelf(models).pickers()["potion-multilingual-128M"]
    folder = models / picker.name
    folder.mkdir()
    write_table(folder / picker.graph, tiny_table().astype(np.float16))
    (folder / picker.tokenizer).write_bytes(tiny_tokenizer())
    files = tuple(ModelFile(file.path, (folder / file.path).stat().st_size) for file in picker.files)
    write_record(folder / RECORD_FILE, replace(picker, files=files))
