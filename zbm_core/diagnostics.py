"""What the program does just now, in figures: for whoever wonders why it is slow, or is asked by a maintainer.

Gathering reads counters, the process table and file sizes; it belongs off the UI thread, a few times a minute.
Nothing here holds a title, a query, a path or a key, but for the sentences of errors, which are shown on this
computer alone and left out of what is copied (`as_text`).
"""

from __future__ import annotations

import logging
import os
import platform
import sys
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from zbm_core import __version__
from zbm_core.gauges import ProcessUse, Rates

#: Errors remembered.
ERRORS_KEPT = 20
#: Upper bounds of the classes of documents by their chunks (facts of the reference).
SHAPE_BOUNDS = (0, 10, 50, 200)
SHAPE_NAMES = ("none", "1–10", "11–50", "51–200", "over 200")


# --- errors ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NotedError:
    """One error or warning of the log."""

    when: float  # seconds since the epoch
    message: str  # as the log has it: may name files and titles
    template: str  # the same without what was put into it
    kind: str  # the exception's class, "" where there was none
    where: str  # the logger


class ErrorLog(logging.Handler):
    """Remembers the last errors and warnings of the program's log, and what users were told of (`zbm_error`)."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._kept: deque[NotedError] = deque(maxlen=ERRORS_KEPT)

    def emit(self, record: logging.LogRecord) -> None:
        told = getattr(record, "zbm_error", "")
        if record.levelno < logging.WARNING and not told:
            return
        kind = told or (type(record.exc_info[1]).__name__ if record.exc_info and record.exc_info[1] else "")
        self._kept.append(NotedError(record.created, record.getMessage(), str(record.msg), kind, record.name))

    def last(self) -> tuple[NotedError, ...]:
        """The newest first."""
        return tuple(reversed(tuple(self._kept)))


#: The one handler that a program adds to its log.
error_log = ErrorLog()


# --- all together ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shape:
    """How many chunks the documents have."""

    documents: int
    mean: float
    median: float
    most: int
    classes: tuple[int, ...]  # documents by `SHAPE_NAMES`

    @classmethod
    def of(cls, counts: Iterable[int]) -> Shape:
        from statistics import mean, median  # not before the window paints

        counts = list(counts)
        if not counts:
            return cls(0, 0.0, 0.0, 0, (0,) * len(SHAPE_NAMES))
        classes = [0] * len(SHAPE_NAMES)
        for count in counts:
            classes[sum(count > bound for bound in SHAPE_BOUNDS)] += 1
        return cls(len(counts), mean(counts), float(median(counts)), max(counts), tuple(classes))


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """One look at everything."""

    window: Rates
    run: Rates
    model: str  # "" while none is in use
    threads: int  # of the embedding model
    cores: int
    restarts: int  # of the child that runs it
    passages: tuple[int, int]  # with a vector, waiting for one
    processes: tuple[ProcessUse, ...]
    memory_available: int
    memory_total: int
    shape: Shape
    files: tuple[tuple[str, int], ...]  # what is stored, and its bytes
    errors: tuple[NotedError, ...]
    renewals: tuple[int, int] = (0, 0)  # of that child: because it had grown, for other threads


class FileSizes:
    """Sizes of what a library's home folder holds, looked at no more often than every `REST` seconds: a large
    library has thousands of packs."""

    REST = 30.0
    PARTS = (
        ("lexical", "Word index"),
        ("semantic.sqlite", "Semantic data"),
        ("documents", "Texts of documents"),
    )

    def __init__(self) -> None:
        self._last: tuple[Path, float, tuple[tuple[str, int], ...]] | None = None

    def of(self, home: Path) -> tuple[tuple[str, int], ...]:
        if self._last and self._last[0] == home and time.monotonic() - self._last[1] < self.REST:
            return self._last[2]
        sizes = tuple((name, _bytes_of(home, part)) for part, name in self.PARTS)
        self._last = (home, time.monotonic(), sizes)
        return sizes


def _bytes_of(home: Path, part: str) -> int:
    """Bytes of the folder *part*, or of the database of that name with its log."""
    total = 0
    folder = home / part
    places = [folder] if folder.is_dir() else []
    for path in home.glob(f"{part}*") if not places else ():
        if path.is_file():
            total += path.stat().st_size
    while places:
        try:
            for entry in os.scandir(places.pop()):
                if entry.is_dir(follow_symlinks=False):
                    places.append(Path(entry.path))
                else:
                    total += entry.stat(follow_symlinks=False).st_size
        except FileNotFoundError:
            continue  # a file that was just replaced
    return total


def as_text(diagnostics: Diagnostics, more: Iterable[tuple[str, str]] = ()) -> str:
    """What [Copy diagnostics] puts on the clipboard: figures and kinds of errors, and nothing of the library.

    Args:
        more: further lines, names and values.
    """
    d = diagnostics
    lines = [
        ("Zotero Best Match", __version__),
        ("Python", platform.python_version()),
        ("System", f"{platform.system()} {platform.release()} {platform.machine()}"),
        ("Frozen", "yes" if getattr(sys, "frozen", False) else "no"),
        *more,
        *figures(d),
    ]
    text = [f"{name}: {value}" for name, value in lines]
    text += ["", "Last errors:"] + [_without_content(error) for error in d.errors]
    return "\n".join(text if d.errors else [*text, "none"]) + "\n"


def _without_content(error: NotedError) -> str:
    """When, where and what kind; the sentence only as it stands in the program, before anything was put into it."""
    when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(error.when))
    # What another package logs may have been put together before; "%s: %s" says nothing.
    own = error.where.startswith("zbm_") and any(map(str.isalpha, error.template.replace("%s", "")))
    return "  ".join(filter(None, (when, error.where, error.kind, error.template if own else "")))


def figures(d: Diagnostics) -> list[tuple[str, str]]:
    """Names and values as a person reads them."""
    now = (
        f"{d.window.chunks_per_second:,.1f} passages a second"
        + ("" if d.window.established else " (not yet settled)")
        if d.window.chunks
        else "nothing is being embedded"
    )
    lines = [("Throughput, last two minutes", now), ("Embedding model", d.model or "none in use")]
    if d.run.batches:
        run = d.run
        lines += [
            ("Inference speed", f"{run.tokens_per_second:,.0f} tokens a second"),
            ("Padding efficiency", f"{100 * run.padding_efficiency:.1f} %"),
            (
                "Batches",
                f"{run.batches:,} ({run.chunks / run.batches:.1f} passages and "
                f"{run.tokens / run.batches:,.0f} tokens each)",
            ),
            ("Embedded since the start", f"{run.chunks:,} passages, {run.tokens:,} tokens"),
        ]
    if d.model:
        lines += [
            ("Threads of the model", f"{d.threads} of {d.cores} cores"),
            (
                "Restarts of the model",
                f"{d.restarts:,} after a fault, {d.renewals[0]:,} for its memory, {d.renewals[1]:,} for other threads",
            ),
            ("Passages with semantic data", f"{d.passages[0]:,}; {d.passages[1]:,} wait for it"),
        ]
    lines += [
        (
            "Passages of a document",
            f"{d.shape.mean:.1f} in the mean, {d.shape.median:g} in the median, {d.shape.most:,} at most, "
            f"in {d.shape.documents:,} documents",
        ),
        (
            "Documents by passages",
            ", ".join(f"{name}: {count:,}" for name, count in zip(SHAPE_NAMES, d.shape.classes, strict=True)),
        ),
        ("Memory of this computer", f"{_mb(d.memory_available)} free of {_mb(d.memory_total)}"),
    ]
    for use in d.processes:
        cpu = "" if use.cpu is None else f", {use.cpu:.0f} % of a core"
        lines.append((use.role, f"{_mb(use.memory)}{cpu}"))
    return lines + [(f"Stored: {name}", _mb(size)) for name, size in d.files]


def _mb(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size < 10e6 else f"{size / 1e6:,.0f} MB"
