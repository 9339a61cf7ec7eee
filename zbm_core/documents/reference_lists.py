"""Reference lists that only the outline or a heading tells, in documents of every format.

Their entries are found by words and have no meaning of their own: what they name is not what they say.
"""

from __future__ import annotations

from dataclasses import replace

from zbm_core.documents.references import is_reference_heading
from zbm_core.documents.structure import Block, BlockKind, StructuredText

_ENTRIES = frozenset((BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.FOOTNOTE))


def with_reference_lists(text: StructuredText) -> StructuredText:
    """*text* with the paragraphs under a reference list's heading marked as its entries.

    A list ends at the next heading or entry of the outline that is not below its own.
    """
    titles = {entry.block: entry for entry in text.outline if entry.block is not None}
    level: int | None = None  # of the list's heading; None outside of lists
    blocks: list[Block] = []
    for index, block in enumerate(text.blocks):
        entry = titles.get(index)
        if entry is not None or block.kind is BlockKind.HEADING:
            own = entry.level if entry is not None else block.level
            title = entry.title if entry is not None else block.text
            if level is None or own <= level:
                level = own if is_reference_heading(title) else None
        if level is not None and block.kind in _ENTRIES and not is_reference_heading(block.text):
            block = replace(block, kind=BlockKind.REFERENCE)
        blocks.append(block)
    return replace(text, blocks=tuple(blocks))
