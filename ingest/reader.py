"""What a reader of one format is: the Protocol behind which all formats are read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from ingest.content import Content
from ingest.documents import ReadResult


@dataclass(frozen=True, slots=True)
class Format:
    """What a reader reads."""

    name: str
    kinds: tuple[str, ...]
    """Suffixes in lower case, with the dot; the first is the kind of a content that is detected without one of them."""
    media_types: tuple[str, ...] = ()
    """Media types for which the host or mail is believed, unless the content says otherwise."""
    binary: bool = False
    """Whether the content always tells the format: a file that is only named so is refused."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What a format is detected from."""

    head: bytes
    """The first bytes, unpacked."""
    parts: frozenset[str]
    """The names of the parts if the content is a zip archive or a compound file; empty otherwise."""
    kind: str
    """The suffix of the name, which may be wrong."""


class Reader(Protocol):
    """Reads one format. Without state, so one reader serves all files."""

    @property
    def format(self) -> Format:
        """What it reads."""
        ...

    def detects(self, sample: Sample) -> bool:
        """Whether the content is of this format. Text that could be of any format is of none."""
        ...

    def read(self, content: Content) -> Iterator[ReadResult]:
        """Yield the documents of a content, and what of it cannot be read.

        Raises:
            BrokenContent: the content gives no document. No other exception is raised for damaged content, except
                MemoryError and RecursionError.
        """
        ...
