"""Token estimates by script, without a tokenizer.

A model's own tokenizer is neither loaded while documents are read nor the same for every model, so
sizes are estimated from the characters: how many of a script make one token of a multilingual
vocabulary. Spaces cost nothing.
"""

from __future__ import annotations

import unicodedata

_LATIN, _CYRILLIC, _SEMITIC, _INDOCHINESE, _CJK, _OTHER = 1 / 4, 1 / 3, 1 / 2.5, 1 / 1.5, 1 / 1.4, 1 / 2
_RANGES = (
    (0x0370, 0x03FF, _OTHER), (0x0400, 0x052F, _CYRILLIC), (0x0590, 0x077F, _SEMITIC),
    (0x08A0, 0x08FF, _SEMITIC), (0x0E00, 0x0EFF, _INDOCHINESE), (0x1000, 0x109F, _INDOCHINESE),
    (0x1100, 0x11FF, _CJK), (0x1780, 0x17FF, _INDOCHINESE), (0x1E00, 0x1EFF, _LATIN),
    (0x3040, 0x30FF, _CJK), (0x3130, 0x318F, _CJK), (0x3400, 0x4DBF, _CJK), (0x4E00, 0x9FFF, _CJK),
    (0xA960, 0xA97F, _CJK), (0xAC00, 0xD7FF, _CJK), (0xF900, 0xFAFF, _CJK), (0xFB1D, 0xFDFF, _SEMITIC),
    (0xFE70, 0xFEFF, _SEMITIC), (0xFF21, 0xFF3A, _LATIN), (0xFF41, 0xFF5A, _LATIN),
    (0xFF66, 0xFF9F, _CJK), (0x20000, 0x3FFFF, _CJK),
)  # fmt: skip

_ASCII_LETTERS = bytes(range(65, 91)) + bytes(range(97, 123))
_ASCII_SPACES = b" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f"


class _Costs(dict[str, float]):
    def __missing__(self, char: str) -> float:
        cost = self[char] = _cost(char)
        return cost


def _cost(char: str) -> float:
    if char.isspace():
        return 0.0
    category = unicodedata.category(char)
    if category == "Nd" or category[0] not in "LM":
        return 1.0
    code = ord(char)
    if code < 0x0250:
        return _LATIN
    for first, last, cost in _RANGES:
        if first <= code <= last:
            return cost
    return _OTHER


_costs = _Costs()


def estimate(text: str) -> float:
    """Estimated tokens of *text*."""
    data = text.encode("utf-8", "surrogatepass")
    others = data.translate(None, _ASCII_LETTERS)
    letters = len(data) - len(others)
    others = others.translate(None, _ASCII_SPACES)
    if others.isascii():
        return letters * _LATIN + len(others)
    rest = others.decode("utf-8", "surrogatepass")
    return letters * _LATIN + sum(map(_costs.__getitem__, rest))
