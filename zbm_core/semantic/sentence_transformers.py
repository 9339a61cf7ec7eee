"""Reading a sentence-transformers repository: what its own files say of how its vectors are made.

Nothing is guessed: a repository that does not say how it pools, or has a part this product does not run,
is refused with the reason.
"""

from __future__ import annotations

import json
import re
from typing import Any

from zbm_core.semantic.hub import Hub
from zbm_core.semantic.model import NAME, Model, ModelError, ModelFile

#: ONNX graphs by preference: float32 first, since a text's vector must not depend on its batch mates.
GRAPHS = ("onnx/model.onnx", "model.onnx", "onnx/model_fp16.onnx")
_POOLING = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_lasttoken": "last",
    # The shorter form of later versions.
    "mean": "mean",
    "cls": "cls",
    "lasttoken": "last",
}
#: Names that prompts have in ``config_sentence_transformers.json``.
_QUERY_PROMPTS, _PASSAGE_PROMPTS = ("query", "search_query"), ("passage", "document", "search_document")
_MAX_WINDOW = 8192


def read_repository(hub: Hub, repository: str, revision: str = "main") -> Model:
    """The record of *repository* at *revision*, pinned to its commit, not yet calibrated.

    Raises:
        DownloadError: the hub cannot be reached or has no such repository.
        ModelError: it is not a sentence-transformers model with an ONNX graph that can be run here.
    """
    if not re.fullmatch(f"{NAME}/{NAME}", repository):
        raise ModelError(f"{repository} is not the name of a model: write it as owner/name.")
    about = hub.about(repository, revision)
    commit = about["sha"]
    files = hub.tree(repository, commit)
    reader = _Reader(hub, repository, commit, files)
    graph = next((path for path in GRAPHS if path in files), None)
    if graph is None:
        raise ModelError(f"{repository} has no ONNX graph that can be used ({', '.join(GRAPHS)}).")
    if "tokenizer.json" not in files:
        raise ModelError(f"{repository} has no tokenizer.json.")
    wanted = [files[graph], files["tokenizer.json"]]
    # Weights over 2 GB are kept beside the graph.
    wanted += [file for path, file in files.items() if path.startswith(f"{graph}_data")]
    config = reader.json("config.json")
    width = config.get("hidden_size") or config.get("dim")
    if not isinstance(width, int):
        raise ModelError(f"{repository} does not say how wide its vectors are.")
    query_prefix, passage_prefix = reader.prompts()
    pooling = reader.pooling(prompted=bool(query_prefix or passage_prefix))
    card = about.get("cardData") or {}
    model = Model(
        name=repository.split("/")[1],
        revision=commit[:12],
        repository=repository,
        hub_revision=commit,
        files=tuple(wanted),
        graph=graph,
        tokenizer="tokenizer.json",
        pooling=pooling,
        native_width=width,
        width=width,
        max_tokens=reader.window(config),
        query_prefix=query_prefix,
        passage_prefix=passage_prefix,
        licence=str(card.get("license", "")),
        title=repository.split("/")[1],
    )
    model.check()
    return model


class _Reader:
    def __init__(self, hub: Hub, repository: str, commit: str, files: dict[str, ModelFile]) -> None:
        self._hub, self._repository, self._commit, self._files = hub, repository, commit, files

    def json(self, path: str, *, optional: bool = False) -> Any:
        if path not in self._files:
            if optional:
                return {}
            raise ModelError(f"{self._repository} has no {path}.")
        damaged = f"{path} of {self._repository} is damaged."
        try:
            content = json.loads(self._hub.read(self._repository, self._commit, path))
        except ValueError as error:
            raise ModelError(damaged, str(error)) from error
        if not isinstance(content, list if path == "modules.json" else dict):
            raise ModelError(damaged, f"it is a {type(content).__name__}")
        return content

    def prompts(self) -> tuple[str, str]:
        """What is put before a query and before a passage."""
        config = self.json("config_sentence_transformers.json", optional=True)
        prompts = config.get("prompts") or {}
        standard = prompts.get(config.get("default_prompt_name")) or ""
        return _prompt(prompts, _QUERY_PROMPTS) or standard, _prompt(prompts, _PASSAGE_PROMPTS) or standard

    def pooling(self, *, prompted: bool) -> str:
        folder = None
        for module in self.json("modules.json"):
            kind = str(module.get("type", "")).rsplit(".", 1)[-1]
            if kind == "Pooling":
                folder = module.get("path", "")
            elif kind not in {"Transformer", "Normalize"}:
                raise ModelError(f"{self._repository} has a {kind} layer, which is not run here.")
        if folder is None:
            raise ModelError(f"{self._repository} does not say how it pools its tokens.")
        config = self.json(f"{folder}/config.json")
        if prompted and config.get("include_prompt") is False:
            raise ModelError(
                f"{self._repository} leaves its prompts out of the pooling, which is not done here."
            )
        modes = [mode for mode, chosen in config.items() if mode.startswith("pooling_mode_") and chosen]
        modes = modes or [str(config.get("pooling_mode"))]
        if len(modes) != 1 or modes[0] not in _POOLING:
            raise ModelError(f"{self._repository} pools in a way that is not known here: {', '.join(modes)}.")
        return _POOLING[modes[0]]

    def window(self, config: dict[str, Any]) -> int:
        """Tokens at most: the repository's own limit, else the network's positions."""
        settings = self.json("sentence_bert_config.json", optional=True)
        if settings.get("do_lower_case"):
            raise ModelError(f"{self._repository} wants its texts in small letters, which is not done here.")
        own = settings.get("max_seq_length")
        limit = own if isinstance(own, int) else config.get("max_position_embeddings")
        if not isinstance(limit, int):
            raise ModelError(f"{self._repository} does not say how long a text may be.")
        # RoBERTa's kin count positions from the padding's number on.
        if own is None and config.get("model_type") in {"roberta", "xlm-roberta", "camembert"}:
            limit -= 2
        return min(limit, _MAX_WINDOW)


def _prompt(prompts: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((str(prompts[name]) for name in names if prompts.get(name)), "")
