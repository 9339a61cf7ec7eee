"""The word engine: an index of everything in words, ranked by what the query could earn."""

from zbm_core._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "errors": ("IndexBusy", "IndexDamaged", "IndexNotWritten"),
        "highlighting": ("highlight",),
        "index": ("LexicalIndex",),
        "query": ("Query", "parse_query"),
        "quotes": ("Quote", "pick_quote"),
        "records": ("LexicalHit", "PassageHit", "Source"),
    },
)
