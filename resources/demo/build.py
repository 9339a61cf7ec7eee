"""Builds the demo library: ``python -m resources.demo.build [TARGET]``.

The result is a Zotero data directory. It is committed as `resources/demo/library`, because setting
its PDFs needs Typst and fonts that most computers lack (`typesetting.py` names them); the
application only ever reads it. Building twice gives the same bytes.

``--documents FOLDER`` takes the documents from a library that was built before and makes only the
database anew, which needs neither Typst nor fonts.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pymupdf

from resources.demo.annotating import Annotator, Place, quoted_text
from resources.demo.catalogue import (
    CATALOGUE,
    HERE,
    TEXTS,
    Attachment,
    Catalogue,
    CatalogueError,
    Item,
    Note,
    key_of,
    load,
)
from resources.demo.epub import make_epub
from resources.demo.selecting import place_in_epub, place_in_snapshot
from resources.demo.typesetting import TypesettingError, check_tools, set_pdf
from resources.demo.zotero_database import USER_LIBRARY, ZoteroDatabase

LIBRARY = HERE / "library"
MANIFEST = HERE / "sources.json"
SCHEMA = 125  # Zotero 9
_NOT_DOWNLOADED = 1  # syncState "to download"
_IN_SYNC = 2
_PREVIEW_DPI = 144

Document = Callable[[Attachment], bytes]


def build(target: Path, documents: Path | None = None) -> None:
    """Write the demo library into the new or empty folder `target`.

    Args:
        documents: a library built before, whose documents are taken over unchanged.

    Raises:
        TypesettingError: the tools or fonts for setting are missing.
        CatalogueError: the description of the library has a mistake.
        FileExistsError: `target` holds something.
    """
    if target.exists() and any(target.iterdir()):
        raise FileExistsError(f"{target} is not empty")
    libraries = load()
    if documents is None:
        check_tools()
        document = _make
    else:
        document = _taken_from(documents)
    with ZoteroDatabase(target, schema=SCHEMA, user_key="dEm0Zb4m") as database:
        for catalogue in libraries:
            _Writer(database, catalogue, document, target).write()


def source_digests() -> dict[str, str]:
    """SHA-256 of every file the library is made from, by its path below this folder."""
    sources = [path for folder in (TEXTS, CATALOGUE) for path in folder.rglob("*") if path.is_file()]
    return {
        # Line ends are told apart from content: a checkout on Windows may have changed them.
        path.relative_to(HERE).as_posix(): hashlib.sha256(
            path.read_bytes().replace(b"\r\n", b"\n")
        ).hexdigest()
        for path in sorted(sources)
    }


def _make(attachment: Attachment) -> bytes:
    text = TEXTS / attachment.text
    if text.suffix == ".typ":
        return set_pdf(text)
    if text.suffix == ".book":
        return make_epub(text.read_text(encoding="utf-8"))
    return text.read_bytes()


def _taken_from(library: Path) -> Document:
    def document(attachment: Attachment) -> bytes:
        return (library / "storage" / key_of(attachment.id) / attachment.file).read_bytes()

    return document


class _Writer:
    """Writes one library of the catalogue into the database."""

    def __init__(
        self, database: ZoteroDatabase, catalogue: Catalogue, document: Document, target: Path
    ) -> None:
        self.database = database
        self.catalogue = catalogue
        self.document = document
        self.library = USER_LIBRARY
        previews = "library"
        if catalogue.group_id is not None:
            self.library = database.add_group(catalogue.group_id, catalogue.group_name)
            previews = f"groups/{catalogue.group_id}"
        self.previews = target / "cache" / previews

    def write(self) -> None:
        for one in self.catalogue.collections:
            self.database.add_collection(
                one.name,
                parent=key_of(one.parent) if one.parent else None,
                library=self.library,
                key=key_of(one.id),
            )
        for item in self.catalogue.items:
            self._item(item)
        for attachment in self.catalogue.attachments:
            self._attachment(attachment, None)
        for note in self.catalogue.notes:
            self._note(note, None)
        for item in self.catalogue.items:
            for other in item.related:
                self.database.relate(key_of(item.id), key_of(other), library=self.library)

    def _item(self, item: Item) -> None:
        key = self.database.add_item(
            item.type,
            dict(item.fields),
            creators=item.creators,
            tags=item.tags,
            collections=map(key_of, item.collections),
            library=self.library,
            key=key_of(item.id),
            date_added=item.added,
        )
        for attachment in item.attachments:
            self._attachment(attachment, key)
        for note in item.notes:
            self._note(note, key)
        if item.trashed:
            self.database.trash(key, library=self.library)

    def _attachment(self, attachment: Attachment, parent: str | None) -> None:
        content = self.document(attachment) if attachment.text else None
        self.database.add_attachment(
            parent,
            title=attachment.title,
            file=content,
            filename=attachment.file or None,
            link_mode=attachment.link_mode,
            content_type=attachment.content_type or None,
            url=attachment.url,
            library=self.library,
            key=key_of(attachment.id),
            collections=map(key_of, attachment.collections),
            tags=attachment.tags,
            last_read=attachment.last_read,
            date_added=attachment.added,
            sync_state=_IN_SYNC if content or not attachment.file else _NOT_DOWNLOADED,
        )
        if attachment.annotations:
            self._annotations(attachment, content)

    def _annotations(self, attachment: Attachment, content: bytes) -> None:
        document = None
        if attachment.content_type == "application/epub+zip":
            find = partial(place_in_epub, content)
        elif attachment.content_type == "text/html":
            find = partial(place_in_snapshot, content)
        else:
            document = pymupdf.open(stream=content, filetype="pdf")
            find = Annotator(document).place
        for annotation in attachment.annotations:
            where = find(annotation)
            self.database.add_annotation(
                key_of(attachment.id),
                annotation.kind,
                text=quoted_text(annotation) or None,
                comment=annotation.comment,
                color=annotation.color,
                page_label=where.page_label,
                sort_index=where.sort_index,
                position=where.position,
                author=annotation.author,
                tags=annotation.tags,
                library=self.library,
                key=key_of(annotation.id),
                date_added=annotation.added or attachment.added,
            )
            if annotation.kind == "image":
                self._preview(document, where, key_of(annotation.id))
        if document is not None:
            document.close()

    def _preview(self, document: pymupdf.Document, where: Place, key: str) -> None:
        """The picture of an image annotation, where Zotero keeps it."""
        self.previews.mkdir(parents=True, exist_ok=True)
        picture = document[where.page].get_pixmap(clip=where.box, dpi=_PREVIEW_DPI)
        (self.previews / f"{key}.png").write_bytes(picture.tobytes("png"))

    def _note(self, note: Note, parent: str | None) -> None:
        text = (TEXTS / "notes" / note.file).read_text(encoding="utf-8").strip()
        self.database.add_note(
            # Braces hold ids of the catalogue: what a note cites, by its key.
            re.sub(r"\{([a-z0-9-]+)\}", lambda found: key_of(found[1]), text),
            parent,
            tags=note.tags,
            collections=map(key_of, note.collections),
            library=self.library,
            key=key_of(note.id),
            date_added=note.added,
        )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Build the demo library.")
    parser.add_argument("target", nargs="?", type=Path, default=LIBRARY, help="default: the committed one")
    parser.add_argument("--documents", type=Path, help="take the documents from this library")
    options = parser.parse_args(arguments)
    building = options.target.with_name(options.target.name + ".building")
    try:
        shutil.rmtree(building, ignore_errors=True)
        build(building, options.documents)
        shutil.rmtree(options.target, ignore_errors=True)
        building.rename(options.target)
    except (TypesettingError, CatalogueError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    if options.target == LIBRARY:
        MANIFEST.write_text(json.dumps(source_digests(), indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(options.target)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
