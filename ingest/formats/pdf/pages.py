"""What a page of a PDF shows, as plain values: glyphs with their places, ruled lines and pictures."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from ingest.documents import Omission, SourceImage

TOUCHING: Final = 2.5
"""Points between what touches, and the width of a ruled line (by hand)."""


class Box(NamedTuple):
    """A rectangle on a page, in points; `bottom` is less than `top`."""

    left: float
    bottom: float
    right: float
    top: float

    def turned(self, quarters: int) -> "Box":
        """The same rectangle on the page turned clockwise by a number of quarters."""
        left, bottom, right, top = self
        for _ in range(quarters % 4):
            left, bottom, right, top = bottom, -right, top, -left
        return Box(left, bottom, right, top)

    def holds(self, other: "Box") -> bool:
        """Whether the centre of another rectangle lies within."""
        x, y = (other.left + other.right) / 2, (other.bottom + other.top) / 2
        return self.left < x < self.right and self.bottom < y < self.top

    def encloses(self, other: "Box") -> bool:
        """Whether another rectangle lies within, and does not touch the border."""
        is_between = self.left < other.left and other.right < self.right
        return is_between and self.bottom < other.bottom and other.top < self.top


def hull(boxes: Sequence[Box]) -> Box:
    """The smallest rectangle around others."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return Box(min(lefts), min(bottoms), max(rights), max(tops))


@dataclass(frozen=True, slots=True)
class Style:
    """How glyphs are set."""

    size: float
    """In points."""
    bold: bool = False
    monospaced: bool = False
    quarters: int | None = 0
    """Quarters by which they are turned, counter-clockwise; None: by another angle."""
    is_lacking: bool = False
    """Whether neither the file nor this machine has their font, and they are set to be seen."""
    is_joined: bool = False
    """Whether they belong to what stands left of them, however far: the value of a form's field."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """What is drawn for a character."""

    text: str
    """The character, after a blank or a line feed if one precedes it."""
    box: Box
    base: float
    """Height of its baseline."""
    style: Style


def words_of(glyphs: Iterable[Glyph]) -> Iterator[list[Glyph]]:
    """Yield glyphs of one style in succession, without a blank or a gap between them."""
    word: list[Glyph] = []
    for glyph in glyphs:
        is_apart = glyph.text[0].isspace() or bool(word and glyph.box.left - word[-1].box.right > TOUCHING)
        if word and (is_apart or glyph.style is not word[-1].style):
            yield word
            word = []
        word.append(glyph)
    if word:
        yield word


def set_text(text: str, box: Box, style: Style) -> Iterator[Glyph]:
    """Yield glyphs of equal width that fill a box from left to right, on a baseline a fifth above its bottom."""
    width = (box.right - box.left) / max(1, len(text))
    blank = "\n"
    for place, character in enumerate(text):
        if character == " ":
            blank = " "
            continue
        left = box.left + width * place
        base = box.bottom + (box.top - box.bottom) / 5
        yield Glyph(blank + character, Box(left, box.bottom, left + width, box.top), base, style)
        blank = ""


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page, turned so that its text runs from left to right."""

    number: int
    """From 1."""
    box: Box
    """What is shown of it."""
    glyphs: tuple[Glyph, ...]
    """In the order of the file."""
    edges: tuple[Box, ...] = ()
    """Ruled lines and the sides of rectangles."""
    pictures: tuple[SourceImage, ...] = ()
    """JPEG pictures, which need no decoding."""
    insets: tuple[tuple[Box, int], ...] = ()
    """Where its pictures are on which no text is set, each with a number that its copies have, too."""
    omissions: tuple[Omission, ...] = ()
    is_picture: bool = False
    """Whether one picture fills most of it."""
    turn: int = 0
    """Degrees by which viewers turn it clockwise; a scan is read so."""
    confidence: float = 0.0
    """In its text if that was read from the picture, in [0, 1]."""
