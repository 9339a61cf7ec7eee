"""Reading a Zotero data directory: finding it, copying it privately, records, file paths, links."""

from zbm_core._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "records": (
            "Annotation",
            "Attachment",
            "Collection",
            "Creator",
            "Item",
            "ItemKey",
            "LibraryInfo",
            "Note",
            "Record",
        ),
    },
)
