"""The annotations of the document as a list that leads to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from zbm_core.library.records import Annotation
from zbm_gui import style

from .annotation_layer import DEFAULT_COLOUR
from .annotation_model import AnnotationModel, kind_name

TEXT_LINES, COMMENT_LINES = 3, 4  # of one entry, at most
MOST_SHOWN = 600  # characters of either that can be seen at all
COLOUR_BAR = 4  # px


class AnnotationPanel(QWidget):
    """Signals:
    chosen(Annotation): go to it.
    left(): the keyboard belongs to the pages again.
    """

    chosen = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        unit = style.unit(self)
        self._model = AnnotationModel(self)
        self.edit = _FilterEdit()
        self.edit.setPlaceholderText("Filter annotations")
        self.edit.setAccessibleName("Filter annotations")
        self.edit.setToolTip("Words of the text, the comment, a tag, the author or the page")
        self.edit.setClearButtonEnabled(True)
        for clear in self.edit.findChildren(QWidget):
            clear.setAccessibleName("Clear")
            clear.setToolTip("Clear")
        self.list = _List(self._model)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        top = QWidget()
        row = QVBoxLayout(top)
        row.setContentsMargins(unit, unit, unit, unit)
        row.addWidget(self.edit)
        column.addWidget(top)
        column.addWidget(self.list, 1)
        self.setFocusProxy(self.list)
        self.edit.textChanged.connect(self._model.set_filter)
        self.edit.went_down.connect(self._into_list)
        self.edit.left.connect(self.left)
        self.list.left.connect(self.left)
        self.list.clicked.connect(self._on_chosen)
        self.list.entered_on.connect(self._on_chosen)

    def set_annotations(self, annotations: Sequence[Annotation], label: Callable[[Annotation], str]) -> None:
        """*label* gives the page of one, as it is printed."""
        self._model.set_annotations(annotations, label)

    def show_current(self, annotation: Annotation) -> None:
        """Mark the entry of *annotation*, as when it was clicked on its page."""
        index = self._model.index_of(annotation)
        if index.isValid():
            self.list.setCurrentIndex(index)
            self.list.scrollTo(index)

    def _into_list(self) -> None:
        self.list.setFocus()
        if not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self._model.index(0, 0))

    def _on_chosen(self, index: QModelIndex) -> None:
        annotation = self._model.annotation(index)
        if annotation is not None:
            self.chosen.emit(annotation)


class _FilterEdit(QLineEdit):
    went_down = Signal()
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = Qt.Key
        if event.key() in (keys.Key_Down, keys.Key_Return, keys.Key_Enter):
            self.went_down.emit()
        elif event.key() == keys.Key_Escape:
            (self.clear if self.text() else self.left.emit)()
        else:
            super().keyPressEvent(event)


class _List(QListView):
    """Signals: left(), entered_on(QModelIndex): Enter, which not every platform calls an activation."""

    left = Signal()
    entered_on = Signal(QModelIndex)

    def __init__(self, model: AnnotationModel) -> None:
        super().__init__()
        self._model = model
        self.setModel(model)
        self.setItemDelegate(_Painter(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Annotations")
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setMouseTracking(True)
        style.quiet_scroll_bars(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.entered_on.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.scheduleDelayedItemsLayout()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._model.rowCount():
            painter = QPainter(self.viewport())
            painter.setPen(style.colors(self).secondary)
            room = self.viewport().rect().adjusted(8, 8, -8, -8)
            flags = int(Qt.AlignmentFlag.AlignHCenter) | int(Qt.TextFlag.TextWordWrap)
            painter.drawText(room, flags, self._model.why_empty())


class _Painter(QStyledItemDelegate):
    """An entry: a bar of the colour; kind and page; the text marked; the comment."""

    def __init__(self, view: _List) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        annotation = self._view.model().annotation(index)
        metrics, unit = self._view.fontMetrics(), style.unit(self._view)
        width = self._room(self._view.viewport().width())
        lines = _lines(metrics, annotation.text, width, TEXT_LINES)
        lines += _lines(metrics, annotation.comment, width, COMMENT_LINES)
        return QSize(50, (1 + lines) * metrics.lineSpacing() + 2 * unit + (unit // 2 if lines else 0))

    def _room(self, width: int) -> int:
        return max(20, width - 3 * style.unit(self._view) - COLOUR_BAR)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        model: AnnotationModel = self._view.model()
        annotation = model.annotation(index)
        colors, unit = style.colors(self._view), style.unit(self._view)
        metrics = self._view.fontMetrics()
        if option.state & QStyle.StateFlag.State_Selected:
            focused = self._view.hasFocus()
            painter.fillRect(option.rect, colors.selection if focused else colors.selection_inactive)
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, colors.hover)
        row = option.rect.adjusted(unit, unit, -unit, -unit)
        colour = QColor(annotation.color)
        painter.fillRect(
            row.x(), row.y(), COLOUR_BAR, row.height(), colour if colour.isValid() else QColor(DEFAULT_COLOUR)
        )
        left, width = row.x() + COLOUR_BAR + unit, self._room(option.rect.width())
        side, line = style.icon_size(self._view), metrics.lineSpacing()
        icon = QRect(left, row.y() + (line - side) // 2, side, side)
        style.draw_icon(painter, style.annotation_icon(annotation.kind), icon, colors.icon)
        small = style.small_font(self._view.font())
        painter.setFont(small)
        painter.setPen(colors.secondary)
        page = f"p. {model.label(index)}" if model.label(index) else ""
        head = QRect(icon.right() + unit // 2 + 1, row.y(), left + width - icon.right() - unit // 2 - 1, line)
        painter.drawText(head, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), page)
        head.setWidth(head.width() - QFontMetrics(small).horizontalAdvance(page) - unit)
        who = " · ".join(part for part in (kind_name(annotation.kind), annotation.author) if part)
        painter.drawText(
            head,
            int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter),
            QFontMetrics(small).elidedText(who, Qt.TextElideMode.ElideRight, head.width()),
        )
        top = row.y() + line + unit // 2
        painter.setPen(colors.ink)
        for text, most, font in (
            (annotation.text, TEXT_LINES, self._view.font()),
            (annotation.comment, COMMENT_LINES, _comment_font(self._view.font(), bool(annotation.text))),
        ):
            if text.strip():
                room = _lines(metrics, text, width, most)
                _draw_lines(painter, QPointF(left, top), text, font, width, room)
                top += room * line
            painter.setPen(colors.secondary)


def _comment_font(font: QFont, beside_text: bool) -> QFont:
    """A comment on marked text is told from it by its slant."""
    slanted = QFont(font)
    slanted.setItalic(beside_text)
    return slanted


def _lines(metrics: QFontMetrics, text: str, width: int, most: int) -> int:
    """How many lines *text* is given: counted by its length, which a list of thousands can afford."""
    text = _flat(text)
    if not text:
        return 0
    # Words do not fill their lines: a tenth is left over.
    return min(most, max(1, -(-round(metrics.horizontalAdvance(text) * 1.1) // width)))


def _flat(text: str) -> str:
    return " ".join(text[:MOST_SHOWN].split())


def _draw_lines(painter: QPainter, at: QPointF, text: str, font: QFont, width: int, most: int) -> None:
    """Up to *most* lines of *text*, the last one elided."""
    flat = _flat(text)
    layout = QTextLayout(flat, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    metrics = QFontMetrics(font)
    painter.setFont(font)
    layout.beginLayout()
    for number in range(most):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        y = at.y() + number * metrics.lineSpacing()
        rest = flat[line.textStart() :]
        if number == most - 1 and len(rest) > line.textLength():
            shown = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width)
            painter.drawText(QPointF(at.x(), y + metrics.ascent()), shown)
        else:
            line.setPosition(QPointF(0, number * metrics.lineSpacing()))
            line.draw(painter, at)
    layout.endLayout()
