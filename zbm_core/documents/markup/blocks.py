"""From what flows out of a walk to the blocks of a structured text: tables put together, reference lists told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zbm_core.documents.markup.flow import Container, Flow, around
from zbm_core.documents.references import is_reference_heading
from zbm_core.documents.structure import Block, BlockKind, TextSpan

TABLE_BLOCK = 1_000
"""Characters of rows in one block: about a chunk, which is then cut between rows."""

CELL_OF_PROSE = 200
"""Characters per cell, on average, from which a table is taken for a page's layout and its cells for paragraphs."""


class BlockBuilder:
    """Collects the blocks of a document, file after file."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._flows: list[Flow] = []  # of the table that is being put together
        self._table: Container | None = None
        self._references = 0  # level of the heading of the reference list the text is in
        self._ids: dict[str, int] = {}
        self._waiting: list[str] = []

    def add_file(self, flows: Iterable[Flow]) -> dict[str, int]:
        """Add the blocks of one file; for each id in it the index of the block it stands before or in."""
        self._ids, self._references = {}, 0
        first = len(self.blocks)
        for flow in flows:
            table = around(flow, "table") if flow.kind is BlockKind.TABLE else None
            if self._flows and table is not self._table:
                self._end_table()
            if table is not None:
                self._table = table
                self._flows.append(flow)
            else:
                self._add(flow.kind, flow.text, flow.spans, flow.level, (flow,))
        if self._flows:
            self._end_table()
        ids, self._ids = self._ids, {}
        if len(self.blocks) == first:
            return {}
        return ids

    def _add(
        self, kind: BlockKind, text: str, spans: Sequence[TextSpan], level: int, flows: Sequence[Flow]
    ) -> None:
        if kind is BlockKind.HEADING:
            if is_reference_heading(text):
                self._references = level
            elif level <= self._references:
                self._references = 0
        elif self._references and kind in _ENTRIES:
            kind = BlockKind.REFERENCE
        for flow in flows:
            for identity, _ in flow.anchors:
                self._ids.setdefault(identity, len(self.blocks))
        self.blocks.append(Block(kind, text, tuple(spans), level if kind is BlockKind.HEADING else 0))

    def _end_table(self) -> None:
        flows, self._flows = self._flows, []
        rows = _rows(flows)
        cells = sum(map(len, rows))
        if (
            sum(len(flow.text) for flow in flows) > CELL_OF_PROSE * cells
            or max(map(len, rows)) == 1
            or any(flow.level for flow in flows)
        ):
            for flow in flows:
                self._add(BlockKind.PARAGRAPH, flow.text, flow.spans, 0, (flow,))
            return
        joined = _Joined()
        for row in rows:
            joined.row(row)
            if joined.length >= TABLE_BLOCK:
                self._add(BlockKind.TABLE, joined.text(), joined.spans, 0, joined.flows)
                joined = _Joined()
        if joined.length:
            self._add(BlockKind.TABLE, joined.text(), joined.spans, 0, joined.flows)


_ENTRIES = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.TABLE})
"""Kinds that are entries where they stand under the heading of a reference list."""


class _Joined:
    """Rows of a table as one text: cells parted by tabs, rows by line breaks, paragraphs of a cell by spaces."""

    def __init__(self) -> None:
        self.length = 0
        self.spans: list[TextSpan] = []
        self.flows: list[Flow] = []
        self._parts: list[str] = []

    def row(self, cells: Sequence[Sequence[Flow]]) -> None:
        between = "\n" if self.length else ""
        for cell in cells:
            for flow in cell:
                self._put(between)
                offset = self.length
                self.spans.extend(
                    TextSpan(span.start + offset, span.end + offset, span.node, span.lead)
                    for span in flow.spans
                )
                self._put(flow.text.replace("\n", " "))
                self.flows.append(flow)
                between = " "
            between = "\t"

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)

    def text(self) -> str:
        return "".join(self._parts)


def _rows(flows: Iterable[Flow]) -> list[list[list[Flow]]]:
    """Flows by row and cell."""
    rows: list[list[list[Flow]]] = []
    last_row = last_cell = None
    for flow in flows:
        row, cell = around(flow, "tr"), around(flow, "td", "th")
        if not rows or row is not last_row:
            rows.append([])
            last_row, last_cell = row, None
        if not rows[-1] or cell is not last_cell:
            rows[-1].append([])
            last_cell = cell
        rows[-1][-1].append(flow)
    return rows
