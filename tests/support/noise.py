"""Models of what text recognition and broken fonts leave of a text. Each takes a generator and a text."""

from __future__ import annotations

import random
from collections.abc import Callable

Noise = Callable[[random.Random, str], str]

SIGNS = "~|^`'\".,;:!_-\\*°§¦«»•■□"
STROKES = "lIi1|jtfr"


def isolated_signs(rng: random.Random, text: str) -> str:
    """A picture taken for text: signs alone, with a letter here and there."""
    pieces = (
        "".join(
            rng.choice(SIGNS if rng.random() < 0.7 else text) for _ in range(rng.choice((1, 1, 1, 2, 2, 3)))
        )
        for _ in range(rng.randint(10, 80))
    )
    return " ".join(piece.strip() for piece in pieces if piece.strip())


def broken_words(rate: float) -> Noise:
    """A bad scan: this share of the characters is read as digits, punctuation, gaps or signs."""

    def spoil(rng: random.Random, text: str) -> str:
        out = []
        for char in text:
            draw = rng.random()
            if char.isspace() or draw > rate:
                out.append(char)
            elif draw < 0.4 * rate:
                out.append(rng.choice("0123456789"))
            elif draw < 0.8 * rate:
                out.append(rng.choice("~|^;!?\"'.,:*_"))
            else:
                out.append(" " if draw < 0.9 * rate else rng.choice("■□¦§°"))
        return "".join(out)

    return spoil


def replaced(first: int, count: int, rate: float) -> Noise:
    """A font without a map: this share of the characters comes out of *count* code points from *first* on."""

    def spoil(rng: random.Random, text: str) -> str:
        return "".join(
            chr(first + ord(char) % count) if not char.isspace() and rng.random() < rate else char
            for char in text
        )

    return spoil


def misread(encoding: str) -> Noise:
    """UTF-8 that was read as *encoding*."""
    return lambda _, text: text.encode().decode(encoding, "replace")


def strokes(rng: random.Random, text: str) -> str:
    """A hatching taken for text: the same few letters, each alone."""
    letters = rng.sample(STROKES, 4)
    return " ".join(rng.choice(letters) for _ in range(rng.randint(14, 60)))


def runs(rng: random.Random, text: str) -> str:
    """A rule or a texture taken for text: runs of one letter."""
    return " ".join(rng.choice("eolinsm") * rng.randint(3, 14) for _ in range(rng.randint(5, 20)))


def glyph_numbers(rng: random.Random, text: str) -> str:
    """Glyphs that some programs write by their numbers where a font has no map."""
    return "".join(f"(cid:{ord(char) % 255})" if not char.isspace() else " " for char in text[:100])


MODELS: dict[str, Noise] = {
    "isolated_signs": isolated_signs,
    "broken_words_35": broken_words(0.35),
    "broken_words_20": broken_words(0.2),
    "private_use": replaced(0xE000, 200, 1.0),
    "private_use_30": replaced(0xE000, 200, 0.3),
    "replacement_30": replaced(0xFFFD, 1, 0.3),
    "misread_cp1252": misread("cp1252"),
    "misread_latin1": misread("latin-1"),
    "strokes": strokes,
    "runs": runs,
    "glyph_numbers": glyph_numbers,
}
