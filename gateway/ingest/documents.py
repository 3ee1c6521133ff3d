"""What reading gives: documents, and what could not be read."""

from dataclasses import dataclass, field
from pathlib import Path


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
    row: int = 0
    """Its place in its file, from 0: the row of its vector."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file, or a line of it, that gives no document."""

    path: Path
    reason: str
    line: int | None = None
    """From 1; None: the whole file."""
