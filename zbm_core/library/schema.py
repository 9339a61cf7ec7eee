"""Which databases can be read."""

from __future__ import annotations

from zbm_core.library.errors import LibraryError
from zbm_core.library.tables import Tables

OLDEST_SCHEMA = 95  # Zotero 5.0
NEWEST_KNOWN_SCHEMA = 129  # Zotero 10

# What nothing can be read without. Everything else is probed and may be missing.
_REQUIRED = {
    "libraries": ("libraryID", "type"),
    "items": ("itemID", "itemTypeID", "libraryID", "key"),
    "itemTypes": ("itemTypeID", "typeName"),
    "fields": ("fieldID", "fieldName"),
    "itemData": ("itemID", "fieldID", "valueID"),
    "itemDataValues": ("valueID", "value"),
    "itemNotes": ("itemID", "parentItemID", "note"),
    "itemAttachments": ("itemID", "parentItemID", "linkMode", "path"),
}


def check_version(tables: Tables, name: str) -> int:
    """The userdata version of a database, once it is known to be Zotero's and readable.

    Args:
        name: how to call the database in a message.

    Raises:
        LibraryError: foreign, older than Zotero 5, or without what is needed.
    """
    version = None
    if tables.has("version", "schema", "version") and tables.has("items"):
        rows = tables.rows("version", numbers=("version.version",), tail="WHERE schema = 'userdata'")
        version = next((number for (number,) in rows), None)
    if version is None:
        raise LibraryError(
            f"{name} is not a Zotero database. Choose the folder of Zotero's own zotero.sqlite.",
            "no userdata version",
        )
    if version < OLDEST_SCHEMA:
        raise LibraryError(
            f"{name} was last used by Zotero 4 or older. Open it once with a current Zotero, which "
            "updates it, and try again.",
            f"schema {version}",
        )
    for table, columns in _REQUIRED.items():
        if not tables.has(table, *columns):
            raise LibraryError(
                f"{name} has a form that this version cannot read. Install the newest version of this "
                "program and try again.",
                f"schema {version}: table {table} lacks one of {', '.join(columns)}",
            )
    return version
