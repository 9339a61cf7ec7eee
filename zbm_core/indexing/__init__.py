"""Indexing: the only writer of the indexes."""

from zbm_core._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "embedding": ("EmbeddingRun",),
        "records": ("EmbeddingProgress", "EmbeddingReport", "Phase", "Progress", "RunReport"),
        "run": ("IndexingRun",),
        "outcomes": ("document_report", "needs_attention"),
    },
)
