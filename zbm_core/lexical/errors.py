"""What can go wrong with the word index, in words."""

from __future__ import annotations

from zbm_core.errors import ZbmError


class IndexBusy(ZbmError):
    """Another process is writing this index."""


class IndexDamaged(ZbmError):
    """A file of the index cannot be read; opening it again sets it aside and starts a new one."""


class IndexNotWritten(ZbmError):
    """A batch could not be written. Nothing is lost: it is written by the next commit, or after a restart."""
