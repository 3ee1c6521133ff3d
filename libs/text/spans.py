"""Phrases found in a text, by where they start and end."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from libs.contracts.spans import Span

_S = TypeVar("_S", bound=Span)


def without_overlaps(phrases: Iterable[_S], better: Callable[[_S], int] = lambda _: 0) -> Iterator[_S]:
    """Of overlapping phrases the first, then the longest, then the one for which `better` returns least."""
    end_of_last = 0
    for phrase in sorted(phrases, key=lambda item: (item.start, -item.end, better(item))):
        if phrase.start >= end_of_last:
            end_of_last = phrase.end
            yield phrase


def joined(phrases: Iterable[_S], join: Callable[[_S, _S], _S | None]) -> Iterator[_S]:
    """The phrases in order, with two adjacent ones replaced by what `join` makes of them."""
    last = None
    for phrase in phrases:
        whole = None if last is None else join(last, phrase)
        if last is not None:
            yield whole or last
        last = None if whole else phrase
    if last is not None:
        yield last
