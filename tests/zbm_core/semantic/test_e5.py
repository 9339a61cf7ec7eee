"""The packaged model: its weights read, its graph against one written out in numpy, its damage said."""

import math
import struct

import numpy as np
import pytest

from zbm_core.semantic import Encoder, ModelError
from zbm_core.semantic.e5_weights import BLOCK, MAGIC, ZERO_POINT, E5Weights
from zbm_core.semantic.making import packaged_weights


@pytest.fixture(scope="module")
def weights():
    try:
        return E5Weights(packaged_weights())
    except ModelError as error:
        pytest.skip(error.message)


def gelu(values):
    erf = np.vectorize(math.erf)
    return values * 0.5 * (1 + erf(values / np.sqrt(2)))


class Reference:
    """The network as BERT's paper has it, one text, float64, nothing fused."""

    def __init__(self, weights):
        self.weights, self.shape = weights, weights.shape

    def linear(self, states, name, inputs):
        return states @ self.weights.matrix(f"{name}.w", inputs).T.astype(float) + self.weights.vector(
            f"{name}.b"
        )

    def normed(self, states, name):
        mean, spread = states.mean(-1, keepdims=True), states.var(-1, keepdims=True)
        scaled = (states - mean) / np.sqrt(spread + self.shape.epsilon)
        return scaled * self.weights.vector(f"{name}.w") + self.weights.vector(f"{name}.b")

    def embed(self, ids):
        shape, weights = self.shape, self.weights
        hidden = shape.hidden
        table = weights.matrix("emb.word", hidden)
        positions = weights.vector("emb.pos").reshape(-1, hidden)[: len(ids)]
        states = table[ids].astype(float) + positions + weights.vector("emb.type")[:hidden]
        states = self.normed(states, "emb.ln")
        for number in range(shape.layers):
            name = f"l{number}"
            heads = [
                self.linear(states, f"{name}.{part}", hidden)
                .reshape(len(ids), shape.heads, -1)
                .swapaxes(0, 1)
                for part in "qkv"
            ]
            closeness = heads[0] @ heads[1].swapaxes(1, 2) / np.sqrt(hidden // shape.heads)
            shares = np.exp(closeness - closeness.max(-1, keepdims=True))
            shares /= shares.sum(-1, keepdims=True)
            context = (shares @ heads[2]).swapaxes(0, 1).reshape(len(ids), hidden)
            states = self.normed(self.linear(context, f"{name}.ao", hidden) + states, f"{name}.aln")
            wide = gelu(self.linear(states, f"{name}.fi", hidden))
            states = self.normed(self.linear(wide, f"{name}.fo", shape.feed_forward) + states, f"{name}.oln")
        return states.mean(axis=0)


def test_the_weights_are_those_of_the_model(weights):
    shape = weights.shape
    assert (shape.hidden, shape.layers, shape.heads, shape.feed_forward) == (384, 12, 12, 1536)
    assert len(weights.pieces) == len(weights.scores) > 250_000
    assert [weights.pieces[number] for number in (weights.bos, weights.eos, weights.pad)] == [
        "<s>",
        "</s>",
        "<pad>",
    ]


def test_blocks_and_matrix_are_the_same_numbers(weights):
    stored, scales = weights.blocks("l0.q.w", 384)
    assert stored.shape == (384, 384) and scales.shape == (384, 384 // BLOCK)
    assert stored.max() <= 15
    by_hand = (stored[7, 40].astype(float) - ZERO_POINT) * scales[7, 40 // BLOCK]
    assert weights.matrix("l0.q.w", 384)[7, 40] == pytest.approx(by_hand)


def test_the_graph_computes_what_the_paper_says(weights, e5):
    text = "passage: Soils hold carbon."
    encoder = Encoder(*e5)
    try:
        vector = encoder.raw_passages(["Soils hold carbon."])[0]
    finally:
        encoder.close()
    from tokenizers import Tokenizer

    ids = Tokenizer.from_file(str(e5[0] / e5[1].tokenizer)).encode(text).ids
    expected = Reference(weights).embed(ids)
    assert np.abs(vector - expected).max() < 1e-4


def test_an_unknown_tensor_is_said(weights):
    with pytest.raises(ModelError, match="unknown form"):
        weights.vector("l99.q.w")


def header(**changes):
    fields = {"block": BLOCK, "pieces": 2, **changes}
    return b"".join(
        [
            MAGIC,
            struct.pack("<8i", 1, 8, 1, 1, 8, 2, 4, 1),
            struct.pack("<fi", 1e-12, fields["block"]),
            struct.pack("<5i", fields["pieces"], 0, 1, 0, 1),
            struct.pack("<Q", 2),
            struct.pack("<3I", 0, 1, 2),
            struct.pack("<2f", 0, -1),
            b"ab",
            struct.pack("<iI", 0, 0),
            struct.pack("<i", 1),
            struct.pack("<H", 3) + b"l.w" + struct.pack("<BIQQ", 0, 4, 90, fields.get("length", 4)),
        ]
    )


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"E5S",
        b"X" * 500,
        header(block=64) + b"\0" * 40,
        header(pieces=10**6) + b"\0" * 40,
        header(pieces=-3) + b"\0" * 40,
        header(length=2**60) + b"\0" * 40,
        header()[:70],
    ],
    ids=[
        "empty",
        "short",
        "other",
        "other blocks",
        "too many pieces",
        "negative",
        "cut",
        "cut in the pieces",
    ],
)
def test_a_damaged_file_is_said(tmp_path, content):
    (tmp_path / "w.bin").write_bytes(content)
    with pytest.raises(ModelError, match="damaged"):
        E5Weights(tmp_path / "w.bin")


def test_a_missing_file_is_said(tmp_path):
    with pytest.raises(ModelError, match="damaged"):
        E5Weights(tmp_path / "none.bin")


def test_a_missing_package_is_said(monkeypatch):
    monkeypatch.setattr("zbm_core.semantic.making.WEIGHTS_PACKAGE", "no_such_package")
    with pytest.raises(ModelError, match="has no build for this system"):
        packaged_weights()
