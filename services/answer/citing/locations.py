"""The location of a passage in words, its title and headings; and passages below them, for checks. Pure functions.

`2.45.0 / 2023-06-23` above a list of changes dates them. The heading is no part of a passage, so what cites it cites
the passage's first line.
"""

from dataclasses import replace
from itertools import takewhile
from typing import Final

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Passage
from libs.contracts.spans import Span

MAX_LOCATION: Final = 3
"""Longest path (title and headings) shown in full; a longer one keeps its ends (taste)."""
STEP: Final = " › "
ELLIPSIS: Final = "…"


def location_of(passage: Passage) -> str:
    """Return title and headings, such as `Handbook › Leave › Sick leave`; a long path is shortened in the middle."""
    path = _path(passage)
    if len(path) > MAX_LOCATION:
        path = [path[0], ELLIPSIS, path[-1]]
    return STEP.join(part.replace("*", "") for part in path)


def below(location: str, above: str) -> str:
    """Return a location without the beginning that it shares with the one named above it: `Leave` below `Handbook`."""
    steps = location.split(STEP)
    pairs = zip(steps[:-1], above.split(STEP), strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1] != ELLIPSIS, pairs))
    return STEP.join(steps[shared:])


def with_headings_in_title(passage: Passage) -> Passage:
    """Return the passage with all its headings in its title, for comparing words with its topic."""
    return replace(passage, title=STEP.join(_path(passage))) if passage.headings else passage


def heading_of(passage: Passage) -> str:
    """Return the headings of a passage in one line, without its document's title; empty for none."""
    return STEP.join(_path(passage)[1:])


def _path(passage: Passage) -> list[str]:
    return [part for part in dict.fromkeys((passage.title or passage.document_id, *passage.headings)) if part]


def below_heading(passage: Passage) -> Passage:
    """Return the passage with its headings in its title and as the first line of its text."""
    return replace(with_headings_in_title(passage), text=_heading_line(passage) + passage.text)


def within(passage: Passage, cited_span: CitedSpan) -> CitedSpan:
    """Return a span of a passage below its heading as one of the passage itself."""
    above = len(_heading_line(passage))
    start, end = max(0, cited_span.span.start - above), cited_span.span.end - above
    span = Span(start, end if end > 0 else len(passage.text.partition("\n")[0]))
    return CitedSpan.of(cited_span.number, passage, span)


def _heading_line(passage: Passage) -> str:
    """The heading with a stop, so that it is read as a sentence."""
    heading = heading_of(passage)
    return f"{heading}.\n" if heading else ""
