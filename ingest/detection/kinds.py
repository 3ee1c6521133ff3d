"""The kind of a file by its name; one with the suffix `.gz` has that of its content, once unpacked."""

from pathlib import PurePath
from typing import Final

PACKED: Final = ".gz"
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


def is_url(place: str) -> bool:
    """Whether a place is a web page, not a file."""
    return place.lower().startswith(("http://", "https://"))
