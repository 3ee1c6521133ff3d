"""What reading gives: documents, and what could not be read."""

from dataclasses import dataclass, field
from typing import Final

from libs.contracts.structure import Structure

NO_KIND: Final = "is of no kind that can be read"
"""Why a file is passed over."""


@dataclass(frozen=True, slots=True)
class SourceImage:
    """A picture of a document: its bytes, or where it is to be had."""

    caption: str = ""
    url: str = ""
    width: int = 0
    height: int = 0
    media_type: str = ""
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document as it stands in its file."""

    document_id: str
    text: str
    title: str = ""
    url: str = ""
    date: str = ""
    source: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    principals: tuple[str, ...] = ()
    images: tuple[SourceImage, ...] = ()
    vector: tuple[float, ...] = ()
    structure: Structure | None = None
    """Of the text; None: its text tells it."""
    row: int | None = None
    """Its line in a file whose lines are documents, from 0: the row of its vector. None in any other file."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file, a part of it, or a url, that gives no document."""

    where: str
    """As people are told."""
    reason: str
    """Goes on after it: "is encrypted"."""
    line: int | None = None
    """From 1; None: the whole file."""


@dataclass(frozen=True, slots=True)
class PassedOver:
    """What nobody tries to read, which is no failure."""

    where: str
    """As people are told."""
    reason: str
    """Goes on after it: "is of no kind that can be read"."""


Read = SourceDocument | Unreadable | PassedOver
