"""PDFs made by script, so that what they say and where they say it is known exactly."""

from __future__ import annotations

from pathlib import Path

import pymupdf

from tests.support.pdf_file import written

TEXT = (
    "soil carbon follows the plough and returns only slowly while roots keep feeding the small life "
    "that binds particles into crumbs so water stays where it falls and the field outlasts the storm"
)
WORDS = TEXT.split()

COLUMNS = ((56, 290), (306, 540))
"""Left and right edges of the columns of an A4 page, in points."""


def sentence(number: int, words: int = 14) -> str:
    """A sentence that differs from every other from its beginning: "Plot 12 keeps ..."."""
    chosen = [WORDS[(number * 7 + step * (3 + number % 4)) % len(WORDS)] for step in range(words - 2)]
    return f"Plot {number} {' '.join(chosen)}."


def paragraph(number: int, sentences: int = 5) -> str:
    return " ".join(sentence(number * 100 + step) for step in range(sentences))


class Typesetter:
    """Sets lines on pages: columns, running headers, page numbers.

    Attributes:
        set_lines: every line of body text as (page, column, text), in reading order.
    """

    def __init__(
        self, *, columns: int = 1, size: float = 10, header: str = "", first_number: int = 1
    ) -> None:
        self.document = pymupdf.open()
        self.edges = COLUMNS if columns == 2 else ((56, 540),)
        self.size = size
        self.header = header
        self.first_number = first_number
        self.set_lines: list[tuple[int, int, str]] = []
        self.bottom = 770.0
        self._fonts = {name: pymupdf.Font(name) for name in ("helv", "hebo")}
        self._new_page()

    def _new_page(self) -> None:
        self.page = self.document.new_page(width=595, height=842)
        self.column, self.y = 0, 80.0
        number = self.document.page_count - 1 + self.first_number
        if self.header:
            self.page.insert_text((56, 40), self.header, fontsize=8)
        self.page.insert_text((290, 810), str(number), fontsize=8)

    def _advance(self, height: float) -> None:
        if self.y + height > self.bottom:
            if self.column + 1 < len(self.edges):
                self.column, self.y = self.column + 1, 80.0
            else:
                self._new_page()
        self.y += height

    def line(self, text: str, *, font: str = "helv", size: float | None = None, indent: float = 0) -> None:
        size = size or self.size
        self._advance(size * 1.25)
        self.page.insert_text(
            (self.edges[self.column][0] + indent, self.y), text, fontname=font, fontsize=size
        )
        self.set_lines.append((self.page.number, self.column, text))

    def heading(self, text: str, size: float = 13) -> None:
        self._advance(size)
        self.line(text, font="hebo", size=size)
        self.y += 4

    def text(self, text: str, *, indent: float = 12, size: float | None = None, hang: float = 0) -> None:
        """One paragraph; words are broken where a `|` allows it and the line is full."""
        size = size or self.size
        font = self._fonts["helv"]
        words = text.split()
        current, first = "", True
        while words:
            left, right = self.edges[self.column]
            room = right - left - (indent if first else hang)
            word = words[0]
            whole = f"{current} {word.replace('|', '')}".strip()
            if font.text_length(whole, size) <= room:
                current = whole
                words.pop(0)
                if words:
                    continue
            elif "|" in word:
                start, rest = word.split("|", 1)
                broken = f"{current} {start}-".strip()
                if font.text_length(broken, size) <= room:
                    current, words[0] = broken, rest
            self.line(current, size=size, indent=indent if first else hang)
            current, first = "", False

    def at(self, x: float, y: float, text: str, *, size: float = 8, font: str = "helv") -> None:
        """A line at a place of its own (a caption, a footnote) on the current page."""
        self.page.insert_text((x, y), text, fontname=font, fontsize=size)

    def save(self, path: Path, **options: object) -> Path:
        self.document.save(path, **options)
        self.document.close()
        return path


def article(path: Path, *, columns: int = 2, labels: bool = True) -> Path:
    """Five pages or so: title, sections, a list of references, running header, page numbers."""
    setter = Typesetter(columns=columns, header="Journal of Plots 12 (2021)", first_number=211)
    setter.line("Carbon in ploughed soil", font="hebo", size=18)
    setter.heading("1 Introduction")
    for number in range(1, 5):
        setter.text(paragraph(number))
    setter.heading("2 Methods")
    setter.text("We measured inter|action and sedi|mentation in every core. " * 6)
    for number in range(5, 12):
        setter.text(paragraph(number))
    setter.heading("2.1 Sampling", size=11.5)
    for number in range(12, 36):
        setter.text(paragraph(number))
    setter.heading("References")
    for number in range(1, 16):
        setter.text(
            f"Author{number}, A. B., and Writer, C. (19{70 + number}). {sentence(900 + number, 9)} "
            f"Journal of Plots, {number}, 12–19.",
            indent=0,
            hang=14,
        )
    if labels:
        setter.document.set_page_labels(
            [
                {"startpage": 0, "style": "r", "firstpagenum": 1},
                {"startpage": 2, "style": "D", "firstpagenum": 7},
            ]
        )
    return setter.save(path)


def book(path: Path, pages: int, *, lines: int = 24) -> Path:
    """A thick book, quickly made: a chapter every 20 pages, with its outline, written object by object."""
    objects: list[bytes] = [b""] * 5  # 1 catalog, 2 pages, 3 and 4 fonts, 5 outline
    kids: list[int] = []
    chapters: list[tuple[str, int]] = []
    for number in range(pages):
        content = ["BT /F1 8 Tf 1 0 0 1 40 565 Tm (The long book) Tj"]
        if number % 20 == 0:
            title = f"Chapter {number // 20 + 1}: plots of the year"
            chapters.append((title, len(objects) + 2))
            content.append(f"/F2 15 Tf 1 0 0 1 40 535 Tm ({title}) Tj")
        content.append("/F1 9 Tf 11 TL 1 0 0 1 40 505 Tm")
        content.extend(f"({sentence(number * 40 + line, 11)}) Tj T*" for line in range(lines))
        content.append(f"/F1 8 Tf 1 0 0 1 205 20 Tm ({number + 1}) Tj ET")
        stream = "\n".join(content).encode()
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        kids.append(len(objects) + 1)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>" % len(objects)
        )
    first = len(objects) + 1
    for index, (title, page) in enumerate(chapters):
        before = f"/Prev {first + index - 1} 0 R" if index else ""
        after = f"/Next {first + index + 1} 0 R" if index + 1 < len(chapters) else ""
        entry = f"<< /Title ({title}) /Parent 5 0 R {before} {after} /Dest [{page} 0 R /XYZ 0 560 0] >>"
        objects.append(entry.encode())
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>"
    references = " ".join(f"{kid} 0 R" for kid in kids)
    objects[1] = f"<< /Type /Pages /Count {pages} /Kids [{references}] >>".encode()
    for index, name in ((2, "Helvetica"), (3, "Helvetica-Bold")):
        objects[index] = f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} >>".encode()
    objects[4] = f"<< /First {first} 0 R /Last {len(objects)} 0 R /Count {len(chapters)} >>".encode()
    path.write_bytes(written(objects))
    return path


def image_only(path: Path, pages: int = 2) -> Path:
    """A scan: pages with a picture and no text."""
    document = pymupdf.open()
    picture = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 60, 80))
    picture.clear_with(200)
    for _ in range(pages):
        page = document.new_page()
        page.insert_image(page.rect, pixmap=picture)
    document.save(path)
    document.close()
    return path


def with_invisible_text(path: Path) -> Path:
    """A scan with a text layer: the words are drawn invisibly over the picture."""
    document = pymupdf.open()
    page = document.new_page()
    picture = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 60, 80))
    picture.clear_with(220)
    page.insert_image(page.rect, pixmap=picture)
    for line in range(12):
        page.insert_text((60, 100 + 15 * line), sentence(line, 10), fontsize=10, render_mode=3)
    document.save(path)
    document.close()
    return path


def rotated_and_cropped(path: Path) -> Path:
    """Four pages turned by 0, 90, 180 and 270 degrees, each with a crop box off the corner."""
    document = pymupdf.open()
    for turn in range(4):
        page = document.new_page(width=600, height=800)
        for line in range(20):
            page.insert_text((120, 160 + 16 * line), sentence(turn * 50 + line, 9), fontsize=10)
        page.set_cropbox(pymupdf.Rect(70, 90, 560, 700))
        page.set_rotation(90 * turn)
    document.save(path)
    document.close()
    return path


def turned_text(path: Path) -> Path:
    """A wide table set sideways on an upright page."""
    document = pymupdf.open()
    page = document.new_page(width=600, height=800)
    for line in range(15):
        page.insert_text((100 + 16 * line, 700), sentence(line, 9), fontsize=10, rotate=90)
    document.save(path)
    document.close()
    return path


CHINESE = (
    "土壤是陆地上最大的有机碳库，农田土壤碳储量的变化既关系到耕地质量，也关系到大气二氧化碳浓度。"
    "全球一米深土壤中储存的有机碳约为一万五千亿吨。自然植被开垦为农田以后，土壤有机碳通常在几十年内减少三成到六成。"
    "近三十年来，免耕、少耕和秸秆还田迅速推广；许多试验报告了土壤有机碳的增加，但不同试验的结果相差很大。"
)


def chinese(path: Path, paragraphs: int = 8) -> Path:
    document = pymupdf.open()
    page = document.new_page(width=420, height=595)
    y = 60.0
    for number in range(paragraphs):
        text = f"{'　' * 2}第{number + 1}段。{CHINESE}"
        for start in range(0, len(text), 30):
            if y > 540:
                page, y = document.new_page(width=420, height=595), 60.0
            page.insert_text((45, y), text[start : start + 30], fontname="china-s", fontsize=11)
            y += 17
    document.save(path)
    document.close()
    return path


def encrypted(path: Path, *, user_password: str) -> Path:
    """A file with an owner password; opens without asking when *user_password* is empty."""
    document = pymupdf.open()
    page = document.new_page()
    for line in range(12):
        page.insert_text((60, 100 + 15 * line), sentence(line, 10), fontsize=10)
    document.save(
        path,
        encryption=pymupdf.PDF_ENCRYPT_AES_256,
        owner_pw="owner",
        user_pw=user_password,
    )
    document.close()
    return path


def all_readable(folder: Path) -> list[Path]:
    """One of each kind that has text."""
    return [
        article(folder / "two_columns.pdf"),
        article(folder / "one_column.pdf", columns=1),
        book(folder / "book.pdf", 30),
        with_invisible_text(folder / "invisible.pdf"),
        rotated_and_cropped(folder / "rotated.pdf"),
        turned_text(folder / "turned.pdf"),
        chinese(folder / "chinese.pdf"),
        encrypted(folder / "encrypted.pdf", user_password=""),
    ]
