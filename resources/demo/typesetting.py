"""Sets the demo's PDFs from their texts, with Typst.

Typst is needed for building alone (``pip install typst``), never for running the application. It
breaks paragraphs as a whole, hyphenates by language and shapes Arabic. Its Latin faces come with
it; the other ones are looked for among the fonts of the system.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

# The typefaces the texts name, and where they come from: the package on Debian and Ubuntu.
FONTS = {
    "Libertinus Serif": "typst",
    "New Computer Modern": "typst",
    "P052": "fonts-urw-base35",
    "C059": "fonts-urw-base35",
    "Nimbus Roman": "fonts-urw-base35",
    "Nimbus Sans": "fonts-urw-base35",
    "Noto Naskh Arabic": "fonts-noto-core",
    "Noto Serif CJK SC": "fonts-noto-cjk",
    "Noto Sans CJK SC": "fonts-noto-cjk",
}


class TypesettingError(RuntimeError):
    """The tools or fonts for setting are missing, or a text cannot be set."""


def check_tools() -> None:
    """Raise TypesettingError, naming what to install, unless every text can be set here."""
    installed = set(_typst().Fonts().families())
    missing = sorted({package for family, package in FONTS.items() if family not in installed})
    if missing:
        families = ", ".join(sorted(family for family in FONTS if family not in installed))
        raise TypesettingError(f"missing fonts: {families}. On Debian: apt-get install {' '.join(missing)}")


def set_pdf(text: Path) -> bytes:
    """The PDF of one text.

    Raises:
        TypesettingError: the text has a mistake, or names a font that is not here.
    """
    typst = _typst()
    try:
        # Tags would double the size of the files and are not what the demo is for.
        pdf, warnings = typst.Compiler(str(text), root=str(text.parent)).compile_with_warnings(pdf_tags=False)
    except typst.TypstError as error:
        raise TypesettingError(f"{text.name}: {error.diagnostic or error.message}") from error
    if warnings:
        raise TypesettingError(f"{text.name}: {warnings[0].message}")
    return pdf


@cache
def _typst():
    try:
        import typst
    except ImportError as error:
        raise TypesettingError("the demo's PDFs are set with Typst: pip install typst") from error
    return typst
