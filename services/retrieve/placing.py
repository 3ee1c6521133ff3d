"""Where a passage stands, in words: the title and the headings above it, searched and embedded with it."""

from collections.abc import Sequence
from typing import Final

from libs.language.known import language_of

PARTED: Final = " > "
FRONT_PASSAGES: Final = 3
"""Passages at the beginning of a document that may be its title page."""
LEAST_PASSAGES: Final = 5
"""Of a document that has a title page."""


def place_of(title: str, headings: Sequence[str]) -> str:
    """Such as "Handbook > Leave > Sick leave"; a heading that repeats the title is told once."""
    told = [heading for heading in headings if heading != title]
    return PARTED.join(([title] if title else []) + told)


def searched_place(title: str, headings: Sequence[str], language: str, front: bool) -> str:
    """The same as it is searched; what stands on a title page is found by the words that people ask for it by.

    "Who wrote it?" shares no word with "Bernard Desruisseaux (editor)": a passage that opens a longer document is
    searched by `author`, `date of publication` and the like too (docsqa: 3 of 6 such questions in the first three
    passages without it, 5 with it).
    """
    place = place_of(title, headings)
    asked_for = language_of(language).title_page if front else ""
    return PARTED.join(filter(None, (place, asked_for)))
