"""The tables of a Zotero database, as they were at a given schema version (95 to 129)."""

from __future__ import annotations

# Table -> its columns, each "name declaration", "name declaration @since" or "name declaration @since-until".
_KEYED = (
    "clientDateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP",
    "libraryID INT NOT NULL REFERENCES libraries(libraryID) ON DELETE CASCADE",
    "key TEXT NOT NULL",
    "version INT NOT NULL DEFAULT 0",
    "clientVersion INT NOT NULL DEFAULT 0 @129",
    "synced INT NOT NULL DEFAULT 0",
    "UNIQUE (libraryID, key)",
)
_ITEM = "itemID INTEGER PRIMARY KEY REFERENCES items(itemID) ON DELETE CASCADE"

_TABLES: dict[str, tuple[str, ...]] = {
    "version": ("schema TEXT PRIMARY KEY", "version INT NOT NULL"),
    "settings": ("setting TEXT", "key TEXT", "value", "PRIMARY KEY (setting, key)"),
    "libraries": (
        "libraryID INTEGER PRIMARY KEY",
        "type TEXT NOT NULL",
        "editable INT NOT NULL",
        "filesEditable INT NOT NULL",
        "version INT NOT NULL DEFAULT 0",
        "clientVersion INT NOT NULL DEFAULT 0 @129",
        "storageVersion INT NOT NULL DEFAULT 0",
        "lastSync INT NOT NULL DEFAULT 0",
        "archived INT NOT NULL DEFAULT 0",
        "isAdmin INT NOT NULL DEFAULT 0 @125",
    ),
    "users": ("userID INTEGER PRIMARY KEY", "name TEXT NOT NULL"),
    "groups": (
        "groupID INTEGER PRIMARY KEY",
        "libraryID INT NOT NULL UNIQUE",
        "name TEXT NOT NULL",
        "description TEXT NOT NULL DEFAULT ''",
        "version INT NOT NULL DEFAULT 0",
    ),
    "groupItems": (_ITEM, "createdByUserID INT", "lastModifiedByUserID INT"),
    "feeds": (
        "libraryID INTEGER PRIMARY KEY",
        "name TEXT NOT NULL",
        "url TEXT NOT NULL UNIQUE",
        "lastUpdate TIMESTAMP",
        "lastCheck TIMESTAMP",
        "lastCheckError TEXT",
        "cleanupReadAfter INT",
        "cleanupUnreadAfter INT",
        "refreshInterval INT",
    ),
    "feedItems": (_ITEM, "guid TEXT NOT NULL UNIQUE", "readTime TIMESTAMP", "translatedTime TIMESTAMP"),
    "itemTypes": (
        "itemTypeID INTEGER PRIMARY KEY",
        "typeName TEXT",
        "templateItemTypeID INT",
        "display INT DEFAULT 1",
    ),
    "itemTypesCombined": (
        "itemTypeID INTEGER PRIMARY KEY",
        "typeName TEXT NOT NULL",
        "display INT DEFAULT 1 NOT NULL",
        "custom INT NOT NULL DEFAULT 0",
    ),
    "fields": ("fieldID INTEGER PRIMARY KEY", "fieldName TEXT", "fieldFormatID INT"),
    "fieldsCombined": (
        "fieldID INTEGER PRIMARY KEY",
        "fieldName TEXT NOT NULL",
        "label TEXT",
        "fieldFormatID INT",
        "custom INT NOT NULL DEFAULT 0",
    ),
    "itemTypeFields": (
        "itemTypeID INT",
        "fieldID INT",
        "hide INT",
        "orderIndex INT",
        "PRIMARY KEY (itemTypeID, orderIndex)",
    ),
    "itemTypeFieldsCombined": (
        "itemTypeID INT NOT NULL",
        "fieldID INT NOT NULL",
        "hide INT",
        "orderIndex INT NOT NULL",
        "PRIMARY KEY (itemTypeID, orderIndex)",
    ),
    "baseFieldMappings": (
        "itemTypeID INT",
        "baseFieldID INT",
        "fieldID INT",
        "PRIMARY KEY (itemTypeID, baseFieldID, fieldID)",
    ),
    "baseFieldMappingsCombined": (
        "itemTypeID INT",
        "baseFieldID INT",
        "fieldID INT",
        "PRIMARY KEY (itemTypeID, baseFieldID, fieldID)",
    ),
    "creatorTypes": ("creatorTypeID INTEGER PRIMARY KEY", "creatorType TEXT"),
    "itemTypeCreatorTypes": (
        "itemTypeID INT",
        "creatorTypeID INT",
        "primaryField INT",
        "PRIMARY KEY (itemTypeID, creatorTypeID)",
    ),
    "items": (
        "itemID INTEGER PRIMARY KEY",
        "itemTypeID INT NOT NULL",
        "dateAdded TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP",
        "dateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP",
        *_KEYED,
    ),
    "itemDataValues": ("valueID INTEGER PRIMARY KEY", "value UNIQUE", "valueNormalized TEXT @126"),
    "itemData": (
        "itemID INT REFERENCES items(itemID) ON DELETE CASCADE",
        "fieldID INT",
        "valueID INT",
        "PRIMARY KEY (itemID, fieldID)",
    ),
    "itemNotes": (_ITEM, "parentItemID INT", "note TEXT", "title TEXT"),
    "itemAttachments": (
        _ITEM,
        "parentItemID INT",
        "linkMode INT",
        "contentType TEXT",
        "charsetID INT",
        "path TEXT",
        "syncState INT DEFAULT 0",
        "storageModTime INT",
        "storageHash TEXT",
        "lastProcessedModificationTime INT @112",
        "lastRead INT @124",
    ),
    "itemAnnotations @112": (
        _ITEM,
        "parentItemID INT NOT NULL REFERENCES itemAttachments(itemID)",
        "type INTEGER NOT NULL",
        "authorName TEXT @119",
        "text TEXT",
        "textNormalized TEXT @126",
        "comment TEXT",
        "commentNormalized TEXT @126",
        "color TEXT",
        "pageLabel TEXT",
        "sortIndex TEXT NOT NULL",
        "position TEXT NOT NULL",
        "isExternal INT NOT NULL",
    ),
    "charsets": ("charsetID INTEGER PRIMARY KEY", "charset TEXT UNIQUE"),
    "creators": (
        "creatorID INTEGER PRIMARY KEY",
        "firstName TEXT",
        "lastName TEXT",
        "firstNameNormalized TEXT @126",
        "lastNameNormalized TEXT @126",
        "fieldMode INT",
        "UNIQUE (lastName, firstName, fieldMode)",
    ),
    "itemCreators": (
        "itemID INT NOT NULL REFERENCES items(itemID) ON DELETE CASCADE",
        "creatorID INT NOT NULL",
        "creatorTypeID INT NOT NULL DEFAULT 1",
        "orderIndex INT NOT NULL DEFAULT 0",
        "PRIMARY KEY (itemID, creatorID, creatorTypeID, orderIndex)",
        "UNIQUE (itemID, orderIndex)",
    ),
    "collections": (
        "collectionID INTEGER PRIMARY KEY",
        "collectionName TEXT NOT NULL",
        "parentCollectionID INT DEFAULT NULL REFERENCES collections(collectionID) ON DELETE CASCADE",
        *_KEYED,
    ),
    "collectionItems": (
        "collectionID INT NOT NULL REFERENCES collections(collectionID) ON DELETE CASCADE",
        "itemID INT NOT NULL REFERENCES items(itemID) ON DELETE CASCADE",
        "orderIndex INT NOT NULL DEFAULT 0",
        "PRIMARY KEY (collectionID, itemID)",
    ),
    "tags": ("tagID INTEGER PRIMARY KEY", "name TEXT NOT NULL UNIQUE", "nameNormalized TEXT @126"),
    "itemTags": (
        "itemID INT NOT NULL REFERENCES items(itemID) ON DELETE CASCADE",
        "tagID INT NOT NULL",
        "type INT NOT NULL",
        "PRIMARY KEY (itemID, tagID)",
    ),
    "relationPredicates": ("predicateID INTEGER PRIMARY KEY", "predicate TEXT UNIQUE"),
    "itemRelations": (
        "itemID INT NOT NULL REFERENCES items(itemID) ON DELETE CASCADE",
        "predicateID INT NOT NULL",
        "object TEXT NOT NULL",
        "PRIMARY KEY (itemID, predicateID, object)",
    ),
    "savedSearches": ("savedSearchID INTEGER PRIMARY KEY", "savedSearchName TEXT NOT NULL", *_KEYED),
    "savedSearchConditions": (
        "savedSearchID INT NOT NULL",
        "searchConditionID INT NOT NULL",
        "condition TEXT NOT NULL",
        "operator TEXT",
        "value TEXT",
        "required INT @95-126",
        "PRIMARY KEY (savedSearchID, searchConditionID)",
    ),
    "deletedItems": (_ITEM, "dateDeleted DEFAULT CURRENT_TIMESTAMP NOT NULL"),
    "deletedCollections @111": (
        "collectionID INTEGER PRIMARY KEY REFERENCES collections(collectionID) ON DELETE CASCADE",
        "dateDeleted DEFAULT CURRENT_TIMESTAMP NOT NULL",
    ),
    "deletedSearches @111": (
        "savedSearchID INTEGER PRIMARY KEY",
        "dateDeleted DEFAULT CURRENT_TIMESTAMP NOT NULL",
    ),
    "retractedItems @105": (_ITEM, "data TEXT", "flag INT DEFAULT 0"),
    "publicationsItems": ("itemID INTEGER PRIMARY KEY",),
    "syncedSettings": (
        "setting TEXT NOT NULL",
        "libraryID INT NOT NULL",
        "value NOT NULL",
        "version INT NOT NULL DEFAULT 0",
        "synced INT NOT NULL DEFAULT 0",
        "PRIMARY KEY (setting, libraryID)",
    ),
    "fulltextItems": (
        _ITEM,
        "indexedPages INT",
        "totalPages INT",
        "indexedChars INT",
        "totalChars INT",
        "version INT NOT NULL DEFAULT 0",
        "synced INT NOT NULL DEFAULT 0",
    ),
    "fulltextWords @95-126": ("wordID INTEGER PRIMARY KEY", "word TEXT UNIQUE"),
    "fulltextItemWords @95-126": ("wordID INT", "itemID INT", "PRIMARY KEY (wordID, itemID)"),
}

_INDEXES = (
    "itemData(fieldID)",
    "itemNotes(parentItemID)",
    "itemAttachments(parentItemID)",
    "itemAnnotations(parentItemID)",
    "itemTags(tagID)",
    "itemCreators(creatorTypeID)",
    "collectionItems(itemID)",
    "deletedItems(dateDeleted)",
)


def statements(schema: int) -> list[str]:
    """The CREATE statements of a database of that schema."""
    made: list[str] = []
    tables: set[str] = set()
    for listed, columns in _TABLES.items():
        name, exists = _at(listed, schema)
        if exists:
            tables.add(name)
            kept = [column for column, there in (_at(column, schema) for column in columns) if there]
            made.append(f"CREATE TABLE {name} ({', '.join(kept)})")
    for index in _INDEXES:
        table, _, column = index.rstrip(")").partition("(")
        if table in tables:
            made.append(f"CREATE INDEX {table}_{column} ON {table}({column})")
    return made


def _at(listed: str, schema: int) -> tuple[str, bool]:
    text, _, span = listed.partition(" @")
    since, _, until = span.partition("-")
    return text, int(since or 0) <= schema <= int(until or schema)
