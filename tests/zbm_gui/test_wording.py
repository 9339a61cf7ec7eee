import pytest

from zbm_gui import wording


def test_numbers_carry_separators_and_unknown_is_not_zero():
    assert wording.number(2310) == "2,310"
    assert wording.number(0) == "0"
    assert wording.number(None) == "unknown"


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 items"), (1, "1 item"), (2, "2 items"), (1204, "1,204 items")]
)
def test_counted(count, text):
    assert wording.counted(count, "item") == text


def test_counted_with_a_plural_of_its_own():
    assert wording.counted(31, "weaker match", "weaker matches") == "31 weaker matches"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("journalArticle", "Journal article"),
        ("book", "Book"),
        ("computerProgram", "Software"),
        ("webpage", "Web page"),
        ("tvBroadcast", "TV broadcast"),
        ("somethingNewIn2031", "Something new in2031"),
    ],
)
def test_item_types_are_said_in_words(name, text):
    assert wording.item_type_name(name) == text


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("proceedingsTitle", "Proceedings title"),
        ("publicationTitle", "Publication"),
        ("ISBN", "ISBN"),
        ("url", "URL"),
        ("tags", "Tags"),
        ("Abstract", "Abstract"),
    ],
)
def test_fields_are_said_in_words(field, text):
    assert wording.field_name(field) == text


@pytest.mark.parametrize(
    ("milliseconds", "text"), [(0.2, "under 1 ms"), (38.4, "38 ms"), (1200, "1.2 s"), (999.9, "1000 ms")]
)
def test_took(milliseconds, text):
    assert wording.took(milliseconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (20, "less than a minute"),
        (70, "about a minute"),
        (420, "about 7 minutes"),
        (3000, "about 50 minutes"),
        (5399, "about 90 minutes"),
        (7300, "about 2 hours"),
    ],
)
def test_durations_are_rounded_as_people_round_them(seconds, text):
    assert wording.about(seconds) == text


def test_shortened_text_is_one_line():
    assert wording.shortened("a\n b\tc") == "a b c"
    assert wording.shortened("x" * 80, 10) == "x" * 9 + "…"
