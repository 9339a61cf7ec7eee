"""The signs and words by which lists, captions, sentences and scripts are told."""

from __future__ import annotations

import re

LIST_MARK = re.compile(
    r"(?:[•‣▪▫●○◦■□◆◇►▶➢✓✔\uf0b7\uf0a7·]|√(?=[\u4e00-\u9fff])|[-–—*]\s|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]\s|\[\d{1,3}\]|[（(][一二三四五六七八九十\d]+[）)])"
)
BULLETS = frozenset("•‣▪▫●○■□◆◇►▶➢✓✔√\uf0b7\uf0a7")
"""Signs that begin an item wherever a line begins with them."""

ENDS = re.compile(r"[.!?…:;。！？；：؟۔।][\"'”’»)\]）」』】]*(?:\s?\[?\d{1,3}(?:[,–-]\d{1,3})*\]?)?$")
OPENS = re.compile(r"^[\"'“‘(\[]?[^\W\d_]")
TAIL = 24
"""Characters at the end of a line among which the end of a sentence is looked for."""

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")

CAPTION = re.compile(
    r"(?:(?:supplementary|extended data|appendix)\s+)?"
    r"(?:fig(?:ure|\.)?|table|tab\.|scheme|box|chart|plate|listing|algorithm|abbildung|abb\.|tabelle|figura|"
    r"tabla|tableau|tabela|tabella|рис(?:унок|\.)|табл(?:ица|\.)|图|圖|表|図|그림|표|شكل|الشكل|جدول|الجدول)"
    r"\s*(?:[A-Z]?\d+|[IVX]+\b|[一二三四五六七八九十]+)",
    re.IGNORECASE,
)
