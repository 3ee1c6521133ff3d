"""What a model's text is read as: sentences that begin, grow and end; and its prose without markup.

A model's images, links and tags are removed from its prose: a client that renders Markdown or HTML would fetch their
targets, which could leak the conversation to a third-party server. Citations are numbers, so nothing is lost. Does no
I/O. Lengths in the patterns are by hand: they bound the search, and exceed what is met.
"""

import re
from dataclasses import dataclass
from enum import Enum, auto

_LABEL, _TARGET = r"[^\[\]\n]{0,200}", r"[^()\n]{0,300}"
_PICTURE = re.compile(rf"!\[{_LABEL}\](?:\({_TARGET}\)|\[{_LABEL}\])\s?")
_LINKED_MARKER = re.compile(rf"(\[[\d,; ]+\])\({_TARGET}\)")
_LINK = re.compile(rf"\[({_LABEL})\]\({_TARGET}\)")
_TAG = re.compile(
    r"</?(?:a|audio|base|body|br|div|embed|form|html|iframe|img|input|link|meta|object|p|script|span|style|svg|video)"
    r"\b[^<>\n]{0,400}>\s?",
    re.IGNORECASE,
)
_OPENS = re.compile(r"!?\[[^\]\n]*\Z|!?\[[^\[\]\n]*\]\([^)\n]*\Z|!\Z|<[a-zA-Z/][^>\n]*\Z")
MAX_MARKUP = 600
"""Characters; anything that is still open after them is not markup (taste)."""


def plain_prose(text: str) -> str:
    """Return the text without images and tags, and links as their text; citation markers remain, without a link."""
    if "[" not in text and "<" not in text:
        return text
    return _TAG.sub("", _LINK.sub(r"\1", _LINKED_MARKER.sub(r"\1", _PICTURE.sub("", text))))


def without_open_markup(text: str) -> str:
    """Return the text up to an image, a link, a tag or a citation marker that may yet be closed."""
    tail = max(0, len(text) - MAX_MARKUP)
    match = _OPENS.search(text, tail)
    return text[: match.start()] if match else text


class Kind(Enum):
    """What is read as one sentence."""

    PROSE = auto()
    HEAD = auto()
    """The first row of a table, or the dashes below it."""
    ROW = auto()
    """Another row of a table, without the bar at its end."""
    CODE = auto()
    """Fenced code."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Text to append to the current sentence, without markers."""

    text: str


@dataclass(frozen=True, slots=True)
class SentenceBegins:
    """The start of a sentence."""

    gap: str
    """What separates it from the sentence before: a space or nothing, a line break, an empty line."""
    lead: str = ""
    """The marker of the list item that it begins, with the space after it: `- `, `2. `."""


@dataclass(frozen=True, slots=True)
class SentenceEnds:
    """The end of a sentence."""

    text: str
    """The sentence without markers."""
    numbers: tuple[int, ...] = ()
    """The numbers that it cites."""
    kind: Kind = Kind.PROSE

    @property
    def is_row(self) -> bool:
        """Whether it belongs to a table."""
        return self.kind in (Kind.HEAD, Kind.ROW)

    @property
    def closing(self) -> str:
        """What stands behind its citation markers: the bar that ends a row."""
        return " |" if self.is_row else ""


Sign = Piece | SentenceBegins | SentenceEnds
