"""The numbers that one database gives to item types, fields and creator roles.

They differ between installations, so everything is asked for by name.
"""

from __future__ import annotations

from collections import defaultdict

from zbm_core.library.tables import Tables


class Names:
    """Attributes:
    types, fields, roles: names by this database's numbers.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self.types = self._names("itemTypes", "itemTypeID", "typeName")
        self.fields = self._names("fields", "fieldID", "fieldName")
        self.roles = self._names("creatorTypes", "creatorTypeID", "creatorType")
        self._field_numbers = {name: number for number, name in self.fields.items()}
        self._own: dict[tuple[int, int], int] = {}
        for kind, base, own in self._triples("baseFieldMappings", "baseFieldID", "fieldID"):
            self._own[kind, base] = own
        self._order: dict[int, dict[int, int]] = defaultdict(dict)
        for kind, own, order in self._triples("itemTypeFields", "fieldID", "orderIndex"):
            self._order[kind][own] = order
        self._main_roles = {
            kind: self.roles.get(role, "author")
            for kind, role, primary in self._triples(
                "itemTypeCreatorTypes", "creatorTypeID", "primaryField", combined=False
            )
            if primary == 1
        }

    def field(self, name: str) -> int:
        """A field's number; -1, which no field has, if the database does not know it."""
        return self._field_numbers.get(name, -1)

    def field_of(self, kind: int, base: str) -> int:
        """The field that stands for a base field in a type: caseName for the title of a case."""
        number = self.field(base)
        return self._own.get((kind, number), number)

    def order_of(self, kind: int) -> dict[int, int]:
        """The place of each field of a type, in Zotero's order."""
        return self._order.get(kind, {})

    def main_role(self, kind: int) -> str:
        """The primary creator role of a type: "author", "director", ..."""
        return self._main_roles.get(kind, "author")

    def _names(self, table: str, number: str, name: str) -> dict[int, str]:
        names: dict[int, str] = {}
        # The combined tables repeat the plain ones and add what users defined themselves.
        for each in (f"{table}Combined", table):
            if self._tables.has(each, number, name):
                names.update(
                    self._tables.rows(each, numbers=(f"{each}.{number}",), texts=(f"{each}.{name}",))
                )
        return names

    def _triples(
        self, table: str, one: str, other: str, *, combined: bool = True
    ) -> list[tuple[int, int, int]]:
        """(itemTypeID, one, other) of a table and of its combined form."""
        found: list[tuple[int, int, int]] = []
        for each in (table, f"{table}Combined") if combined else (table,):
            if self._tables.has(each, "itemTypeID", one, other):
                found += self._tables.rows(
                    each, numbers=(f"{each}.itemTypeID", f"{each}.{one}", f"{each}.{other}")
                )
        return found
