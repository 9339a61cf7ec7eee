"""What can go wrong with a Zotero data directory."""

from zbm_core.errors import ZbmError


class LibraryError(ZbmError):
    """The data directory cannot be read; the message says why and what to do."""
