"""The words that the groups of a pattern can match, found in the pattern itself."""

import re
from collections.abc import Iterable, Iterator
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

MAX_WORDS = 20_000


class _Open(Exception):  # noqa: N818 - it names what is wrong
    """The words are too many to be listed, as with a class of characters."""


def group_words(pattern: re.Pattern[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Each named group of a pattern with the words that it matches; groups with too many words are left out.

    White space is one space. Conditions on the text around are ignored, so there may be words too many.
    """
    tree = parser.parse(pattern.pattern, pattern.flags)
    names = {number: name for name, number in tree.state.groupdict.items()}
    for number, content in _groups(tree):
        if number in names:
            try:
                yield names[number], frozenset(_words(content))
            except _Open:
                continue


def _groups(tree: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    for code, argument in tree:
        if code is codes.SUBPATTERN:
            yield argument[0], argument[3]
        for part in _parts(code, argument):
            yield from _groups(part)


def _parts(code: Any, argument: Any) -> list[Any]:
    """The patterns within one."""
    if code is codes.BRANCH:
        return list(argument[1])
    if code in (codes.SUBPATTERN, codes.MAX_REPEAT, codes.MIN_REPEAT):
        return [argument[-1]]
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [argument[1]]
    return [part for part in argument[1:] if part] if code is codes.GROUPREF_EXISTS else []


def _words(tree: Iterable[Any]) -> set[str]:
    words = {""}
    for code, argument in tree:
        words = {start + end for start in words for end in _endings(code, argument)}
        if len(words) > MAX_WORDS:
            raise _Open
    return words


def _endings(code: Any, argument: Any) -> set[str]:
    """What one part of a pattern matches."""
    if code is codes.LITERAL:
        return {chr(argument)}
    if code is codes.IN:
        return _characters(argument)
    if code is codes.BRANCH:
        return {word for part in argument[1] for word in _words(part)}
    if code is codes.SUBPATTERN:
        return _words(argument[3])
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        return _repeated(*argument)
    if code in (codes.AT, codes.ASSERT, codes.ASSERT_NOT):
        return {""}
    raise _Open


def _characters(members: Iterable[Any]) -> set[str]:
    if (codes.CATEGORY, codes.CATEGORY_SPACE) in members:
        return {" "}
    if any(code is not codes.LITERAL for code, _ in members):
        raise _Open
    return {chr(character) for _, character in members}


def _repeated(least: int, most: int, tree: Iterable[Any]) -> set[str]:
    words = _words(tree)
    if most > 1 and words != {" "}:
        raise _Open
    return words if least else {"", *words}
