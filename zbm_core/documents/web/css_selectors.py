"""The elements CSS selectors name, for the selectors annotations are anchored by: paths of ids, tags and numbers.

Type, id, class and attribute selectors, `:nth-child(n)`, `:nth-of-type(n)` and their first and last, joined by
descendant, child and sibling combinators. Anything else names nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

LONGEST = 20_000
"""Characters of a selector that is read."""

_IDENT = r"(?:\\[0-9a-fA-F]{1,6}\s?|\\.|[-_0-9A-Za-z]|[^\x00-\x7f])+"
_TOKEN = re.compile(
    rf"""(?P<combinator>\s*[>+~]\s*|\s+)
    |(?P<any>\*)
    |\#(?P<id>{_IDENT})
    |\.(?P<class>{_IDENT})
    |\[\s*(?P<attribute>{_IDENT})\s*(?:=\s*(?P<value>"[^"]*"|'[^']*'|{_IDENT})\s*)?\]
    |:(?P<nth>nth-child|nth-of-type)\(\s*(?P<number>\d{{1,7}})\s*\)
    |:(?P<edge>(?:first|last|only)-(?:child|of-type))
    |(?P<type>{_IDENT})""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)

Test = Callable[[Any], bool]


def first_match(root: Any, selector: str) -> Any:
    """The first element in document order that *selector* names; None if it names none or is not understood."""
    selector = selector.strip()
    if not selector or len(selector) > LONGEST:
        return None
    found: Iterable[Any] | None = None
    combinator = " "
    tests: list[Test] = []
    at = 0
    while at < len(selector):
        token = _TOKEN.match(selector, at)
        if token is None:
            return None
        at = token.end()
        if token["combinator"] is None:
            tests.append(_test(token))
            continue
        if not tests:
            return None
        found = _step(root, found, combinator, tests)
        combinator, tests = token["combinator"].strip() or " ", []
    if not tests:
        return None
    return next(iter(_step(root, found, combinator, tests)), None)


def _step(root: Any, found: Iterable[Any] | None, combinator: str, tests: list[Test]) -> list[Any]:
    """Elements that stand to those *found* as the combinator says, and pass all tests."""
    if found is None:
        return [element for element in root.iter("*") if all(test(element) for test in tests)]
    reached: dict[Any, None] = {}
    for element in found:
        for other in _related(element, combinator):
            if other not in reached and all(test(other) for test in tests):
                reached[other] = None
    return list(reached)


def _related(element: Any, combinator: str) -> Iterator[Any]:
    if combinator == ">":
        yield from element.iterchildren("*")
    elif combinator == " ":
        yield from element.iterdescendants("*")
    elif combinator == "+":
        following = next(element.itersiblings("*"), None)
        if following is not None:
            yield following
    else:
        yield from element.itersiblings("*")


def _test(token: re.Match[str]) -> Test:
    if name := token["type"]:
        wanted = _plain(name).lower()
        return lambda element: _local(element) == wanted
    if token["id"]:
        identity = _plain(token["id"])
        return lambda element: element.get("id") == identity
    if token["class"]:
        wanted = _plain(token["class"])
        return lambda element: wanted in element.get("class", "").split()
    if attribute := token["attribute"]:
        key, value = _plain(attribute), token["value"]
        if value is None:
            return lambda element: element.get(key) is not None
        value = _plain(value[1:-1] if value[0] in "\"'" else value)
        return lambda element: element.get(key) == value
    if token["nth"]:
        number, of_type = int(token["number"]), token["nth"] == "nth-of-type"
        return lambda element: _place(element, of_type) == number
    if edge := token["edge"]:
        of_type = edge.endswith("of-type")
        return lambda element: (
            (edge.startswith("last") or _place(element, of_type) == 1)
            and (edge.startswith("first") or _place(element, of_type, from_end=True) == 1)
        )
    return lambda element: True


def _place(element: Any, of_type: bool, *, from_end: bool = False) -> int:
    """The element's number among its siblings, from 1."""
    siblings = element.itersiblings("*", preceding=not from_end)
    if not of_type:
        return 1 + sum(1 for _ in siblings)
    name = _local(element)
    return 1 + sum(1 for sibling in siblings if _local(sibling) == name)


def _local(element: Any) -> str:
    return element.tag.rpartition("}")[2].lower()


def _plain(name: str) -> str:
    """An identifier without its escapes."""

    def character(match: re.Match[str]) -> str:
        if match[2] is not None:
            return match[2]
        number = int(match[1], 16)
        return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"

    return _ESCAPE.sub(character, name)
