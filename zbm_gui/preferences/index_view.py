"""Where the index stands, as the preferences show it: plain values from whatever the engine tells."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from zbm_core.engine_records import MeaningStatus
from zbm_gui.wording import about, counted, megabytes, number

if TYPE_CHECKING:
    from zbm_core.indexing.records import Bar, EmbeddingProgress, Progress, RunProgress
    from zbm_core.semantic import Preparing


@dataclass(frozen=True, slots=True)
class BarView:
    """One bar and what stands beside it."""

    share: float = 0.0  # filled, 0 to 1
    text: str = ""  # "1,204 / 1,870"
    tip: str = ""

    @classmethod
    def of_counts(cls, done: int, total: int) -> BarView:
        return cls(done / total if total else 1.0, f"{number(done)} / {number(total)}")

    @classmethod
    def of_run(cls, bar: Bar) -> BarView:
        """Fully indexed of all there are; how far each engine is, in the tip."""
        tip = f"{number(bar.words)} found by words, {number(bar.meaning)} by meaning, of {number(bar.total)}"
        return cls(bar.share, f"{number(bar.meaning)} / {number(bar.total)}", tip)


@dataclass(frozen=True, slots=True)
class IndexView:
    """The two bars, the line under them, how many documents need attention."""

    records: BarView = BarView()
    attachments: BarView = BarView()
    step: str = ""
    attention: int = 0
    known: bool = False  # False: nothing can be paused or rebuilt
    by_run: bool = False  # whether a run has told both sides of the bars

    def with_run(self, progress: RunProgress) -> IndexView:
        """A run over both indexes has come so far."""
        parts = [progress.in_words or "Everything is indexed.", progress.rate_in_words]
        if progress.seconds_left is not None and progress.in_words and not progress.waiting:
            parts.append(about(progress.seconds_left))
        step = " · ".join(filter(None, parts))
        return replace(
            self,
            records=BarView.of_run(progress.records),
            attachments=BarView.of_run(progress.attachments),
            step=step,
            attention=progress.attention,
            known=True,
            by_run=True,
        )

    def with_words(self, progress: Progress) -> IndexView:
        """The word index has come so far; bars that a run has told know more, and stay."""
        if self.by_run:
            return replace(self, attention=progress.attention)
        attachments = BarView.of_counts(progress.documents_done, progress.documents_total)
        if progress.seconds_left is not None and progress.documents_done < progress.documents_total:
            attachments = replace(attachments, text=f"{attachments.text} · {about(progress.seconds_left)}")
        return replace(
            self,
            records=BarView.of_counts(progress.items_done, progress.items_total),
            attachments=attachments,
            attention=progress.attention,
            known=True,
        )

    def with_embedding(self, progress: EmbeddingProgress) -> IndexView:
        waiting = progress.total - progress.done
        left = "" if progress.seconds_left is None else f" · {about(progress.seconds_left)}"
        return replace(self, step=f"Generating semantic data locally for {counted(waiting, 'passage')}{left}")

    def with_preparing(self, preparing: Preparing) -> IndexView:
        """A model is being fetched or made."""
        share = ""
        if preparing.total:
            share = f" {megabytes(preparing.done)} of {megabytes(preparing.total)}"
        return replace(self, step=f"{preparing.what}…{share}")

    def with_status(self, status: MeaningStatus | None, running: bool) -> IndexView:
        """What is known of the index of meaning while nothing is told of a run.

        Args:
            running: a model is being prepared or texts are being indexed just now.
        """
        return replace(self, step=_of_status(status, running))


def _of_status(status: MeaningStatus | None, running: bool) -> str:
    if status is None:
        return MeaningStatus(False).in_words
    waiting = status.total - status.embedded
    if running and status.enabled and status.model and waiting:
        return f"Generating semantic data locally for {counted(waiting, 'passage')}"
    return status.in_words
