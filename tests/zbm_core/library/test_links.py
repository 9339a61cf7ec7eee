from urllib.parse import parse_qs, urlsplit

import pytest

from zbm_core.documents.structure import Selector
from zbm_core.library import ItemKey, LibraryInfo, open_pdf_link, open_text_link, select_link
from zbm_core.library.links import is_key

MINE = LibraryInfo(1, "user", "My Library", None)
GROUP = LibraryInfo(3, "group", "Group", 4711)


def test_select():
    assert select_link(MINE, ItemKey(1, "ABCD2345")) == "zotero://select/library/items/ABCD2345"
    assert select_link(GROUP, ItemKey(3, "ABCD2345")) == "zotero://select/groups/4711/items/ABCD2345"


def test_open():
    key, mark = ItemKey(1, "ABCD2345"), ItemKey(1, "MARK2345")
    base = "zotero://open-pdf/library/items/ABCD2345"
    assert open_pdf_link(MINE, key) == base
    assert open_pdf_link(MINE, key, page=12) == f"{base}?page=12"
    assert open_pdf_link(MINE, key, annotation=mark) == f"{base}?annotation=MARK2345"
    assert open_pdf_link(MINE, key, 1, mark) == f"{base}?page=1&annotation=MARK2345"
    in_group = open_pdf_link(GROUP, ItemKey(3, "ABCD2345"), page=2)
    assert in_group == "zotero://open-pdf/groups/4711/items/ABCD2345?page=2"


def test_open_at_a_place_of_a_text():
    key = ItemKey(1, "ABCD2345")
    base = "zotero://open/library/items/ABCD2345"
    assert open_text_link(MINE, key) == base
    cfi = "epubcfi(/6/8[c&1]!/4/2,/1:0,/5/1:20)"
    assert open_text_link(MINE, key, Selector("FragmentSelector", cfi)) == (
        f"{base}?cfi=epubcfi%28%2F6%2F8%5Bc%261%5D%21%2F4%2F2%2C%2F1%3A0%2C%2F5%2F1%3A20%29"
    )
    link = open_text_link(MINE, key, Selector("CssSelector", "#main > p:nth-child(2)", 3, 9))
    assert parse_qs(urlsplit(link).query) == {"sel": ["#main > p:nth-child(2)"]}
    in_group = open_text_link(GROUP, ItemKey(3, "ABCD2345"), Selector("CssSelector", "p"))
    assert in_group == "zotero://open/groups/4711/items/ABCD2345?sel=p"
    assert open_text_link(MINE, key, Selector("TextPositionSelector", "", 3, 9)) == base
    with pytest.raises(ValueError, match="not in library"):
        open_text_link(GROUP, key)


@pytest.mark.parametrize(
    "key", ["", "abcd2345", "ABCD234", "ABCD23456", "ABCD234/", "ABCD2345\n", "ＡBCD2345"]
)
def test_keys_that_are_none(key):
    assert not is_key(key)
    with pytest.raises(ValueError, match="not a Zotero key"):
        select_link(MINE, ItemKey(1, key))
    with pytest.raises(ValueError, match="not a Zotero key"):
        open_pdf_link(MINE, ItemKey(1, "ABCD2345"), annotation=ItemKey(1, key))


def test_keys_of_another_library_and_pages_that_are_none():
    with pytest.raises(ValueError, match="not in library"):
        select_link(GROUP, ItemKey(1, "ABCD2345"))
    for page in (0, -1):
        with pytest.raises(ValueError, match="pages count from 1"):
            open_pdf_link(MINE, ItemKey(1, "ABCD2345"), page=page)
