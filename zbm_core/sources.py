"""What each record of a library offers to be searched, and that same text read back.

One place for both directions: indexing puts `Source`s into the engines, search asks for passage
*n* of a source and must get the very text that was indexed under *n*.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zbm_core.documents.structure import Anchor, Chunk, PdfAnchor, Rect, Selector, SelectorAnchor
from zbm_core.lexical.records import Source
from zbm_core.library.records import Annotation, Attachment, Item, ItemKey, Note
from zbm_core.search.records import Kind
from zbm_core.semantic.records import EmbeddingSource

if TYPE_CHECKING:
    from zbm_core.documents import DocumentStore
    from zbm_core.library import Library

#: Raised when what a record offers changes, so that every source is put anew.
SOURCES_VERSION = 2

#: Fields nobody searches by. A deny-list: a type-specific field (institution, university,
#: repository) is found without anyone naming it here.
UNSEARCHED_FIELDS = frozenset(
    {
        "title", "abstractNote", "accessDate", "language", "rights", "libraryCatalog", "numPages", "pages",
        "volume", "issue", "numberOfVolumes", "date", "citationKey",
    }
)  # fmt: skip


#: Words below which a title with its abstract, and any other text, says nothing to a model.
LEAST_WORDS_OF_ITEM, LEAST_WORDS = 2, 3


#: Share of a document that must be in the language its item declares for that to be believed.
LEAST_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class PassageText:
    """One passage of a source as a person reads it, with what says where it stands."""

    text: str
    section: tuple[str, ...] = ()
    anchor: Anchor | None = None
    chunk: Chunk | None = None  # of a document
    page_label: str = ""  # of an annotation

    def place_of(self, offset: int) -> tuple[int | None, str, int]:
        """Where character *offset* stands: physical page (from 0), printed label, index of the anchor's rect."""
        if self.chunk is not None:
            return *self.chunk.page_at(offset), self.chunk.rect_at(offset) or 0
        page = self.anchor.rects[0].page if isinstance(self.anchor, PdfAnchor) else None
        return page, self.page_label, 0


class SourceTexts:
    """The texts of one library: stamps, sources and passages.

    Args:
        library: an open `Library`.
        documents: the store that holds the attachments' chunks.
    """

    def __init__(self, library: Library, documents: DocumentStore) -> None:
        self._library = library
        self._documents = documents

    # --- stamps: what is wanted in the index, without building any text ---------------------------

    def record_stamps(self) -> dict[ItemKey, str]:
        """The stamp of every item, note, annotation and standalone attachment's metadata.

        Standalone attachments are not here: their title goes in with their document.
        """
        library = self._library
        stamps: dict[ItemKey, str] = {}
        for key, item in library.items.items():
            stamps[key] = _digest(
                item.title,
                item.abstract,
                *(f"{name}={text}" for name, text in _item_fields(item).items()),
                _field(item, "language"),
            )
        for key, note in library.notes.items():
            # Zotero moves a note's own dateModified on every edit, so its body need not be read.
            stamps[key] = _digest(note.date_modified, note.title, str(library.top_of(key)), *note.tags)
        for key, annotation in library.annotations.items():
            text = annotation_text(annotation)
            if text:
                stamps[key] = _digest(text, str(library.top_of(key)), *annotation.tags)
        return stamps

    def attachment_stamp(self, attachment: Attachment, digest: str) -> str:
        """The stamp of an attachment whose document has the texts *digest*: a document read or cut anew that
        says the same keeps its stamp."""
        own = (attachment.title, attachment.date_modified) if self.speaks_for_itself(attachment) else ()
        language = self._language(attachment.key)
        top = str(self._library.top_of(attachment.key))
        return _digest(digest, top, language, *own, *attachment.tags, cut=False)

    def speaks_for_itself(self, attachment: Attachment) -> bool:
        """Whether an attachment is worth finding even where its document cannot be read."""
        return attachment.parent is None or attachment.key in self._library.attachment_notes

    def _attachment_fields(self, attachment: Attachment) -> dict[str, str]:
        fields = {"tags": "\n".join(attachment.tags)} if attachment.tags else {}
        if attachment.key in self._library.attachment_notes:
            fields["note"] = self._library.note_texts([attachment.key]).get(attachment.key, "")
        return fields

    # --- sources: what goes into the index ---------------------------------------------------------

    def records(self, keys: Sequence[ItemKey], stamps: dict[ItemKey, str]) -> Iterator[Source]:
        """The sources of *keys* (items, notes, annotations), note bodies read in one go."""
        library = self._library
        notes = library.note_texts([key for key in keys if key in library.notes])
        for key in keys:
            record = library.record(key)
            if isinstance(record, Item):
                yield self._item(record, stamps[key])
            elif isinstance(record, Note):
                yield self._note(record, notes.get(key, ""), stamps[key])
            elif isinstance(record, Annotation):
                yield self._annotation(record, stamps[key])

    def attachment(self, attachment: Attachment, chunks: Sequence[Chunk], stamp: str) -> Source:
        """The source of an attachment: its document's chunks, its own note, its title where it stands alone."""
        return Source(
            key=attachment.key,
            kind=Kind.ATTACHMENT,
            top=self._library.top_of(attachment.key),
            stamp=stamp,
            title=attachment.title if attachment.parent is None else "",
            fields=self._attachment_fields(attachment),
            passages=[chunk.text for chunk in chunks],
            references=frozenset(chunk.index for chunk in chunks if chunk.is_reference),
            language=_language_of_document(self._language(attachment.key), chunks),
        )

    def _item(self, item: Item, stamp: str) -> Source:
        return Source(
            key=item.key,
            kind=Kind.ITEM,
            top=item.key,
            stamp=stamp,
            title=item.title,
            fields=_item_fields(item),
            passages=[chunk.text for chunk in _cut(item.abstract)],
            language=_field(item, "language"),
        )

    def _note(self, note: Note, text: str, stamp: str) -> Source:
        return Source(
            key=note.key,
            kind=Kind.NOTE,
            top=self._library.top_of(note.key),
            stamp=stamp,
            title=note.title if note.parent is None else "",
            fields={"tags": "\n".join(note.tags)} if note.tags else {},
            passages=[chunk.text for chunk in _cut(text)],
        )

    def _annotation(self, annotation: Annotation, stamp: str) -> Source:
        return Source(
            key=annotation.key,
            kind=Kind.ANNOTATION,
            top=self._library.top_of(annotation.key),
            stamp=stamp,
            fields={"tags": "\n".join(annotation.tags)} if annotation.tags else {},
            passages=(annotation_text(annotation),),
        )

    def _language(self, key: ItemKey) -> str:
        top = self._library.record(self._library.top_of(key))
        return _field(top, "language") if isinstance(top, Item) else ""

    # --- the way back: passage n of a source --------------------------------------------------------

    def passages(self, source: ItemKey, kind: Kind, indices: Iterable[int]) -> dict[int, PassageText]:
        """Passages of one source by index; an index that no longer exists is left out.

        A record edited since it was indexed may have fewer passages than the index believes.
        """
        wanted = list(indices)
        if kind is Kind.ATTACHMENT:
            return {chunk.index: _chunk_passage(chunk) for chunk in self._documents.chunks(source, wanted)}
        texts = self._record_passages(source, kind)
        return {index: texts[index] for index in wanted if 0 <= index < len(texts)}

    # --- what a model reads ---------------------------------------------------------------------------

    def embedding_source(self, key: ItemKey, stamp: str) -> EmbeddingSource:
        """A record with the passages that have something to say to a model.

        Reference lists, and texts under a few words, say nothing (the bounds are the reference's: two words of
        title and abstract, three of anything else).
        """
        kind = self.kind_of(key)
        least = LEAST_WORDS_OF_ITEM if kind is Kind.ITEM else LEAST_WORDS
        texts = {
            index: text for index, text in self._texts_to_embed(key, kind) if says_something(text, least)
        }
        hashes = [hash_of(text) for text in texts.values()]
        return EmbeddingSource(key, kind, self._library.top_of(key), stamp, list(texts), hashes)

    def embedding_texts(self, key: ItemKey, kind: Kind, indices: Iterable[int]) -> dict[int, str]:
        """The texts a model reads for passages of one source; an index that no longer exists is left out."""
        wanted = set(indices)
        return {index: text for index, text in self._texts_to_embed(key, kind, wanted) if index in wanted}

    def _texts_to_embed(
        self, key: ItemKey, kind: Kind, wanted: set[int] | None = None
    ) -> Iterator[tuple[int, str]]:
        if kind is Kind.ATTACHMENT:
            for chunk in self._documents.chunks(key, None if wanted is None else sorted(wanted)):
                if not chunk.is_reference:
                    yield chunk.index, chunk.embed_text
        elif kind is Kind.ITEM:
            item = self._library.items.get(key)
            if item is not None:
                # Each passage of the abstract says what it is of; an item without one is its title.
                for index, passage in enumerate(self._record_passages(key, kind) or [_NO_ABSTRACT]):
                    yield index, f"{item.title}\n\n{passage.text}".strip()
        else:
            for index, passage in enumerate(self._record_passages(key, kind)):
                yield index, passage.text

    def _record_passages(self, source: ItemKey, kind: Kind) -> list[PassageText]:
        library = self._library
        if kind is Kind.NOTE:
            note = library.notes.get(source)
            text = library.note_texts([source]).get(source, "") if note else ""
            return [_plain_passage(chunk.text, ()) for chunk in _cut(text)] if note else []
        if kind is Kind.ANNOTATION:
            annotation = library.annotations.get(source)
            if annotation is None:
                return []
            return [_annotation_passage(annotation)]
        item = library.items.get(source)
        return [_plain_passage(chunk.text, ("Abstract",)) for chunk in _cut(item.abstract)] if item else []

    def kind_of(self, key: ItemKey) -> Kind:
        """What kind of record *key* is."""
        record = self._library.record(key)
        kinds = {Attachment: Kind.ATTACHMENT, Note: Kind.NOTE, Annotation: Kind.ANNOTATION}
        return kinds.get(type(record), Kind.ITEM)

    def fields(self, source: ItemKey) -> dict[str, str]:
        """The title and other searched fields of a record by name, as a person reads them."""
        record = self._library.record(source)
        if isinstance(record, Item):
            return {"title": record.title, **_item_fields(record)}
        if isinstance(record, Attachment):
            return {"title": record.title, **self._attachment_fields(record)}
        if isinstance(record, Note | Annotation):
            own = {"tags": "\n".join(record.tags)} if record.tags else {}
            return own if isinstance(record, Annotation) else {"title": record.title, **own}
        return {}


_NO_ABSTRACT = PassageText("")


def hash_of(text: str) -> bytes:
    """What tells whether a text already has a vector: 12 bytes, so that no two of a billion texts share one."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()


def says_something(text: str, least: int) -> bool:
    """Whether *text* has at least *least* words with a letter; numbers and dates do not count."""
    from zbm_core.text import is_run, words

    count = 0
    for word in words(text):
        if is_run(word):
            count += (len(word) + 1) // 2  # written without spaces: two characters to a word
        else:
            count += any(character.isalpha() for character in word)
        if count >= least:
            return True
    return False


def annotation_text(annotation: Annotation) -> str:
    """The marked passage and the comment, parted by a blank line; "" where there is neither."""
    return "\n\n".join(part for part in (annotation.text.strip(), annotation.comment.strip()) if part)


def annotation_anchor(annotation: Annotation) -> Anchor | None:
    """Where an annotation lies, from Zotero's position JSON; None for damage.

    A highlight in a PDF that runs over to the next page carries that part as ``nextPageRects``; ink has paths
    instead of rects and is given the box around them. In an EPUB, a snapshot or a text it is a selector.
    """
    try:
        position = json.loads(annotation.position)
        if "type" in position:
            selector = _selector(position)
            return SelectorAnchor((selector,)) if selector is not None else None
        page = position["pageIndex"]
        boxes = [(page, *box) for box in position.get("rects") or []]
        boxes += [(page + 1, *box) for box in position.get("nextPageRects") or []]
        for path in position.get("paths") or []:
            boxes.append((page, min(path[::2]), min(path[1::2]), max(path[::2]), max(path[1::2])))
        rects = tuple(Rect(int(box[0]), *(float(edge) for edge in box[1:5])) for box in boxes)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
        return None
    whole = all(rect.page >= 0 and all(math.isfinite(edge) for edge in rect[1:]) for rect in rects)
    return PdfAnchor(rects) if rects and whole else None


def _selector(position: Mapping[str, Any]) -> Selector | None:
    """A selector as Zotero stores it: one that a range of text positions may refine."""
    kind, value = position["type"], position.get("value")
    refined = position if kind == "TextPositionSelector" else position.get("refinedBy") or {}
    start, end = refined.get("start"), refined.get("end")
    if not (type(start) is type(end) is int and 0 <= start <= end):
        start = end = None
    match kind, value:
        case "FragmentSelector", str():
            return Selector(kind, value)
        case "CssSelector", str():
            return Selector(kind, value, start, end)
        case "TextPositionSelector", _ if start is not None:
            return Selector(kind, "", start, end)
    return None


def _annotation_passage(annotation: Annotation) -> PassageText:
    anchor = annotation_anchor(annotation)
    return PassageText(annotation_text(annotation), (), anchor, page_label=annotation.page_label)


def _cut(text: str) -> Sequence[Chunk]:
    from zbm_core.documents import cut_plain

    return cut_plain(text) if text.strip() else ()


def _chunk_passage(chunk: Chunk) -> PassageText:
    return PassageText(chunk.text, chunk.outline_path, chunk.anchor, chunk)


def _plain_passage(text: str, section: tuple[str, ...]) -> PassageText:
    return PassageText(text, section)


def _item_fields(item: Item) -> dict[str, str]:
    fields: dict[str, str] = {}
    if item.creators:
        fields["creators"] = "\n".join(creator.full_name for creator in item.creators)
    if item.tags:
        fields["tags"] = "\n".join(item.tags)
    if item.year is not None:
        fields["year"] = str(item.year)
    for name, text in item.fields:
        # A type's own title field (caseName, subject) is the title; do not count it twice.
        if name not in UNSEARCHED_FIELDS and text != item.title:
            fields[name] = text
    return fields


def _field(item: Item, name: str) -> str:
    return next((text for field, text in item.fields if field == name), "")


def _language_of_document(declared: str, chunks: Sequence[Chunk]) -> str:
    """What the item declares, unless hardly any of the document is in that language."""
    sizes: dict[str, int] = {}
    for chunk in chunks:
        if chunk.language and not chunk.is_reference:
            sizes[chunk.language] = sizes.get(chunk.language, 0) + len(chunk.text)
    if not sizes:
        return declared
    from zbm_core.text import language_named

    named = language_named(declared)
    if sizes.get(named, 0) >= LEAST_SHARE * sum(sizes.values()):
        return declared
    return max(sizes, key=sizes.__getitem__)


def _digest(*parts: str, cut: bool = True) -> str:
    """A stamp of *parts*; with *cut*, of how their texts are cut: a new cut moves every passage's index."""
    from zbm_core.documents import CHUNK_TOKENS, CHUNKER_VERSION

    versions = f"{SOURCES_VERSION}/{CHUNKER_VERSION}.{CHUNK_TOKENS}" if cut else f"{SOURCES_VERSION}"
    # One call for all of it: this is done for every record of the library at each change in Zotero.
    text = "\0".join((versions, *parts))
    state = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12)
    return state.hexdigest()
