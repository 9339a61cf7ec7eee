"""Text: normalisation, words, sentences, stems: one place, used by all rooms."""

from zbm_core._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "normalize": ("Folded", "fold_with_map", "normalize_for_search"),
        "tokens": ("MAX_WORD", "bigrams", "has_runs", "has_words", "is_run", "words", "words_with_spans"),
        "boundaries": ("sentences",),
        "function_words": ("languages_with_small_words", "small_words"),
        "stems": ("can_stem", "keeps_first_letter", "stem", "table"),
        "language": ("language_of", "language_named"),
    },
)
