import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zbm_core.library.dates import parse_date, written_date


@pytest.mark.parametrize(
    ("stored", "date"),
    [
        ("2019-08-00 08/2019", ("08/2019", "2019-08-00", 2019)),
        ("2008-06-01 June 1, 2008", ("June 1, 2008", "2008-06-01", 2008)),
        ("2012-11-00 Ноябрь 2012", ("Ноябрь 2012", "2012-11-00", 2012)),
        ("2011-00-12 12 2011", ("12 2011", "2011-00-12", 2011)),
        ("2019-01-02 2019-01-02", ("2019-01-02", "2019-01-02", 2019)),
        ("2017-00-00 2017", ("2017", "2017-00-00", 2017)),
        ("0000-00-00 n.d.", ("n.d.", "", None)),
        ("0000-00-00 in press", ("in press", "", None)),
        ("2017", ("2017", "2017-00-00", 2017)),
        ("2017-05", ("2017-05", "2017-05-00", 2017)),
        ("2017-05-06", ("2017-05-06", "2017-05-06", 2017)),
        ("2017-05-06 07:08:09", ("2017-05-06 07:08:09", "2017-05-06", 2017)),
        ("2017-05-06T07:08:09Z", ("2017-05-06T07:08:09Z", "2017-05-06", 2017)),
        ("Spring 1998", ("Spring 1998", "1998-00-00", 1998)),
        ("0800-00-00 800", ("800", "0800-00-00", 800)),
        ("20170506", ("20170506", "", None)),
        ("2019-13-45 odd", ("2019-13-45 odd", "2019-00-00", 2019)),
        ("  ", ("", "", None)),
        ("", ("", "", None)),
        ("2001-00-00 two\nlines", ("two\nlines", "2001-00-00", 2001)),
    ],
)
def test_dates(stored, date):
    assert parse_date(stored) == date


@given(st.text())
def test_any_text_is_read(text):
    date = parse_date(text)
    assert date.sort == "" or re.fullmatch(r"\d{4}-\d\d-\d\d", date.sort)
    assert (date.year is None) == (date.sort == "")


def test_written():
    assert written_date("2001-02-00 Feb 2001") == "Feb 2001"
    assert written_date("Feb 2001") == "Feb 2001"
