"""Try the readers: ``python -m zbm_gui.viewer FILE [PAGE]`` (pages count from 1; in a text they are sections)."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication

from zbm_gui.quoting import cited
from zbm_gui.reading_kinds import CONTENT_TYPES, ReadingKind, reading_kind
from zbm_gui.style import apply_theme
from zbm_gui.viewer import PdfReader, TextReader


def main(arguments: list[str]) -> int:
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    app = QApplication(sys.argv[:1])
    apply_theme(app, "system")
    path = Path(arguments[0])
    kind = reading_kind("", path) or ReadingKind.PDF
    is_pdf = kind is ReadingKind.PDF
    reader = PdfReader() if is_pdf else TextReader()
    reader.setWindowTitle(path.name)
    reader.resize(1000, 1000)
    reader.link_requested.connect(lambda url: QDesktopServices.openUrl(QUrl(url)))
    reader.open_externally_requested.connect(
        lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.absolute())))
    )
    clipboard = QGuiApplication.clipboard()
    reader.citation_requested.connect(lambda text, page: clipboard.setText(cited(text, path.stem, page)))
    reader.picture_copied.connect(lambda picture, _page: clipboard.setImage(picture))
    if is_pdf:
        reader.open(path, path.name)
    else:
        reader.open(path, path.name, content_type=CONTENT_TYPES[kind])
    if len(arguments) > 1 and arguments[1].isdecimal():
        reader.go_to_page(int(arguments[1]) - 1)
    reader.show()
    reader.setFocus()
    code = app.exec()
    reader.close_document()
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
