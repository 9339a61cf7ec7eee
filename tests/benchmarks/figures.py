"""The form of a measured figure, and the small tools every benchmark measures with."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

#: Real corpora, libraries and documents: a folder beside the project, absent on most machines.
DATA = Path(__file__).resolve().parents[2].parent / "shared"


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of a benchmark's answer.

    Attributes:
        name: dotted, stable, e.g. ``quality.covidqa.ndcg10``.
        value: the figure; None where it could not be measured (`unit` then says why).
        goal: in words that a reader can check, e.g. ``<= 40``; "" where there is none.
        holds: whether `value` meets `goal`; None where there is no goal.
    """

    name: str
    value: float | None
    unit: str
    goal: str = ""
    holds: bool | None = None

    def json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    def __str__(self) -> str:
        mark = {True: "holds", False: "short", None: ""}[self.holds]
        value = "-" if self.value is None else f"{self.value:,.4g}"
        return f"{self.name:<52} {value:>12} {self.unit:<16} {self.goal:<12} {mark}"


def at_most(name: str, value: float, bound: float, unit: str) -> Figure:
    return Figure(name, round(value, 6), unit, f"<= {bound:g}", value <= bound)


def at_least(name: str, value: float, bound: float, unit: str) -> Figure:
    return Figure(name, round(value, 6), unit, f">= {bound:g}", value >= bound)


def plain(name: str, value: float, unit: str) -> Figure:
    """A figure without a goal, to read the others by."""
    return Figure(name, round(value, 6), unit)


def unmeasured(name: str, why: str) -> Figure:
    return Figure(name, None, why)


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """Run *work*; return (its result, wall seconds, CPU seconds of this process)."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def percentile(values: Sequence[float], share: float) -> float:
    """Nearest-rank percentile, *share* from 0 to 1."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, round(share * (len(ordered) - 1))))]


Run = Callable[[argparse.Namespace], Iterator[Figure]]
