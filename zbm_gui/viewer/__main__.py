"""Try the reader: ``python -m zbm_gui.viewer FILE [PAGE]`` (pages count from 1)."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication

from zbm_gui.quoting import cited
from zbm_gui.style import apply_theme
from zbm_gui.viewer import PdfReader


def main(arguments: list[str]) -> int:
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    app = QApplication(sys.argv[:1])
    apply_theme(app, "system")
    path = Path(arguments[0])
    reader = PdfReader()
    reader.setWindowTitle(path.name)
    reader.resize(1000, 1000)
    reader.link_requested.connect(lambda url: QDesktopServices.openUrl(QUrl(url)))
    reader.open_externally_requested.connect(
        lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.absolute())))
    )
    clipboard = QGuiApplication.clipboard()
    reader.citation_requested.connect(lambda text, page: clipboard.setText(cited(text, path.stem, page)))
    reader.picture_copied.connect(lambda picture, _page: clipboard.setImage(picture))
    reader.open(path, path.name)
    if len(arguments) > 1 and arguments[1].isdecimal():
        reader.go_to_page(int(arguments[1]) - 1)
    reader.show()
    reader.setFocus()
    code = app.exec()
    reader.close_document()
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
