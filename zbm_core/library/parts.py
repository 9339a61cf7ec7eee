"""What records are put together from: tags, collections, creators and field values, by itemID."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from zbm_core.library.names import Names
from zbm_core.library.records import Creator, ItemKey
from zbm_core.library.tables import KEY_GLOB, Tables


class Parts:
    """Read once, handed out as the records are made, and let go on the way.

    Attributes:
        names: the database's numbers of types, fields and roles.
        kept: SQL that holds for the rows of `items` to be read: of a library that is read, with a
            well-formed key, and not in the trash themselves.
        members: the top-level keys filed in each collection, complete when every record is made.
    """

    def __init__(self, tables: Tables, libraries: Iterable[int], filed: dict[int, list[ItemKey]]) -> None:
        self.names = Names(tables)
        # The plus keeps SQLite from walking its index of libraries and keys: a scan takes a tenth.
        self.kept = f"+items.libraryID IN ({', '.join(map(str, libraries))}) AND items.key GLOB '{KEY_GLOB}'"
        if tables.has("deletedItems", "itemID"):
            self.kept += " AND items.itemID NOT IN (SELECT itemID FROM deletedItems)"
        self.members: dict[ItemKey, list[ItemKey]] = defaultdict(list)
        self._tables = tables
        self._filed = filed
        self._tags = self._read_tags()
        self._creators = self._read_creators()
        self._values = dict(
            tables.rows(
                "itemDataValues", numbers=("itemDataValues.valueID",), texts=("itemDataValues.value",)
            )
        )
        self._shared: dict[str, str] = {}

    def shared(self, text: str) -> str:
        """One object for all equal texts: for what recurs in thousands of records."""
        return self._shared.setdefault(text, text)

    def tags_of(self, number: int) -> tuple[str, ...]:
        listed = self._tags.pop(number, None)
        return tuple(sorted(listed, key=str.casefold)) if listed else ()

    def collections_of(self, number: int, key: ItemKey) -> tuple[ItemKey, ...]:
        """The collections of a top-level record, which becomes a member of them."""
        listed = self._filed.pop(number, ())
        for collection in listed:
            self.members[collection].append(key)
        return tuple(listed)

    def creators_of(self, number: int) -> tuple[Creator, ...]:
        return tuple(self._creators.pop(number, ()))

    def data_reader(self, where: str = "") -> Callable[[int], dict[int, str]]:
        """A function from an itemID to its filled fields, to be asked in the order of itemIDs.

        The rows are read alongside the items, so that they never all lie in memory.

        Args:
            where: SQL that narrows the rows of `itemData`.
        """
        values = self._values
        rows: Iterator[tuple[int, int, int]] = self._tables.rows(
            "itemData",
            numbers=("itemData.itemID", "itemData.fieldID", "itemData.valueID"),
            tail=f"{where} ORDER BY itemID",
        )
        row = next(rows, None)

        def data_of(number: int) -> dict[int, str]:
            nonlocal row
            data: dict[int, str] = {}
            while row is not None and row[0] <= number:
                if row[0] == number and (text := values.get(row[2])):
                    data[row[1]] = text
                row = next(rows, None)
            return data

        return data_of

    def forget_values(self) -> None:
        """Free the values that no record holds, when no more fields are to be read."""
        self._values = {}

    def _read_tags(self) -> dict[int, list[str]]:
        tags: dict[int, list[str]] = defaultdict(list)
        if self._tables.has("itemTags", "itemID", "tagID") and self._tables.has("tags", "tagID", "name"):
            names = dict(self._tables.rows("tags", numbers=("tags.tagID",), texts=("tags.name",)))
            for number, tag in self._tables.rows("itemTags", numbers=("itemTags.itemID", "itemTags.tagID")):
                if name := names.get(tag):
                    tags[number].append(name)
        return tags

    def _read_creators(self) -> dict[int, list[Creator]]:
        tables = self._tables
        creators: dict[int, list[Creator]] = defaultdict(list)
        if not tables.has("creators", "creatorID", "lastName") or not tables.has("itemCreators", "itemID"):
            return creators
        people = {
            number: ("", last or first) if mode == 1 else (first, last)
            for number, mode, first, last in tables.rows(
                "creators",
                numbers=("creators.creatorID", "creators.fieldMode"),
                texts=("creators.firstName", "creators.lastName"),
            )
        }
        roles = self.names.roles
        made: dict[tuple[int, int], Creator] = {}
        for number, person, role in tables.rows(
            "itemCreators",
            numbers=("itemCreators.itemID", "itemCreators.creatorID", "itemCreators.creatorTypeID"),
            tail="ORDER BY itemID, orderIndex",
        ):
            creator = made.get((person, role))
            if creator is None:
                if person not in people:
                    continue
                creator = made[person, role] = Creator(roles.get(role, ""), *people[person])
            creators[number].append(creator)
        return creators
