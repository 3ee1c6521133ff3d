"""Where a text stands on the pages of its PDF.

The file is read again, so that nothing of it is stored: whoever shows a place shows its page, for which the file is
needed as well. Reading blocks.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any, BinaryIO, Final, Generic, TypeVar

from ingest.formats.pdf.drawing import read_page
from ingest.formats.pdf.file import open_pdf
from ingest.formats.pdf.layout import page_lines
from ingest.formats.pdf.pages import Box, PdfPage, hull
from libs.contracts.spans import Span

MAX_PAGES: Final = 3
"""Pages over which a block is looked for, from the one on which it begins."""
Origin = TypeVar("Origin")


@dataclass(frozen=True, slots=True)
class Place:
    """A part of one line of a page, or of one cell."""

    page: int
    """From 1."""
    box: Box
    """In points, in the coordinates of the page before its rotation."""


@dataclass(frozen=True, slots=True)
class _Word(Generic[Origin]):
    """Letters and digits without others between them, and where each comes from."""

    letters: str
    origins: tuple[Origin, ...]


def find_places(stream: BinaryIO, page: int, text: str, span: Span) -> list[Place]:
    """Return the places of a part of a block, line by line; what the pages do not have is left out.

    Args:
        stream: the PDF.
        page: the page on which the block begins, from 1.
        text: the block's text, as the PDF's document has it.
        span: the part, within this text.
    """
    words = list(_words((character, number) for number, character in enumerate(text)))
    drawn: list[_Word[tuple[Place, float]]] = []
    with open_pdf(stream) as document:
        for number in range(page, min(page + MAX_PAGES, len(document) + 1)):
            drawn += _words(_places(read_page(document, number)))
            if _letters(words) in _letters(drawn):
                break
    pairs = _align(drawn, words)
    return list(_joined(place for place, number in pairs if span.start <= number < span.end))


def _letters(words: Sequence[_Word[Any]]) -> str:
    return "".join(word.letters for word in words)


def _words(characters: Iterable[tuple[str, Origin]]) -> Iterator[_Word[Origin]]:
    letters, origins = "", list[Origin]()
    for text, origin in characters:
        for character in unicodedata.normalize("NFKC", text).casefold():
            if character.isalnum():
                letters += character
                origins.append(origin)
            elif letters:
                yield _Word(letters, tuple(origins))
                letters, origins = "", []
    if letters:
        yield _Word(letters, tuple(origins))


def _places(page: PdfPage) -> Iterator[tuple[str, tuple[Place, float]]]:
    """Yield each glyph with its place and the height of its line, in reading order."""
    for line in page_lines(page):
        yield " ", (Place(page.number, page.box), 0.0)
        for glyph in line.glyphs:
            yield glyph.text, (Place(page.number, glyph.box.turned(-page.quarters)), glyph.base)


def _align(
    drawn: Sequence[_Word[tuple[Place, float]]], words: Sequence[_Word[int]]
) -> Iterator[tuple[tuple[Place, float], int]]:
    """Pair what is drawn with the positions of a text, letter by letter: as a whole if it stands so, else by words."""
    text = _letters(words)
    start = _letters(drawn).find(text)
    places = [place for word in drawn for place in word.origins]
    positions = [position for word in words for position in word.origins]
    if start >= 0:
        yield from zip(places[start : start + len(text)], positions, strict=True)
        return
    matcher = SequenceMatcher(None, [word.letters for word in drawn], [word.letters for word in words], autojunk=False)
    for first, second, size in matcher.get_matching_blocks():
        for one, other in zip(drawn[first : first + size], words[second : second + size], strict=True):
            yield from zip(one.origins, other.origins, strict=True)


def _joined(places: Iterable[tuple[Place, float]]) -> Iterator[Place]:
    """Yield one place for what stands side by side on a line."""
    for (page, _), line in groupby(places, key=lambda item: (item[0].page, item[1])):
        yield Place(page, hull([place.box for place, _ in line]))
