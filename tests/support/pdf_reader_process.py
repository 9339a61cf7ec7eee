"""A PDF in the window's reader, in a process of its own, for what might end that: ``python -m tests.support.pdf_reader_process FILE [click]``.

Prints one JSON object: whether it opened, what the reader says if not, pages, outline entries, addresses the pages' links
lead to, those that were offered when all over the page was clicked, what was handed to the system, the longest time the
window stood still (seconds), whether everything was drawn, bytes of memory at most.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

DRAWN_WITHIN = 8.0
"""Seconds that are waited for all to be drawn."""

AT_LEAST = 0.5
"""Seconds in which whatever would be asked for on opening is asked for."""


def main(path: Path, clicks: int) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtGui import QDesktopServices
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from zbm_gui.viewer import PdfReader, motion

    motion.ANIMATE = False
    app = QApplication([])
    handed: list[str] = []
    QDesktopServices.openUrl = lambda url: bool(handed.append(url.toString()))  # type: ignore[method-assign]
    reader = PdfReader()
    failed: list[str] = []
    offered: list[str] = []
    reader.load_failed.connect(failed.append)
    reader.link_strip.open_requested.connect(handed.append)
    reader.mouse.address_asked.connect(offered.append)
    reader.resize(800, 700)
    reader.show()
    app.processEvents()
    begin = time.monotonic()
    opened = reader.open(path, "hostile")
    opening = time.monotonic() - begin
    still, last = 0.0, time.monotonic()
    file = reader._file
    links: list[str] = []
    step = 0
    while (now := time.monotonic()) - begin < opening + (DRAWN_WITHIN if opened else AT_LEAST):
        app.processEvents()
        still, last = max(still, time.monotonic() - last), time.monotonic()
        if file is not None and step < clicks and now - begin > opening + 0.2:
            # Every part of the first page is clicked: a link may lead somewhere only by a person's hand.
            view = reader.view.viewport()
            QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(40 + 40 * step, view.height() // 2))
            step += 1
        if (file is None or (step == clicks and file.desk.idle)) and now - begin > opening + AT_LEAST:
            break
        time.sleep(0.002)
    outline = len(file.outline()) if file is not None and file.desk.idle else -1
    if file is not None:
        known = reader.mouse._pages._links.known(0)
        links = [link.url for link in known if link.url]
    drawn = file is None or file.desk.idle
    begin = time.monotonic()
    pages = reader.page_count
    reader.close_document()
    app.processEvents()
    print(
        json.dumps(
            {
                "opened": opened,
                "said": failed,
                "pages": pages,
                "outline": outline,
                "links": links,
                "opening": opening,
                "still": still,
                "drawn": drawn,
                "closing": time.monotonic() - begin,
                "offered": sorted(set(offered)),
                "handed": handed,
                "memory": _peak_memory(),
            }
        ),
        flush=True,
    )
    # As the program itself ends: a drawing that is out is not waited for.
    os._exit(0)


def _peak_memory() -> int:
    import psutil

    from tests.support.watching import peak_memory

    return peak_memory(psutil.Process())


if __name__ == "__main__":
    main(Path(sys.argv[1]), 20 if sys.argv[2:] else 0)
