"""Where a passage stands, in words: its document's title and the headings that lead to it."""

from dataclasses import replace
from itertools import groupby
from typing import Final

from libs.contracts.evidence import Passage
from libs.language.analysis import terms_of

LONGEST_PLACE: Final = 3
"""Headings with the title that are all shown; of more the first and the last, and those with wanted terms."""
STEP: Final = " › "
LEFT_OUT: Final = "…"


def place_of(passage: Passage, wanted: frozenset[str] = frozenset()) -> str:
    """Title and headings, such as `Handbook › Leave › Sick leave`; a long path is shortened in its middle.

    Args:
        passage: what stands there.
        wanted: terms of the question, by which headings of a long path are kept.
    """
    path = _path(passage)
    last = len(path) - 1
    shown = [
        part if len(path) <= LONGEST_PLACE or at in (0, last) or _has(part, passage.language, wanted) else LEFT_OUT
        for at, part in enumerate(path)
    ]
    return STEP.join(part.replace("*", "") for part, _ in groupby(shown))


def placed(passage: Passage) -> Passage:
    """The passage with all its headings in its title, for whoever compares words with what a passage is about."""
    return replace(passage, title=STEP.join(_path(passage))) if passage.headings else passage


def _path(passage: Passage) -> list[str]:
    return [part for part in dict.fromkeys((passage.title or passage.document_id, *passage.headings)) if part]


def _has(heading: str, language: str, wanted: frozenset[str]) -> bool:
    return not wanted.isdisjoint(terms_of(heading, language))
