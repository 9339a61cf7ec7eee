"""The pictures of a text: read in its thread, bounded, and nothing but pictures of the document itself."""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QColor, QImage, QImageReader, QTextDocument

from zbm_gui.lanes import Failure

from .desk import BookDesk

SCHEME = "zbm-image"
#: What is decoded. SVG is a document of its own, which can name further files.
FORMATS = frozenset({b"png", b"jpeg", b"jpg", b"gif", b"webp", b"bmp"})
#: Pixels of a side: more than a column on the sharpest screen.
LONGEST_SIDE = 2400
#: Bytes of decoded pictures kept for one document.
KEPT_BYTES = 96 << 20
PLACEHOLDER_SIDE = 24  # px
#: MB that the decoder may take for one picture.
DECODER_MB = 128


class TextPictures(QObject):
    """Pictures by name.

    Signals:
        arrived(str): the picture of this name can be shown.
    """

    arrived = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk: BookDesk | None = None
        self._images: OrderedDict[str, QImage] = OrderedDict()
        self._asked: set[str] = set()
        self._missing: set[str] = set()

    def set_desk(self, desk: BookDesk | None) -> None:
        self._desk = desk
        self._images.clear()
        self._asked.clear()
        self._missing.clear()

    def image(self, url: QUrl) -> QImage | None:
        """The picture at a ``zbm-image:`` address; None while it is not here (it is asked for), or never will be."""
        name = name_of(url)
        if not name:
            return None
        image = self._images.get(name)
        if image is not None:
            self._images.move_to_end(name)
        elif self._desk is not None and name not in self._asked and name not in self._missing:
            self._asked.add(name)
            self._desk.ask(
                f"picture {name}",
                lambda book: decoded(book.book.image(name)),
                lambda image: self._on_decoded(name, image),
                lambda failure: self._on_failed(name, failure),
            )
        return image

    def _on_decoded(self, name: str, image: QImage) -> None:
        self._asked.discard(name)
        if image.isNull():
            self._missing.add(name)
            return
        self._images[name] = image
        while (
            len(self._images) > 1 and sum(kept.sizeInBytes() for kept in self._images.values()) > KEPT_BYTES
        ):
            self._images.popitem(last=False)
        self.arrived.emit(name)

    def _on_failed(self, name: str, _failure: Failure) -> None:
        self._asked.discard(name)
        self._missing.add(name)


def name_of(url: QUrl) -> str:
    """The name in a ``zbm-image:`` address, "" for any other address."""
    return url.path(QUrl.ComponentFormattingOption.FullyDecoded) if url.scheme() == SCHEME else ""


def decoded(data: bytes) -> QImage:
    """The picture in *data*, no side longer than `LONGEST_SIDE`; a null one if it is none that is shown."""
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(True)
    if not reader.canRead() or bytes(reader.format().data()) not in FORMATS:
        return QImage()
    QImageReader.setAllocationLimit(DECODER_MB)
    size = reader.size()
    if size.isValid() and max(size.width(), size.height()) > LONGEST_SIDE:
        reader.setScaledSize(
            size.scaled(QSize(LONGEST_SIDE, LONGEST_SIDE), Qt.AspectRatioMode.KeepAspectRatio)
        )
    image = reader.read()
    if max(image.width(), image.height()) > LONGEST_SIDE:
        image = image.scaled(
            LONGEST_SIDE,
            LONGEST_SIDE,
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
    return image


def fitted(image: QImage, width: int, height: int, ratio: float) -> QImage:
    """*image* no larger than *width* and *height*, px; drawn at *ratio* device pixels to one where it is made smaller."""
    width, height = max(PLACEHOLDER_SIDE, width), max(PLACEHOLDER_SIDE, height)
    if image.width() <= width and image.height() <= height:
        return image
    smaller = image.scaled(
        round(width * ratio),
        round(height * ratio),
        Qt.AspectRatioMode.KeepAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )
    smaller.setDevicePixelRatio(ratio)
    return smaller


def placeholder(colour: QColor) -> QImage:
    """What stands in place of a picture that is not here."""
    image = QImage(PLACEHOLDER_SIDE, PLACEHOLDER_SIDE, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(colour)
    return image


def picture_urls(document: QTextDocument) -> set[str]:
    """The addresses of the pictures in *document*."""
    return {form.toImageFormat().name() for form in document.allFormats() if form.isImageFormat()}
