import pytest

from zbm_core.library import Creator
from zbm_core.library.creators import summarize


def people(role, *names):
    return [Creator(role, "X", name) for name in names]


@pytest.mark.parametrize(
    ("creators", "main", "summary"),
    [
        ([], "author", ""),
        (people("author", "Smith"), "author", "Smith"),
        (people("author", "Smith", "Ng"), "author", "Smith and Ng"),
        (people("author", "Smith", "Ng", "Li"), "author", "Smith et al."),
        (people("editor", "Ed") + people("author", "Smith"), "author", "Smith"),
        (people("editor", "Ed", "Eve"), "author", "Ed and Eve"),
        (people("contributor", "Con") + people("director", "Di"), "author", "Di"),
        (people("contributor", "Con") + people("editor", "Ed"), "author", "Ed"),
        (people("director", "Lang") + people("producer", "Pro"), "director", "Lang"),
        (people("translator", "Tra"), "author", ""),
        ([Creator("author", "", "World Health Organization")], "author", "World Health Organization"),
        ([Creator("author", "Plato", "")], "author", "Plato"),
    ],
)
def test_summaries(creators, main, summary):
    assert summarize(creators, main) == summary


def test_full_names():
    assert Creator("author", "Ada", "Smith").full_name == "Ada Smith"
    assert Creator("author", "", "WHO").full_name == "WHO"
