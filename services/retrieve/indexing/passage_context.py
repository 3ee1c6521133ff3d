"""The place of a passage in words: its title and headings, which are searched and embedded with it."""

from collections.abc import Sequence
from typing import Final

from libs.language.known import language_of

PARTED: Final = " > "
FRONT_PASSAGES: Final = 3
"""Passages at the beginning of a document that may belong to its title page."""
MIN_PASSAGES: Final = 5
"""Least number of passages of a document that has a title page."""


def place_of(title: str, headings: Sequence[str]) -> str:
    """Such as "Handbook > Leave > Sick leave"; a heading that repeats the title is left out."""
    parts = [heading for heading in headings if heading != title]
    return PARTED.join(([title] if title else []) + parts)


def searched_place(title: str, headings: Sequence[str], language: str, front: bool) -> str:
    """The searchable place: for a title page it includes the words that questions about it use.

    "Who wrote it?" shares no word with "Bernard Desruisseaux (editor)". Therefore a passage that opens a longer
    document is also indexed under words such as `author` and `date of publication` (docsqa: 3 of 6 such questions in
    the first three passages without it, 5 with it).
    """
    place = place_of(title, headings)
    title_words = language_of(language).title_page if front else ""
    return PARTED.join(filter(None, (place, title_words)))
