"""What takes a parser of HTML the square of its size, told and taken away before it parses: attributes of one tag (each is
compared with all before it), and elements inside each other (each tag walks up through what is open).

Both are guesses by the tags as they stand in the text, made so that no page a browser shows well is touched. A page
that is written to get by them costs its reader's clocks (`zbm_core.documents.worker`), no more.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from zbm_core.documents.declined import Declined
from zbm_core.documents.structure import Outcome

MOST_ATTRIBUTES = 100
"""Attributes of one tag that are told apart. Programs write some dozens."""

MAX_DEPTH = 1_000
"""Elements inside each other. Browsers build 512 and put what is deeper beside it."""

UNCHECKED_TAGS = 10_000
"""Tags that cannot nest so deep that parsing takes longer than half a second: nobody looks how they nest."""

UNCHECKED_CHARACTERS = 50_000
"""Characters whose attributes cannot be so many that parsing takes longer than half a second, if all are of one tag."""

MOST_WORK = 20
"""Times the characters of a page that are looked at for its attributes: where tags seem to begin inside of tags, over
and over, the page is none."""

_FREE = 1 << 20
"""Characters that may be looked at in any case."""


def bounded(text: str) -> str:
    """*text* as a parser may have it. Raises Declined."""
    if len(text) > UNCHECKED_CHARACTERS:
        text = with_few_attributes(text)
    if text.count("<") > UNCHECKED_TAGS:
        text = flattened(text)
    return text


# -- attributes -----------------------------------------------------------------------------------

# An attribute exactly as the HTML standard takes a tag apart (13.2.5.32 to 13.2.5.39).
_ATTRIBUTE = r"""[\t\n\f\r /]*+(?:=[^\t\n\f\r /=>]*+|[^\t\n\f\r /=>]++)[\t\n\f\r ]*+
(?:=[\t\n\f\r ]*+(?:"[^"]*+"|'[^']*+'|[^\t\n\f\r >"'][^\t\n\f\r >]*+|(?=>)))?+""".replace("\n(", "(")
_TAKEN = re.compile(rf"(?P<name></?[A-Za-z][^\t\n\f\r />]*+)(?:{_ATTRIBUTE}){{0,{MOST_ATTRIBUTES}}}+")
_REST = re.compile(rf"(?:{_ATTRIBUTE})*+")

# Where a tag may have so many: it is long before the next angle bracket, or that does not end it, for it is another
# tag's or stands in a value. What the tag stands in (a script, a comment) cannot be told without the parser, and is
# not asked. Nearly all pages are looked through with the first pattern alone, which takes a third of the time.
_LONG = re.compile(r"<(?=/?[A-Za-z][^<>]{0,999}+[^>])")
_ANGLE_IN_VALUE = r"""=[\t\n\f\r ]*+(?:"[^"<>]*+|'[^'<>]*+)>"""
_ANY_ANGLE_IN_VALUE = re.compile(_ANGLE_IN_VALUE)
_LONG_OR_ANGLE_IN_VALUE = re.compile(rf"<(?=/?[A-Za-z](?:[^<>]{{0,999}}+[^>]|[^<>]*?{_ANGLE_IN_VALUE}))")
_END_TAG = re.compile(r"</[A-Za-z]{1,10}[\t\n\f\r /]*\Z")
_PARTS = re.compile(r"[\t\n\f\r />=]")


def with_few_attributes(text: str) -> str:
    """*text*, of the same length, in which no tag has more than `MOST_ATTRIBUTES` and one: the others are one long name.

    In a script something can look like a tag: some of its white space is "_" then. Scripts are not read, and places
    that are counted in characters hold. Raises Declined.
    """
    pieces: list[str] = []
    done = named = work = 0
    suspect = _LONG_OR_ANGLE_IN_VALUE if _ANY_ANGLE_IN_VALUE.search(text) else _LONG
    for start in suspect.finditer(text):
        at = start.start()
        if at < max(done, named):
            continue
        taken = _TAKEN.match(text, at)
        assert taken is not None
        named = taken.end("name")  # no tag begins within a name
        rest = _REST.match(text, taken.end())
        assert rest is not None
        work += rest.end() - at
        if work > MOST_WORK * len(text) + _FREE:
            raise Declined(
                Outcome.DAMAGED, "The page is damaged: its markup is a tangle that cannot be taken apart."
            )
        if rest.end() > taken.end():
            end = _END_TAG.search(rest[0])  # a script's: what looked like a tag stands in it
            name = rest[0][: end.start()] if end else rest[0]
            pieces += text[done : taken.end()], _PARTS.sub("_", name)
            done = taken.end() + len(name)
    return "".join((*pieces, text[done:])) if pieces else text


# -- nesting --------------------------------------------------------------------------------------

_TAG = re.compile(r"""<(/?)([A-Za-z][^\t\n\f\r />]{0,40}+)(?:[^<>"']++|"[^"<>]*+"|'[^'<>]*+'|["'])*+>""")

# Elements that are closed by what comes next, or hold nothing: they nest only with others between them.
_CLOSED = frozenset(
    [
        "p",
        "li",
        "dt",
        "dd",
        "td",
        "th",
        "tr",
        "tbody",
        "thead",
        "tfoot",
        "caption",
        "colgroup",
        "optgroup",
        "rt",
        "rp",
        "rb",
        "rtc",
        "head",
        "body",
        "html",
        "a",
        "area",
        "base",
        "basefont",
        "bgsound",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "keygen",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)

# They begin again wherever they were left open, but no more than three that are the same (13.2.4.3).
_FORMATTING = frozenset(
    ["b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"]
)
_SAME = 3


def flattened(text: str) -> str:
    """*text* without the tags of elements that would nest deeper than `MAX_DEPTH`."""
    if _deepest(text) <= MAX_DEPTH:
        return text
    too_deep = list(_too_deep(text))
    pieces: list[str] = []
    done = 0
    for start, end in too_deep:
        pieces.append(text[done:start])
        done = end
    return "".join((*pieces, text[done:])) if too_deep else text


def _deepest(text: str) -> int:
    """No less than the depth `_too_deep` finds, quickly: all tags count that do not end themselves by their names."""
    opened: defaultdict[str, int] = defaultdict(int)
    depth = deepest = 0
    for end, name in _TAG.findall(text):
        if end:
            if opened[name]:
                opened[name] -= 1
                depth -= 1
        elif name not in _CLOSED:
            opened[name] += 1
            depth += 1
            if depth > deepest:
                deepest = depth
    return deepest


def _too_deep(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each tag whose element would be too deep, by how tags open and close the elements of a name."""
    opened: defaultdict[str, list[str]] = defaultdict(list)  # the tags that count, by their names
    dropped: Counter[str] = Counter()
    same: Counter[str] = Counter()  # tags of `_FORMATTING` that count
    spare: Counter[str] = Counter()  # those of that name that do not
    depth = 0
    for tag in _TAG.finditer(text):
        name = tag[2].lower()
        if name in _CLOSED:
            continue
        if tag[1]:
            if dropped[name]:
                dropped[name] -= 1
                yield tag.span()
            elif spare[name]:
                spare[name] -= 1
            elif opened[name]:
                depth -= 1
                same[opened[name].pop()] -= 1
        elif tag[0].endswith("/>") and (opened["svg"] or opened["math"]):
            continue  # within these, and nowhere else in HTML, it ends itself
        elif depth >= MAX_DEPTH:
            dropped[name] += 1
            yield tag.span()
        elif name in _FORMATTING and same[tag[0]] == _SAME:
            spare[name] += 1
        else:
            depth += 1
            opened[name].append(tag[0])
            same[tag[0]] += 1
