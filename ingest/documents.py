"""The results of reading, as plain values: documents, and what could not be read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Self

from libs.contracts.structure import Structure

NO_KIND: Final = "is of an unsupported kind"
"""Why a file is skipped."""


@dataclass(frozen=True, slots=True)
class SourceImage:
    """A picture of a document: its bytes, or its url; its size in pixels, 0 if unknown."""

    caption: str = ""
    url: str = ""
    width: int = 0
    height: int = 0
    media_type: str = ""
    data: bytes = b""


MAX_EXCERPT: Final = 80
"""Characters of an omission's excerpt (taste)."""


class OmissionReason(StrEnum):
    """Why a part of a file is not in its document's text."""

    HIDDEN = "hidden"
    """A reader of the file does not see it either."""
    FURNITURE = "furniture"
    """Navigation, running heads, page numbers."""
    PICTURE = "picture without recognised text"
    OBJECT = "unsupported object"
    BYTES = "bytes that no charset fits"
    DAMAGED = "damaged part"


COUNTED: Final = {
    OmissionReason.HIDDEN: ("hidden text", "hidden texts"),
    OmissionReason.PICTURE: ("picture without recognised text", "pictures without recognised text"),
    OmissionReason.OBJECT: ("unsupported object", "unsupported objects"),
    OmissionReason.BYTES: ("place with bytes that no charset fits", "places with bytes that no charset fits"),
    OmissionReason.DAMAGED: ("damaged part", "damaged parts"),
}
"""One and several of what a reader may miss; nobody misses furniture."""


@dataclass(frozen=True, slots=True)
class Omission:
    """A part of a file that is not in its document's text."""

    reason: OmissionReason
    place: str
    """Where it stands in the file: "page 3", "slide 2, notes"; empty if the format has no places."""
    excerpt: str = ""
    """Its first characters, at most MAX_EXCERPT; empty if it has no text."""
    characters: int = 0
    """The length of its text; 0 if it has none."""

    @classmethod
    def of(cls, reason: OmissionReason, place: str, text: str) -> Self:
        """The omission of a text, whose blank space counts as single spaces."""
        words = " ".join(text.split())
        return cls(reason, place, words[:MAX_EXCERPT], len(words))


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document as its file contains it."""

    document_id: str
    text: str
    title: str = ""
    url: str = ""
    date: str = ""
    source: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    principals: tuple[str, ...] = ()
    images: tuple[SourceImage, ...] = ()
    vector: tuple[float, ...] = ()  # the user's own embedding; empty: the suite makes one
    structure: Structure | None = None
    """Structure of the text; None if it is to be derived from the text."""
    omissions: tuple[Omission, ...] = ()
    original: bytes = b""
    """The file, if its pages can be shown; empty if not, or if it is too large."""
    row: int | None = None
    """Its line, from 0, in a file whose lines are documents: the row of its vector. None in any other file."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file, a part of it, or a url that gives no document."""

    where: str
    """Name for messages."""
    reason: str
    """Continues `where`: "is encrypted"."""
    line: int | None = None
    """From 1; None: the whole file."""


@dataclass(frozen=True, slots=True)
class PassedOver:
    """What is skipped without an attempt to read it, which is not a failure."""

    where: str
    """Name for messages."""
    reason: str
    """Continues `where`: "is of an unsupported kind"."""


def counts_in_words(counts: Mapping[str, int]) -> str:
    """Such as "2 pictures without recognised text, 1 hidden text", by reason; empty if nothing is missed."""
    counted = sorted((reason for reason in COUNTED if counts.get(reason)), key=lambda reason: -counts[reason])
    return ", ".join(f"{counts[reason]:,} {COUNTED[reason][counts[reason] > 1]}" for reason in counted)


ReadResult = ParsedDocument | Unreadable | PassedOver
