"""The kind of a file by its name, and its text; one with the suffix `.gz` has that of its content, once unpacked."""

import gzip
import zlib
from pathlib import Path, PurePath
from typing import Final, TextIO

PACKED: Final = ".gz"
UNPACKING_ERRORS: Final = (EOFError, zlib.error)
"""What reading a damaged `.gz` raises besides OSError."""
LINES: Final = frozenset({".jsonl", ".ndjson"})
"""Kinds in which each line is a document."""
PICTURES: Final = frozenset({".gif", ".jpeg", ".jpg", ".png", ".webp"})
"""Kinds that are read as a part of the documents that name them."""
FOR_PROGRAMS: Final = frozenset({".css", ".eps", ".js", ".key", ".lock", ".map", ".mjs", ".pem", ".ps", ".svg"})
"""Kinds of text that only programs read (chosen by hand): from a folder they are not taken."""


def kind_of(path: PurePath) -> str:
    """The suffix that indicates the kind, in lower case: ".jsonl" for both notes.jsonl and notes.jsonl.gz."""
    return PurePath(path.stem).suffix.lower() if is_packed(path) else path.suffix.lower()


def stem_of(path: PurePath) -> str:
    """The name without its kind: "notes" for both notes.txt and notes.txt.gz."""
    return PurePath(path.stem).stem if is_packed(path) else path.stem


def is_packed(path: PurePath) -> bool:
    """Whether the file is unpacked on reading."""
    return path.suffix.lower() == PACKED


def open_text(path: Path, errors: str = "strict") -> TextIO:
    """Open the file as UTF-8 text; a byte order mark is skipped.

    Raises:
        OSError: the file cannot be opened. Reading may raise it too, UnicodeDecodeError, or one of UNPACKING_ERRORS.
    """
    if is_packed(path):
        return gzip.open(path, "rt", encoding="utf-8-sig", errors=errors)
    return path.open(encoding="utf-8-sig", errors=errors)


def is_url(place: str) -> bool:
    """Whether a place is a web page, not a file."""
    return place.lower().startswith(("http://", "https://"))
