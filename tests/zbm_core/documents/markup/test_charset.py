"""Bytes become the text they stand for, whatever was declared."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zbm_core.documents.markup.charset import codecs_of, declared_in, decode

JAPANESE = "図書館は、資料を集めて整理し、保存して、利用者に提供する施設である。気候の変動は農業に影響する。"
CHINESE = "图书馆学是研究图书馆的发生、发展、组织管理的科学。气候变化影响农业生产和水资源。"
TAIWAN = "圖書館學是研究圖書館的發生發展、組織管理的科學。氣候變遷對農業生產與水資源造成影響。"
KOREAN = (
    "도서관은 자료를 수집하고 정리하여 이용자에게 제공하는 시설을 말한다. 기후 변화는 농업에 영향을 준다."
)
RUSSIAN = "Библиотека собирает, хранит и предоставляет читателям книги. Изменение климата влияет на урожай."
GERMAN = "Die Bücherei sammelt Bücher für Leser. Größere Städte führen mehrere Häuser; das kühle Klima ändert sich."
ARABIC = "المكتبة مكان تجمع فيه الكتب وتحفظ وتنظم للقراء. يؤثر تغير المناخ على الإنتاج الزراعي والمياه."
GREEK = "Η βιβλιοθήκη συλλέγει και φυλάσσει βιβλία για τους αναγνώστες. Το κλίμα επηρεάζει τη γεωργία."

TEXTS = [
    (JAPANESE, "shift_jis"), (JAPANESE, "euc_jp"), (JAPANESE, "iso2022_jp"), (CHINESE, "gb18030"), (TAIWAN, "big5"),
    (KOREAN, "euc_kr"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8_r"), (GERMAN, "cp1252"), (ARABIC, "cp1256"),
    (GREEK, "iso8859_7"), (GERMAN, "utf-8"), (CHINESE, "utf-8"), (RUSSIAN, "utf-8"),
    (JAPANESE, "utf-16-le"), (GERMAN, "utf-16-le"), (RUSSIAN, "utf-16-be"), (CHINESE, "utf-16-be"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "charset"), TEXTS)
@pytest.mark.parametrize("times", [1, 40])
def test_texts_that_declare_nothing_are_told_by_their_bytes(text: str, charset: str, times: int) -> None:
    assert decode((text * times).encode(charset)).text == text * times


@pytest.mark.parametrize(("text", "charset"), TEXTS[:11])
def test_pages_that_declare_nothing_too(text: str, charset: str) -> None:
    menu = (
        "<ul class='menu'>"
        + "<li><a href='/page.html'>Home</a></li>" * 60
        + "</ul><script>var a = 1;</script>"
    )
    page = f"<html><head><title>x</title></head><body>{menu}<p>{text}</p></body></html>"
    assert decode(page.encode(charset), markup=True).text == page


@pytest.mark.parametrize(
    ("head", "charset"),
    [
        ("<meta charset=shift_jis>", "shift_jis"),
        ("<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=Shift_JIS'>", "shift_jis"),
        ("<meta content='text/html;charset=x-sjis' http-equiv=content-type />", "shift_jis"),
        ("<?xml version='1.0' encoding='EUC-JP'?><html>", "euc_jp"),
        ("<!-- <meta charset=koi8-r> --><meta charset=euc-jp>", "euc_jp"),
        ("<meta name=a content='charset=koi8-r'><meta charset=euc-jp>", "euc_jp"),
        ("<meta charset=nonsense><meta charset=euc-jp>", "euc_jp"),
        ("<style>" + "x" * 5000 + "</style><meta charset=shift_jis>", "shift_jis"),
    ],
)
def test_declarations_are_read_as_browsers_do(head: str, charset: str) -> None:
    page = head + "<p>" + JAPANESE
    decoded = decode(page.encode(charset), markup=True)
    assert decoded.text == page
    assert decoded.declared


def test_marks_stand_above_declarations() -> None:
    page = "<meta charset=iso-8859-1><p>" + GREEK
    for charset in ("utf-8-sig", "utf-16"):
        assert decode(page.encode(charset), markup=True).text == page
    assert decode(b"\xfe\xff" + page.encode("utf-16-be"), markup=True).text == page


@pytest.mark.parametrize(
    ("declared", "text", "charset"),
    [
        ("utf-8", RUSSIAN, "cp1251"),  # does not decode
        ("shift_jis", JAPANESE, "euc_jp"),
        ("gb2312", CHINESE, "utf-8"),  # decodes, but whole UTF-8 is no chance
        ("iso-8859-1", GREEK, "utf-8"),
    ],
)
def test_a_declaration_that_is_wrong_is_overruled(declared: str, text: str, charset: str) -> None:
    page = f"<meta charset={declared}><p>{text}"
    decoded = decode(page.encode(charset), markup=True)
    assert decoded.text == page
    assert not decoded.declared


def test_a_declaration_holds_where_it_can_be_true() -> None:
    # Bytes that KOI8 and windows-1251 both read: what the page says counts.
    page = f"<meta charset=koi8-r><p>{RUSSIAN}"
    assert decode(page.encode("cp1251"), markup=True).charset == "koi8_r"


def test_utf8_that_is_broken_in_the_middle_stays_utf8() -> None:
    data = RUSSIAN.encode() * 20
    broken = data[:701] + b"\xff\xd0" + data[702:]
    for page in (broken, b"<meta charset=utf-8>" + broken):
        decoded = decode(page, markup=True)
        assert decoded.charset == "utf-8"
        assert 1 <= decoded.text.count("\ufffd") <= 4
        assert RUSSIAN * 5 in decoded.text


def test_labels_mean_what_browsers_mean() -> None:
    assert codecs_of("latin1") == codecs_of("ISO-8859-1") == codecs_of("us-ascii") == ("cp1252",)
    assert codecs_of("gb2312") == codecs_of("GBK") == ("gb18030",)
    assert codecs_of("iso-8859-9") == ("cp1254",)
    assert codecs_of("ks_c_5601-1987") == ("cp949",)
    assert codecs_of("tis-620") == ("cp874",)
    assert codecs_of("rot13") == codecs_of("unicode_escape") == codecs_of("") == ()
    assert declared_in(b"<meta charset=utf-16le>") == "utf-8"
    # Bytes that windows-1252 leaves free are control characters, no errors.
    assert decode(b"<meta charset=latin1>a\x81b \xe9t\xe9", markup=True).text.endswith("a\x81b été")


def test_every_codec_exists() -> None:
    from zbm_core.documents.markup import charset

    for names in charset._LABELS.values():
        for name in names:
            assert "a".encode(name).decode(name) == "a"


@settings(max_examples=300, deadline=None)
@given(
    st.binary(max_size=400),
    st.sampled_from(["", "utf-8", "gb2312", "hz", "iso-2022-kr", "utf-16", "big5", "x"]),
)
def test_any_bytes_give_a_text(data: bytes, label: str) -> None:
    decoded = decode(data, label=label)
    assert isinstance(decoded.text, str)
    decode(b"<meta charset=" + label.encode() + b">" + data, markup=True)


def test_random_bytes_of_many_kinds_give_a_text() -> None:
    chance = random.Random(4)
    for _ in range(1000):
        head = chance.choice([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1b$B", b"~{", b"\x1b$)C", b"\xd8\x00"])
        assert isinstance(decode(head + chance.randbytes(chance.randrange(200))).text, str)
