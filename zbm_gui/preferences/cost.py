"""What searching by meaning costs, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zbm_gui.wording import about, megabytes

if TYPE_CHECKING:
    from zbm_core.engine_records import ModelChoice
    from zbm_core.meaning_cost import MeaningCost

WHAT_IT_IS = "Finds passages that say the same in other words, and in other languages."


def cost_in_words(cost: MeaningCost | None, on: bool) -> str:
    """Two or three sentences: download, disk, time. What is done already is not counted again."""
    if cost is None:
        return WHAT_IT_IS
    needs = []
    if cost.download:
        needs.append(f"{megabytes(cost.download)} to download once")
    elif not cost.prepared:
        needs.append(
            "a model to be downloaded once" if cost.download is None else "a model to be made ready once"
        )
    if cost.passages:
        needs.append(f"about {megabytes(max(cost.disk, 1_000_000))} of disk for this library")
    if cost.left:
        needs.append(f"{about(cost.seconds)} of computing in the background")
    if not cost.left and on:
        return f"{WHAT_IT_IS} Takes {needs[-1]}." if needs else WHAT_IT_IS
    if not needs:
        return WHAT_IT_IS
    by = " (as fast as it went so far)" if cost.measured and cost.left else ""
    later = " Searching by words works meanwhile; it can be paused at any time." if cost.left else ""
    return f"{WHAT_IT_IS} It needs {_list(needs)}{by}.{later}"


def model_in_words(choice: ModelChoice) -> str:
    """ "bekko-embedding-v1-a25m · MIT · 131 MB to download"."""
    if choice.installed:
        where = f"{megabytes(choice.size)} on this computer" if choice.size else "on this computer"
    else:
        where = f"{megabytes(choice.size)} to download" if choice.size else "not yet on this computer"
    return " · ".join(part for part in (choice.title, choice.licence, where) if part)


def _list(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
