"""Documents: a file becomes structured text, then chunks with anchors, cached as a pack."""

from zbm_core._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "chunker": ("CHUNKER_VERSION", "CHUNK_TOKENS", "cut_plain"),
        "extraction": ("Limits", "worker_command"),
        "reading.client": ("ReadingError", "TextBook", "reading_command"),
        "reading.records": (
            "Place",
            "ReadingContents",
            "ReadingEntry",
            "ReadingSection",
            "SectionPage",
            "Spot",
        ),
        "store": ("DocumentStore", "Job", "NotCached"),
        "structure": (
            "Anchor",
            "Block",
            "BlockKind",
            "Chunk",
            "DocumentReport",
            "OutlineEntry",
            "Outcome",
            "Page",
            "PdfAnchor",
            "Rect",
            "Selector",
            "SelectorAnchor",
            "Span",
            "StructuredText",
        ),
    },
)
