"""Finds the words of a document on a page of its file, whose reading order and signs may differ. Pure."""

import unicodedata
from bisect import bisect_left
from typing import Final

from libs.contracts.spans import Span

MARGINS: Final = (1000, 100, 30, 0)
"""Letters before and after the words that are compared with them: as many as stand so on the page (by hand)."""
PIECE: Final = 16
"""Letters that are looked for by themselves where the words do not stand together (by hand)."""


def find_words(page: str, text: str, span: Span) -> list[int]:
    """The positions on a page of the words that a span of a document's text holds; none if they are not there."""
    drawn, origins = _letters(page)
    wanted, positions = _letters(text)
    first, last = (bisect_left(positions, place) for place in (span.start, span.end))
    if first >= last:
        return []
    for margin in MARGINS:
        start = max(0, first - margin)
        part = wanted[start : last + margin]
        place = drawn.find(part)
        if place >= 0 and (margin or place == drawn.rfind(part)):
            return origins[place + first - start : place + last - start]
    return sorted({origins[place] for place in _pieces(drawn, wanted, first, last)})


def _pieces(drawn: str, wanted: str, first: int, last: int) -> set[int]:
    """Where pieces of the words are, if a part of them is on another page, in another order, or spelled otherwise."""
    places: dict[str, int] = {}
    for place in range(len(drawn) - PIECE + 1):
        piece = drawn[place : place + PIECE]
        places[piece] = -1 if piece in places else place
    found = set[int]()
    for start in range(max(0, first - PIECE + 1), last):
        place = places.get(wanted[start : start + PIECE], -1)
        if place >= 0:
            found.update(range(place + max(0, first - start), place + min(PIECE, last - start)))
    return found


def _letters(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text without case and accents, and the position of each in the text."""
    pairs = [
        (letter, position)
        for position, character in enumerate(text)
        for letter in unicodedata.normalize("NFKD", character).casefold()
        if letter.isalnum()
    ]
    return "".join(letter for letter, _ in pairs), [position for _, position in pairs]
