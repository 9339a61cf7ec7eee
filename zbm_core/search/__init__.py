"""Search: scopes, the session that scores a query and owns its passages."""

from zbm_core._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "records": (
            "EngineChoice",
            "Fusion",
            "Kind",
            "Match",
            "Outlook",
            "Passage",
            "Scope",
            "Score",
            "SearchRequest",
            "SearchResult",
        ),
        "session": ("Session",),
        "similar": ("similar_items",),
        "scope": ("item_type", "languages_of", "scope_keys"),
    },
)
