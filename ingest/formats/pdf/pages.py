"""What a page of a PDF shows, as plain values: glyphs with their places, ruled lines and pictures."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ingest.documents import Omission, SourceImage


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
    foreign_font: str = ""
    """The font if the file lacks it, and its text is neither set to be invisible nor white."""
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

    @property
    def is_leftward(self) -> bool:
        """Whether it is of a script that is written from right to left."""
        return unicodedata.bidirectional(self.text[-1]) in ("R", "AL")


def text_of(glyphs: Iterable[Glyph]) -> str:
    """The text of glyphs, line by line; a soft hyphen is seen at the end of a line alone."""
    text, base = "", None
    for glyph in glyphs:
        is_below = base is not None and base - glyph.base > glyph.style.size / 2
        text += "\n" + glyph.text.strip() if is_below else glyph.text.replace("\n", " ")
        base = glyph.base
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line[:-1].replace("\u00ad", "") + line[-1:].replace("\u00ad", "-") for line in lines)


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
    dots: tuple[Box, ...] = ()
    """Small drawings that may be bullets."""
    pictures: tuple[SourceImage, ...] = ()
    """JPEG pictures, which need no decoding."""
    omissions: tuple[Omission, ...] = ()
    is_picture: bool = False
    """Whether one picture fills most of it."""
