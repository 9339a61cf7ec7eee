import json

import numpy as np
import pytest

from tests.support.hub_server import REVISION, HubServer
from tests.support.models import WORDS, tiny_repository, tiny_table
from zbm_core.semantic import DownloadError, Encoder, Hub, ModelError, Shelf, read_repository


@pytest.fixture
def read(monkeypatch):
    """Serve the files of a repository and read its record; the hub goes on serving."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    servers = []

    def read(files, name="owner/model"):
        servers.append(HubServer(files))
        return read_repository(Hub(servers[-1].endpoint), name)

    read.hub = lambda: Hub(servers[-1].endpoint)
    yield read
    for server in servers:
        server.__exit__(None, None, None)


def rows(text):
    return tiny_table()[
        [WORDS.index(word) if word in WORDS else 3 for word in ["<s>", *text.split(), "</s>"]]
    ]


EXPECTED = {
    "mean_tokens": lambda text: rows(text).mean(axis=0),
    "cls_token": lambda text: rows(text)[0],
    "lasttoken": lambda text: rows(text)[-1],
}


@pytest.mark.parametrize("pooling", EXPECTED)
def test_a_repository_is_read_installed_and_run_as_it_says(read, tmp_path, pooling):
    model = read(tiny_repository(pooling, prompts={"query": "query: ", "passage": "passage: "}))
    assert (model.query_prefix, model.passage_prefix) == ("query: ", "passage: ")
    assert (model.native_width, model.width, model.max_tokens) == (8, 8, 32)
    assert (model.hub_revision, model.licence) == (REVISION, "mit")
    shelf = Shelf(tmp_path)
    encoder = Encoder(shelf.folder_of("model"), shelf.install(model, read.hub()))
    try:
        texts = ["the soil", "carbon in the soil in water", "river nonsense"]
        for text, vector in zip(texts, encoder.raw_passages(texts), strict=True):
            assert np.allclose(vector, EXPECTED[pooling](f"passage: {text}"), atol=1e-6)
        assert np.allclose(encoder.raw_query("soil")[0], EXPECTED[pooling]("query: soil"), atol=1e-6)
    finally:
        encoder.close()


def test_texts_are_cut_to_the_models_window(read, tmp_path):
    model = read(tiny_repository("lasttoken"))
    shelf = Shelf(tmp_path)
    encoder = Encoder(shelf.folder_of("model"), shelf.install(model, read.hub()))
    try:
        (batch,) = encoder.batches(["soil " * 500])
        assert batch.tokens == 32
        assert np.allclose(batch.vectors[0], rows("")[-1], atol=1e-6)  # the mark at the end is kept
    finally:
        encoder.close()


def test_later_forms_are_understood(read):
    files = tiny_repository(changes={
        "1_Pooling/config.json": b'{"embedding_dimension": 8, "pooling_mode": "cls"}',
        "config_sentence_transformers.json": b'{"prompts": {"document": "d: ", "web": "w: "}, "default_prompt_name": "web"}',
        "sentence_bert_config.json": None,
    })  # fmt: skip
    model = read(files)
    assert model.pooling == "cls"
    assert (model.query_prefix, model.passage_prefix) == ("w: ", "d: ")
    assert model.max_tokens == 64


def test_roberta_counts_positions_from_two(read):
    config = {"hidden_size": 8, "max_position_embeddings": 66, "model_type": "xlm-roberta"}
    files = tiny_repository(
        changes={"config.json": json.dumps(config).encode(), "sentence_bert_config.json": None}
    )
    assert read(files).max_tokens == 64


def test_weights_beside_the_graph_belong_to_the_model(read):
    model = read(tiny_repository(changes={"onnx/model.onnx_data": b"weights"}))
    assert [file.path for file in model.files] == [
        "onnx/model.onnx",
        "tokenizer.json",
        "onnx/model.onnx_data",
    ]


MODULES = json.loads(tiny_repository()["modules.json"])
REFUSED = {
    "no graph": ({"onnx/model.onnx": None}, "no ONNX graph"),
    "no tokenizer": ({"tokenizer.json": None}, r"no tokenizer\.json"),
    "no modules": ({"modules.json": None}, r"no modules\.json"),
    "damaged modules": ({"modules.json": b"[{"}, "damaged"),
    "modules of another form": ({"modules.json": b"{}"}, "damaged"),
    "config of another form": ({"config.json": b"[]"}, "damaged"),
    "no pooling": ({"modules.json": json.dumps(MODULES[:1]).encode()}, "does not say how it pools"),
    "a dense layer": (
        {"modules.json": json.dumps([*MODULES, {"type": "sentence_transformers.models.Dense"}]).encode()},
        "Dense layer",
    ),
    "pooling of two kinds": (
        {"1_Pooling/config.json": b'{"pooling_mode_mean_tokens": true, "pooling_mode_max_tokens": true}'},
        "pools in a way",
    ),
    "pooling unknown": ({"1_Pooling/config.json": b'{"pooling_mode": "weightedmean"}'}, "pools in a way"),
    "no width": ({"config.json": b'{"max_position_embeddings": 64}'}, "how wide"),
    "no length": ({"config.json": b'{"hidden_size": 8}', "sentence_bert_config.json": b"{}"}, "how long"),
    "small letters": ({"sentence_bert_config.json": b'{"do_lower_case": true}'}, "small letters"),
    "prompts left out": (
        {
            "1_Pooling/config.json": b'{"pooling_mode": "mean", "include_prompt": false}',
            "config_sentence_transformers.json": b'{"prompts": {"query": "q: "}}',
        },
        "leaves its prompts out",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_run_is_refused_with_the_reason(read, what):
    changes, reason = REFUSED[what]
    with pytest.raises(ModelError, match=reason):
        read(tiny_repository(changes=changes))


@pytest.mark.parametrize("name", ["model", "a/b/c", "../x", "a b/c", ""])
def test_a_name_that_is_none_asks_no_hub(name):
    with pytest.raises(ModelError, match="owner/name"):
        read_repository(Hub("http://127.0.0.1:9"), name)


def test_an_unknown_repository_is_said(read):
    with pytest.raises(DownloadError, match="no such model"):
        read(tiny_repository(), "owner/other")


def test_a_sign_in_page_is_no_hub(read, monkeypatch):
    monkeypatch.setattr(
        HubServer, "_json", lambda self, request, answer: self._plain(request, 200, b"<html>")
    )
    with pytest.raises(DownloadError, match="sign-in"):
        read(tiny_repository())


def test_a_graph_of_another_width_is_refused_when_it_is_loaded(read, tmp_path):
    config = {"hidden_size": 16, "max_position_embeddings": 64}
    model = read(tiny_repository(changes={"config.json": json.dumps(config).encode()}))
    shelf = Shelf(tmp_path)
    encoder = Encoder(shelf.folder_of("model"), shelf.install(model, read.hub()))
    with pytest.raises(Exception, match="8 wide and its record says 16"):
        encoder.query("soil")
    encoder.close()
