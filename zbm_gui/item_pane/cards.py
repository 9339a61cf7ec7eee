"""The cards of the pane: a passage, an annotation, a note."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QCursor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from zbm_core.library.records import Annotation, ItemKey
from zbm_core.search.records import Passage
from zbm_gui.item_pane.flow import FlowLayout
from zbm_gui.item_pane.texts import PassageText, Text, cut
from zbm_gui.item_tree.wording import child_sentence, place, record_type
from zbm_gui.style import bold_font, colors, draw_icon, line_height, small_font, unit

if TYPE_CHECKING:
    from zbm_core.library import Library

_FIRST_OF_A_NOTE = 1500  # characters shown before [Show the whole note]


class LinkButton(QAbstractButton):
    """Words that do something: the link colour, underlined under the mouse or the keyboard."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(text)
        self.setFont(small_font(self.font()))
        self.setCursor(QCursor(Qt.CursorShape.PointingHandCursor))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        return QSize(
            self.fontMetrics().horizontalAdvance(self.text()) + 2, line_height(self) + unit(self) // 2
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = self.font()
        font.setUnderline(self.underMouse() or self.hasFocus())
        painter.setFont(font)
        painter.setPen(colors(self).link)
        painter.drawText(
            self.rect(), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.text()
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class StrengthBar(QWidget):
    """How strong a match is, as in the Relevance column."""

    def __init__(self, strength: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._strength = min(1.0, max(0.0, strength))
        self.setFixedSize(5 * unit(self), max(4, unit(self) // 2))
        self.setAccessibleName(f"Strength {self._strength:.0%}")
        self.setToolTip(f"Strength {self._strength:.2f}")

    def paintEvent(self, event: QPaintEvent) -> None:
        c = colors(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        bar, radius = QRectF(self.rect()), self.height() / 2
        painter.setBrush(c.track)
        painter.drawRoundedRect(bar, radius, radius)
        bar.setWidth(max(self.height(), bar.width() * self._strength))
        painter.setBrush(c.accent)
        painter.drawRoundedRect(bar, radius, radius)


class GroupHeading(QWidget):
    """The attachment or note that the passages below were read from."""

    def __init__(self, icon: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self._title = title
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(10 * unit(self), line_height(self) + round(1.5 * unit(self)))

    def paintEvent(self, event: QPaintEvent) -> None:
        c, step = colors(self), unit(self)
        painter = QPainter(self)
        side = 2 * step
        draw_icon(painter, self._icon, QRect(0, 0, side, self.height()), c.icon)
        painter.setFont(bold_font(self.font()))
        painter.setPen(c.ink)
        room = self.rect().adjusted(side + step, 0, 0, 0)
        shown = painter.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideMiddle, room.width())
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute
        painter.drawText(room, int(flags), shown)


class PassageCard(QWidget):
    """A passage whole.

    Signals:
        open_requested(Passage), copy_requested(Passage)
    """

    LINES = 3.4  # besides the passage's own

    open_requested = Signal(object)
    copy_requested = Signal(object)

    def __init__(self, passage: Passage, library: Library | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.passage = passage
        step = unit(self)
        where = place(passage, library)
        self.setAccessibleName(f"Match, {where}")
        head = QHBoxLayout()
        head.setSpacing(step)
        words = f"≈ {where}" if passage.by_meaning else where
        label = Text(words, secondary=True, small=True, selectable=False)
        if passage.by_meaning:
            label.setToolTip("Only the meaning matched.")
        head.addWidget(label, 1)
        head.addWidget(StrengthBar(passage.strength), 0, Qt.AlignmentFlag.AlignVCenter)
        open_button, copy_button = LinkButton("Open"), LinkButton("Copy with citation")
        open_button.setAccessibleName(f"Open at {where}")
        open_button.clicked.connect(lambda: self.open_requested.emit(self.passage))
        copy_button.clicked.connect(lambda: self.copy_requested.emit(self.passage))
        foot = FlowLayout(2 * step)
        foot.addWidget(open_button)
        foot.addWidget(copy_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, step // 2, 0, step)
        column.setSpacing(step // 2)
        column.addLayout(head)
        column.addWidget(PassageText(passage))
        column.addLayout(foot)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.open_requested.emit(self.passage)


class AnnotationCard(QWidget):
    """An annotation beside a bar in its colour.

    Signals:
        open_requested(ItemKey): click or Enter.
    """

    LINES = 1.8  # besides the text's own

    open_requested = Signal(object)

    def __init__(self, annotation: Annotation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key: ItemKey = annotation.key
        self._colour = QColor(annotation.color)
        step = unit(self)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(QCursor(Qt.CursorShape.PointingHandCursor))
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(child_sentence(annotation))
        parts = [f"p. {annotation.page_label}" if annotation.page_label else "", record_type(annotation)]
        head = " · ".join(part for part in (*parts, annotation.author) if part)
        column = QVBoxLayout(self)
        column.setContentsMargins(round(1.5 * step), step // 2, step // 2, step)
        column.setSpacing(step // 4)
        text, comment = annotation.text.strip(), annotation.comment.strip()
        column.addWidget(Text(head, secondary=True, small=True, selectable=False))
        if text:
            column.addWidget(Text(text, selectable=False))
        if comment:
            column.addWidget(Text(comment, secondary=bool(text), selectable=False))
        for label in self.findChildren(QLabel):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        c = colors(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = self.rect().adjusted(0, 0, 0, -unit(self) // 2)  # the rest is the gap to the next
        if self.underMouse() or self.hasFocus():
            painter.setPen(c.accent if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(c.hover)
            painter.drawRoundedRect(card.adjusted(0, 0, -1, -1), 4, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._colour if self._colour.isValid() else c.highlight_deep)
        painter.drawRoundedRect(QRectF(0, 3, 4, card.height() - 6), 2, 2)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.open_requested.emit(self.key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.open_requested.emit(self.key)
        else:
            super().keyPressEvent(event)


class NoteCard(QWidget):
    """A note's title and, once it has come, its text."""

    LINES = 4.0  # before the text is known

    def __init__(self, key: ItemKey, title: str, text: str | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key = key
        self._title = title
        heading = Text(title, parent=self)
        heading.setFont(bold_font(heading.font()))
        self._text = Text("", parent=self)
        self._more = LinkButton("Show the whole note")
        self._more.clicked.connect(self._show_all)
        self._whole = ""
        step = unit(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, step // 2, 0, step)
        column.setSpacing(step // 4)
        column.addWidget(heading)
        column.addWidget(self._text)
        column.addWidget(self._more)
        self.set_text(text)

    def set_text(self, text: str | None) -> None:
        """None: it is still being read."""
        if text is None:
            self._text.set_text("Reading…")
            self._more.hide()
            return
        # A note's title is its first line; it need not be read twice.
        body = text.strip()
        if body.startswith(self._title):
            body = body[len(self._title) :].strip()
        self._whole = body
        self._text.set_text(cut(body, _FIRST_OF_A_NOTE))
        self._text.setVisible(bool(body))
        self._more.setVisible(len(body) > _FIRST_OF_A_NOTE)

    def _show_all(self) -> None:
        # In pieces, because one label of a whole book would take seconds to lay out.
        shown = len(self._text.text())
        self._text.setText(cut(self._whole, max(4 * shown, 4 * _FIRST_OF_A_NOTE)))
        self._more.setVisible(len(self._text.text()) < len(self._whole))
        self._more.setText("Show more of it")
