"""Wrap lines for a terminal: between words, or between characters of scripts that are written without spaces."""

import re
from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len
from rich.text import Text

_CLOSING: Final = r"[、。，．！？：；）」』】》〉”’…]"
_WIDE: Final = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_PIECES: Final = re.compile(rf"\s+|(?:[{_WIDE}]|[^\s{_WIDE}]+){_CLOSING}*\s*")
"""A word, or one character of a script without spaces, with the marks and spaces that follow it."""


def wrap_text(text: Text, width: int) -> list[Text]:
    """Return the text as lines of at most `width` cells; its own line breaks are kept, a longer word is cut."""
    return [part for line in text.split("\n", allow_blank=True) for part in _break_line(line, max(1, width))]


def _break_line(line: Text, width: int) -> list[Text]:
    parts = list(line.divide(_breaks(line.plain, width)))
    for part in parts:
        part.rstrip()
    return parts


def _breaks(line: str, width: int) -> Iterator[int]:
    """Yield the positions at which new lines begin."""
    column = 0
    for piece in _PIECES.finditer(line):
        cells = cell_len(piece[0].rstrip())
        if column and column + cells > width:
            yield piece.start()
            column = 0
        if cells > width:
            *cuts, column = _cuts(piece[0], width)
            yield from (piece.start() + offset for offset in cuts)
        else:
            column += cell_len(piece[0])


def _cuts(word: str, width: int) -> list[int]:
    """Return the positions at which a word longer than a line is cut, then the cells of its last piece."""
    cuts, column = [], 0
    for position, character in enumerate(word):
        if column + cell_len(character) > width and column:
            cuts.append(position)
            column = 0
        column += cell_len(character)
    return [*cuts, column]
