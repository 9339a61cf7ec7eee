"""Handing files and links to the system."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QProcess, QUrl
from PySide6.QtGui import QDesktopServices

#: What may be opened by a click in a list of documents. Anything else (a program, a script, a shortcut
#: that came with a shared library) is shown in its folder instead: starting it is the user's own act.
DOCUMENT_SUFFIXES = frozenset(
    """
    .pdf .epub .html .htm .xhtml .mht .mhtml .txt .md .rtf .csv .tsv .xml .json .bib .ris .tex
    .doc .docx .odt .xls .xlsx .ods .ppt .pptx .odp .djvu .djv .ps .mobi .azw3 .fb2
    .png .jpg .jpeg .gif .tif .tiff .webp .bmp .svg .mp3 .m4a .ogg .wav .flac .mp4 .m4v .mkv .webm .mov
    """.split()  # noqa: SIM905 - a list of fifty literals says less
)


def is_document(path: Path) -> bool:
    return path.suffix.lower() in DOCUMENT_SUFFIXES


def open_file(path: Path) -> bool:
    """Open *path* in the program the system has for it; False if the system did not."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def open_link(link: str) -> bool:
    """Open a ``zotero://``, web or mail link; anything else is refused."""
    url = QUrl(link)
    return url.scheme() in {"zotero", "http", "https", "mailto"} and QDesktopServices.openUrl(url)


def show_file(path: Path) -> bool:
    """Show *path* selected in the file manager, or its folder where that cannot be asked for."""
    if sys.platform == "win32":
        # explorer parses its line itself: the comma belongs to the option, the path stays quoted.
        process = QProcess()
        process.setProgram("explorer.exe")
        process.setNativeArguments(f'/select,"{path!s}"')
        return process.startDetached()[0]
    if sys.platform == "darwin":
        return QProcess.startDetached("open", ["-R", str(path)])[0]
    _show_by_dbus(path)
    return True


def _show_by_dbus(path: Path) -> None:
    """The freedesktop file manager interface, which selects the file; the folder where none answers."""
    # The command line tool takes a comma for the end of a list's member.
    uri = (
        QUrl.fromLocalFile(str(path))
        .toString(QUrl.ComponentFormattingOption.FullyEncoded)
        .replace(",", "%2C")
    )
    process = QProcess(QCoreApplication.instance())
    process.setProgram("dbus-send")
    process.setArguments(
        [
            "--session",
            "--print-reply",
            "--reply-timeout=1500",
            "--dest=org.freedesktop.FileManager1",
            "/org/freedesktop/FileManager1",
            "org.freedesktop.FileManager1.ShowItems",
            f"array:string:{uri}",
            "string:",
        ]
    )

    def show_folder() -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))

    def on_finished(code: int, status: QProcess.ExitStatus) -> None:
        if status is not QProcess.ExitStatus.NormalExit or code != 0:
            show_folder()
        process.deleteLater()

    def on_error(error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:  # no `finished` follows
            show_folder()
            process.deleteLater()

    process.finished.connect(on_finished)
    process.errorOccurred.connect(on_error)
    process.start()
