"""Readers: a document in a tab, opened at its passage.

- `Reader` is what each offers; `PdfReader` shows PDFs. Another format is another `Reader`.
- `ReaderMatch`: a passage to mark.

    reader = PdfReader()
    if reader.open(path, title, labels=None):
        reader.set_annotations(annotations)
        reader.set_outline(entries)          # optional; else the file's own
        reader.show_matches(matches, current)

Names load their module when first used: QtPdf is not imported before a document is opened.
"""

from zbm_core._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "reader": ("Reader", "ReaderMatch"),
        "pdf_reader": ("PdfReader",),
    },
)
