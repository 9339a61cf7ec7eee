from tests.zbm_gui.item_tree.samples import item
from zbm_core.library.records import Creator, ItemKey
from zbm_gui.item_pane.fields import collection_paths, fields_of, file_name


def labels(record) -> list[str]:
    return [field.label for field in fields_of(record)]


def test_every_filled_field_is_listed_in_its_order(shelf):
    fields = fields_of(shelf.items[ItemKey(1, "ITEMAAAA")])
    assert [(f.label, f.value) for f in fields[:-3]] == [
        ("Item type", "Journal article"),
        ("Author", "Ng, Lin"),
        ("Author", "Smith, Ada"),
        ("Editor", "Roy, Jo"),
        ("Publication", "Journal of Soil Science"),
        ("Volume", "12"),
        ("Issue", "3"),
        ("Pages", "101-119"),
        ("Date", "2019"),
        ("DOI", "10.1000/soil.12"),
    ]
    assert [f.label for f in fields[-3:]] == ["URL", "Date added", "Date modified"]


def test_a_field_that_nobody_named_here_is_listed_too():
    record = item("I", "T", fields=(("university", "Oslo"), ("aFieldOfALaterZotero", "x"), ("PMID", "12")))
    found = dict(fields_of(record))
    assert found["University"] == "Oslo"
    assert found["A field of alater zotero"] == "x" or "x" in found.values()
    assert found["PMID"] == "12"


def test_title_and_abstract_have_their_own_places(shelf):
    case = shelf.items[ItemKey(1, "ITEMGGGG")]
    assert labels(case) == ["Item type", "Court", "Date decided", "Date added", "Date modified"]
    record = item("I", "T", abstract="A")
    assert "A" not in dict(fields_of(record)).values()
    assert "T" not in dict(fields_of(record)).values()


def test_empty_fields_are_left_out():
    record = item("I", "T", publication="", year=None, fields=(("extra", "   "),), creators=())
    assert labels(record) == ["Item type", "Date added", "Date modified"]


def test_institutions_have_one_name():
    record = item("I", "T", creators=(Creator("author", "", "Food and Agriculture Organization"),))
    assert dict(fields_of(record))["Author"] == "Food and Agriculture Organization"


def test_an_attachment_says_its_file_whichever_system_wrote_it(shelf):
    fields = dict(fields_of(shelf.attachments[ItemKey(1, "ATTDDDDD")]))
    assert fields["Kind"] == "PDF"
    assert fields["File name"] == "全文.pdf"
    assert file_name("storage:a.pdf") == "a.pdf"
    assert file_name("attachments:folder/b.pdf") == "b.pdf"
    assert file_name(r"C:\Users\ada\c d.pdf") == "c d.pdf"
    assert file_name("/home/ada/e.pdf") == "e.pdf"
    assert file_name("") == ""


def test_collections_are_said_with_those_they_are_in(shelf):
    assert collection_paths(shelf, (ItemKey(1, "COLLBBBB"),)) == ["Soils > Long-term plots"]
    assert collection_paths(shelf, (ItemKey(1, "GONE2222"),)) == []
