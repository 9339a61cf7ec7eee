import pytest
from PySide6.QtGui import QFont, QFontMetrics

from tests.zbm_gui.item_tree.samples import LONG_TITLE
from zbm_gui.item_tree.markup import plain_title
from zbm_gui.item_tree.painter import elide_title


@pytest.fixture
def metrics(app) -> QFontMetrics:
    font = QFont("Noto Sans")
    font.setPixelSize(13)
    return QFontMetrics(font)


def test_a_title_that_fits_is_whole(metrics):
    assert elide_title("Short", 400, metrics) == "Short"


def test_a_long_title_keeps_its_beginning_and_its_last_words(metrics):
    title = plain_title(LONG_TITLE)
    shown = elide_title(title, 400, metrics)
    head, tail = shown.split("…")
    assert title.startswith(head) and len(head) > 20
    assert title.endswith(" " + tail)  # whole words
    assert metrics.horizontalAdvance(shown) <= 400


def test_a_title_without_room_for_a_last_word_is_cut_at_its_end(metrics):
    shown = elide_title("Supercalifragilistic expialidociousness", 100, metrics)
    assert shown.endswith("…")


@pytest.mark.parametrize("width", [8, 30, 90, 200, 350])
@pytest.mark.parametrize(
    "title",
    [
        plain_title(LONG_TITLE),
        "长期施肥对黑土有机碳储量及其组分影响的研究：以东北典型农田为例" * 2,
        "أثر الحراثة على الكربون العضوي في التربة (دراسة طويلة الأمد)." * 2,
        "x" * 300,
    ],
)
def test_every_title_fits(metrics, title, width):
    assert metrics.horizontalAdvance(elide_title(title, width, metrics)) <= max(width, 20)
