"""Reading a Zotero data directory: finding it, copying it privately, records, file paths, links."""

from zbm_core._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "changes": ("LibraryChanges", "changes_between"),
        "errors": ("LibraryError",),
        "exclusion": ("Exclusions", "without"),
        "files": ("FileLocation", "FileState"),
        "freshness": ("Freshness", "freshness_of", "last_write"),
        "library": ("Library", "read_library"),
        "links": ("open_pdf_link", "open_text_link", "select_link"),
        "locate": (
            "Environment",
            "FoundDirectory",
            "base_attachment_path_of",
            "check_folder",
            "find_data_directories",
            "places_searched",
        ),
        "notes": ("visible_text",),
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
