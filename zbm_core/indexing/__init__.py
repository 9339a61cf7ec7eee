"""Indexing: the only writer of the indexes."""

from zbm_core._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "contents": ("Contents",),
        "integrity": ("Marks",),
        "machine": ("Attendance", "Machine", "Tireless"),
        "records": (
            "Bar",
            "EmbeddingProgress",
            "EmbeddingReport",
            "Phase",
            "Progress",
            "RunOutcome",
            "RunProgress",
            "RunReport",
            "Step",
        ),
        "parts": ("Parts",),
        "run": ("Run",),
        "outcomes": ("document_report", "needs_attention"),
    },
)
