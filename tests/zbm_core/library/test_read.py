"""What a database says, as records: at every schema that is read."""

import gc
import sqlite3
import weakref

import pytest

from resources.demo.zotero_database import ZoteroDatabase
from tests.support.sample_library import write_sample_library
from zbm_core.library import ItemKey, LibraryError, read_library


def user(key):
    return ItemKey(1, key)


@pytest.mark.parametrize("journal_mode", ["delete", "wal"])
@pytest.mark.parametrize("schema", range(95, 130))
def test_every_schema_reads_the_same(folder, scratch, schema, journal_mode):
    keys = write_sample_library(folder, schema=schema, journal_mode=journal_mode)
    with read_library(folder, scratch) as library:
        assert library.schema_version == schema
        assert library.warnings == ()
        assert library.user_key == "k7Qm2Xwd"
        article = library.items[user(keys.article)]
        assert article.item_type == "journalArticle"
        assert article.title == "On light"
        assert article.creator_summary == "Smith and Ng"
        assert [(person.role, person.full_name) for person in article.creators] == [
            ("author", "Ada Smith"),
            ("author", "Wei Ng"),
            ("editor", "Royal Society"),
        ]
        assert (article.date, article.date_sort, article.year) == ("08/2019", "2019-08-00", 2019)
        assert article.publication == "Annalen der Physik"
        assert article.abstract == "Waves & particles."
        assert article.fields == (
            ("title", "On light"),
            ("abstractNote", "Waves & particles."),
            ("publicationTitle", "Annalen der Physik"),
            ("volume", "17"),
            ("date", "08/2019"),
            ("DOI", "10.1000/light"),
        )
        assert article.tags == ("Light", "optics")
        assert article.collections == (user(keys.physics), user(keys.optics))
        assert (article.date_added, article.date_modified) == ("2020-01-02 03:04:05", "2021-01-02 03:04:05")
        case = library.items[user(keys.case)]
        assert (case.title, case.year, case.date) == ("Doe v. Roe", 2011, "2011")
        assert case.fields[0] == ("caseName", "Doe v. Roe")
        assert library.items[user(keys.film)].creator_summary == "Lang"
        kept = {article.key, case.key, user(keys.film), ItemKey(keys.group, keys.group_item)}
        if schema >= 111:
            kept.add(user(keys.in_binned))
        assert set(library.items) == kept
        assert set(library.attachments) == {user(keys.pdf), user(keys.link), user(keys.alone)}
        assert set(library.notes) == {user(keys.note), user(keys.alone_note)}
        if schema >= 112:
            assert set(library.annotations) == {
                user(key) for key in (keys.underline, keys.highlight, keys.alone_highlight, keys.external)
            }
        else:
            assert not library.annotations


def test_the_same_key_in_two_libraries_is_two_items(folder, scratch, keys):
    with read_library(folder, scratch) as library:
        assert library.items[user(keys.article)].title == "On light"
        assert library.items[ItemKey(keys.group, keys.article)].title == "Shared"
        assert library.children(ItemKey(keys.group, keys.article)) == ()
        assert library.children(user(keys.article)) == tuple(map(user, (keys.pdf, keys.link, keys.note)))


def test_libraries_are_the_users_and_the_groups_but_no_feeds(folder, scratch, keys):
    with ZoteroDatabase(folder / "other") as database:
        database.add_feed("Feed")
        database.add_library("publications")
        for number, name in ((9, "beta"), (8, "Alpha"), (7, "")):
            database.add_group(number, name)
        database.add_library("group")  # left behind by a group that is gone
    with read_library(folder / "other", scratch) as library:
        assert [(info.kind, info.name, info.group_id) for info in library.libraries.values()] == [
            ("user", "My Library", None),
            ("group", "Alpha", 8),
            ("group", "beta", 9),
            ("group", "Group 7", 7),
        ]


def test_annotations(folder, scratch, keys):
    with read_library(folder, scratch) as library:
        highlight = library.annotations[user(keys.highlight)]
        assert highlight.parent == user(keys.pdf)
        assert (highlight.kind, highlight.text, highlight.comment) == (
            "highlight",
            "first",
            "see here & there",
        )
        assert (highlight.color, highlight.page_label, highlight.tags) == ("#ff6666", "iv", ("quote",))
        assert highlight.position == '{"pageIndex":0,"rects":[[1,2,3,4]]}'
        # In reading order, whatever the order in which they were made.
        assert library.children(user(keys.pdf)) == tuple(
            map(user, (keys.highlight, keys.underline, keys.external))
        )
        external = library.annotations[user(keys.external)]
        assert (external.kind, external.text) == ("ink", "")
        assert library.children(user(keys.alone)) == (user(keys.alone_highlight),)


def test_annotation_authors_of_groups(folder, scratch):
    with ZoteroDatabase(folder) as database:
        group = database.add_group(5, "Group")
        pdf = database.add_attachment(title="PDF", library=group)
        named = database.add_annotation(pdf, "note", author="Named", library=group, sort_index="1")
        known = database.add_annotation(pdf, "note", library=group, sort_index="2")
        database.connection.execute("INSERT INTO users VALUES (99, 'Member')")
        database.connection.execute(
            "INSERT INTO groupItems VALUES (?, 99, 99)", (database.item_id(known, group),)
        )
    with read_library(folder, scratch) as library:
        authors = {key.key: annotation.author for key, annotation in library.annotations.items()}
        assert authors == {named: "Named", known: "Member"}


def test_attachments_and_notes(folder, scratch, keys):
    with read_library(folder, scratch) as library:
        pdf = library.attachments[user(keys.pdf)]
        assert pdf.parent == user(keys.article)
        assert (pdf.title, pdf.link_mode, pdf.content_type) == ("Full Text", 0, "application/pdf")
        assert pdf.path == "storage:Smith - On light.pdf"
        assert len(pdf.storage_hash) == 32
        link = library.attachments[user(keys.link)]
        assert (link.link_mode, link.url, link.path) == (3, "https://example.org/", "")
        alone = library.attachments[user(keys.alone)]
        assert (alone.parent, alone.collections) == (None, (user(keys.optics),))
        note = library.notes[user(keys.note)]
        assert (note.title, note.tags, note.parent) == ("Reading", ("todo",), user(keys.article))
        assert library.notes[user(keys.alone_note)].collections == (user(keys.physics),)


def test_last_read_and_sync_state(folder, scratch):
    with ZoteroDatabase(folder) as database:
        key = database.add_attachment(title="x", sync_state=2, last_read=1_700_000_000)
    with read_library(folder, scratch) as library:
        attachment = library.attachments[user(key)]
        assert (attachment.sync_state, attachment.last_read) == (2, 1_700_000_000)


def test_trash_is_judged_up_the_parents(folder, scratch, keys):
    with read_library(folder, scratch) as library:
        for name in (
            "trashed",
            "trashed_pdf",
            "trashed_note",
            "binned_pdf",
            "binned_highlight",
            "gone_highlight",
        ):
            assert library.record(user(getattr(keys, name))) is None, name
        assert library.children(user(keys.case)) == ()


def test_deleted_collections_take_what_is_below_them(folder, scratch, keys):
    with read_library(folder, scratch) as library:
        assert set(library.collections) == {user(keys.physics), user(keys.optics)}
        assert library.collections[user(keys.optics)].parent == user(keys.physics)
        assert library.items[user(keys.in_binned)].collections == ()


def test_collections_in_a_circle_are_left_out(folder, scratch):
    with ZoteroDatabase(folder) as database:
        one = database.add_collection("one")
        two = database.add_collection("two", parent=one)
        database.connection.execute("UPDATE collections SET parentCollectionID = 2 WHERE key = ?", (one,))
        fine = database.add_collection("fine")
        assert two
    with read_library(folder, scratch) as library:
        assert set(library.collections) == {user(fine)}


def test_values_of_any_kind_become_text(folder, scratch):
    with ZoteroDatabase(folder) as database:
        key = database.add_item("book", {"title": 1984, "numPages": 328, "volume": 2.5})
        broken = database.add_item("book", {"title": "after"}, tags=["x"])
        change = database.connection.execute
        change("UPDATE itemDataValues SET value = CAST(x'4772fc6e' AS TEXT) WHERE value = 'after'")
        change("UPDATE tags SET name = x'c3a9'")
        last = database.add_item("book", {"title": "last"})
    with read_library(folder, scratch) as library:
        assert library.items[user(key)].title == "1984"
        assert dict(library.items[user(key)].fields) == {"title": "1984", "numPages": "328", "volume": "2.5"}
        assert library.items[user(broken)].title == "Gr\ufffdn"
        assert library.items[user(broken)].tags == ("é",)
        assert library.items[user(last)].title == "last"


def test_malformed_keys_are_left_out_and_said(folder, scratch, keys):
    with ZoteroDatabase(folder / "other") as database:
        for key in ("../../AB", "abcdefgh", "ABCDEFGHI", ""):
            database.add_item("book", {"title": "bad"}, key=key)
        good = database.add_item("book", {"title": "good"})
    with read_library(folder / "other", scratch) as library:
        assert set(library.items) == {user(good)}
        assert len(library.warnings) == 1
        assert "malformed: 4 entries" in library.warnings[0]


def test_children_of_nothing_are_left_out(folder, scratch):
    with ZoteroDatabase(folder) as database:
        item = database.add_item("book", {"title": "x"})
        pdf = database.add_attachment(item)
        note = database.add_note("<p>x</p>", item)
        mark = database.add_annotation(pdf, "note")
        database.connection.execute("DELETE FROM items WHERE key = ?", (item,))
    with read_library(folder, scratch) as library:
        assert not any(library.record(user(key)) for key in (pdf, note, mark))
        assert library.top_level == ()


def test_a_newer_schema_is_read_with_a_warning(folder, scratch, keys):
    with sqlite3.connect(folder / "zotero.sqlite") as connection:
        connection.execute("UPDATE version SET version = 140 WHERE schema = 'userdata'")
        connection.execute("ALTER TABLE items ADD COLUMN novelty INT")
        connection.execute("ALTER TABLE itemAttachments DROP COLUMN storageHash")
        connection.execute("ALTER TABLE itemAnnotations DROP COLUMN authorName")
        connection.execute("DROP TABLE deletedCollections")
        connection.execute("DROP TABLE groupItems")
    connection.close()
    with read_library(folder, scratch) as library:
        assert library.items[user(keys.article)].title == "On light"
        assert library.annotations[user(keys.highlight)].author == ""
        assert len(library.warnings) == 1
        assert "newer" in library.warnings[0]


def test_a_future_form_is_refused_in_words(folder, scratch, keys):
    with sqlite3.connect(folder / "zotero.sqlite") as connection:
        connection.execute("UPDATE version SET version = 200 WHERE schema = 'userdata'")
        connection.execute("ALTER TABLE itemData RENAME COLUMN valueID TO value")
    connection.close()
    with pytest.raises(LibraryError, match="newest version") as caught:
        read_library(folder, scratch)
    assert "itemData" in caught.value.detail


def test_zotero_4_is_refused_with_the_remedy(folder, scratch):
    folder.mkdir()
    with sqlite3.connect(folder / "zotero.sqlite") as connection:
        connection.execute("CREATE TABLE version (schema TEXT PRIMARY KEY, version INT)")
        connection.execute("INSERT INTO version VALUES ('userdata', 78)")
        connection.execute(
            "CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT, libraryID INT, key TEXT)"
        )
        connection.execute("CREATE TABLE itemAttachments (itemID INTEGER PRIMARY KEY, sourceItemID INT)")
    connection.close()
    with pytest.raises(LibraryError, match=r"Zotero 4 or older\. Open it once with a current Zotero"):
        read_library(folder, scratch)
    assert list(scratch.iterdir()) == []


def test_a_foreign_database_is_refused(folder, scratch):
    folder.mkdir()
    with sqlite3.connect(folder / "zotero.sqlite") as connection:
        connection.execute("CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url TEXT)")
    connection.close()
    with pytest.raises(LibraryError, match="not a Zotero database"):
        read_library(folder, scratch)


def test_the_user_key_falls_back_to_the_account(folder, scratch, keys):
    with sqlite3.connect(folder / "zotero.sqlite") as connection:
        connection.execute("UPDATE settings SET key = 'userID', value = 12345 WHERE key = 'localUserKey'")
    connection.close()
    with read_library(folder, scratch) as library:
        assert library.user_key == "12345"


def test_every_item_type_has_a_title(folder, scratch):
    from resources.demo.zotero_types import types_of

    kinds = [kind for kind in types_of(129).types if kind not in ("attachment", "note", "annotation")]
    with ZoteroDatabase(folder) as database:
        made = {kind: database.add_item(kind, {"title": f"A {kind}", "url": "u:"}) for kind in kinds}
    with read_library(folder, scratch) as library:
        assert {kind: library.items[user(key)].title for kind, key in made.items()} == {
            kind: f"A {kind}" for kind in kinds
        }
        assert {library.items[user(key)].item_type for key in made.values()} == set(kinds)


@pytest.mark.parametrize(
    ("kind", "fields", "publication"),
    [
        ("bookSection", {"bookTitle": "The Book"}, "The Book"),
        ("conferencePaper", {"proceedingsTitle": "Proc."}, "Proc."),
        ("webpage", {"websiteTitle": "Site"}, "Site"),
        ("book", {"publisher": "House"}, ""),
    ],
)
def test_publication_through_the_base_field(folder, scratch, kind, fields, publication):
    with ZoteroDatabase(folder) as database:
        key = database.add_item(kind, {"title": "x", **fields})
    with read_library(folder, scratch) as library:
        assert library.items[user(key)].publication == publication


def test_filing_dates_lose_their_sortable_part_and_access_dates_do_not(folder, scratch):
    with ZoteroDatabase(folder) as database:
        key = database.add_item(
            "patent",
            {"title": "x", "filingDate": "2001-02-00 Feb 2001", "accessDate": "2020-01-01 10:00:00"},
        )
    with read_library(folder, scratch) as library:
        fields = dict(library.items[user(key)].fields)
        assert (fields["filingDate"], fields["accessDate"]) == ("Feb 2001", "2020-01-01 10:00:00")


def test_an_item_of_an_unknown_type_is_kept(folder, scratch):
    with ZoteroDatabase(folder) as database:
        key = database.add_item("book", {"title": "x"})
        database.connection.execute("UPDATE items SET itemTypeID = 9999")
    with read_library(folder, scratch) as library:
        item = library.items[user(key)]
        assert (item.item_type, item.title) == ("document", "x")


def test_records_are_left_out_of_later_garbage_collections_and_freed_all_the_same(tmp_path):
    with ZoteroDatabase(tmp_path / "Zotero") as database:
        for number in range(300):
            database.add_item(
                "book", {"title": f"Book {number}"}, creators=[("author", "A.", f"Name{number}")]
            )
    frozen = gc.get_freeze_count()
    library = read_library(tmp_path / "Zotero", tmp_path / "scratch")
    assert gc.isenabled()
    assert gc.get_freeze_count() >= frozen + 300
    assert gc.get_count()[0] < 300  # none of them waits to be looked at
    gone = weakref.ref(library)
    library.close()
    del library
    assert gone() is None
