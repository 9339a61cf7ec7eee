"""The engine of Zotero Best Match: everything but the window. No Qt anywhere below here."""

__version__ = "0.1.0"
