"""Meaning: models, encoders, vectors and the index of them."""

from zbm_core._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "records": ("ChunkHit", "EmbeddingSource", "SemanticHit"),
        "index": ("SemanticIndex",),
    },
)
