"""What is read: a file, what is attached to a mail, or what stood at a url."""

import gzip
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

from ingest.bounds import ReadingBounds
from ingest.kinds import is_packed, name_kind, stem_of

SNIFFED: Final = 4096
"""Bytes that tell the kind of a file."""
_NAMELESS: Final = re.compile(r"_?(?:readme|index)", re.IGNORECASE)
_PARTING: Final = re.compile(r"_+|(?<!\d)-+|-+(?!\d)")
"""What stands for a space in a file's name; not within a date."""


class Broken(ValueError):  # noqa: N818 - it names what is wrong
    """It gives no document; the message goes on after the file's name: "is encrypted"."""


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes with what is known of them before they are read."""

    where: str
    """As people are told: a path, a url, a mail's path with `#` and the attachment's name."""
    name: str
    """With the ending that tells its kind."""
    document_id: str
    file: Path | None = None
    """Where the bytes lie; None: they are `data`."""
    data: bytes = b""
    media_type: str = ""
    """As a host says."""
    charset: str = ""
    """As a host or a mail says."""
    url: str = ""
    date: str = ""
    """When it was changed, as a host or a mail says; ISO 8601."""
    main_text: bool = False
    """A page of the web: only its main text is wanted."""
    depth: int = 0
    """How many mails it lies in."""
    bounds: ReadingBounds = field(default_factory=ReadingBounds)

    @property
    def title(self) -> str:
        """What it is called where it does not say so itself: its name in words, without the ending.

        A README or index is what its folder holds, and has the folder's name.
        """
        stem = stem_of(Path(self.name))
        folder = self.file.absolute().parent.name if self.file is not None else ""
        return _in_words(folder if folder and _NAMELESS.fullmatch(stem) else stem)

    @property
    def kind(self) -> str:
        """The ending that tells the kind, in lower case."""
        return name_kind(self.name)

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes as a stream, unpacked where the name ends in `.gz`.

        Raises:
            Broken: they cannot be opened, or, while they are read, unpacked.
        """
        import io

        try:
            with io.BytesIO(self.data) if self.file is None else self.file.open("rb") as raw:
                if not is_packed(Path(self.name)):
                    yield raw
                    return
                with gzip.GzipFile(fileobj=raw) as unpacked:
                    yield unpacked  # type: ignore[misc]  # a GzipFile reads as any binary file
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise Broken("cannot be unpacked") from None
        except OSError as error:
            raise Broken(error.strerror or "cannot be opened") from None

    def read(self) -> bytes:
        """All bytes.

        Raises:
            Broken: see `open`; or there are too many.
        """
        most = self.bounds.file_bytes
        with self.open() as stream:
            data = stream.read(most + 1)
        if len(data) > most:
            raise Broken(f"is larger than {most:,} bytes")
        return data

    def head(self) -> bytes:
        """The first bytes."""
        with self.open() as stream:
            return stream.read(SNIFFED)


def _in_words(name: str) -> str:
    return " ".join(_PARTING.sub(" ", name).split()) or name


@contextmanager
def parsing(kind: str) -> Iterator[None]:
    """Within it a library reads what may be damaged in any way: whatever it raises means that it is no such file."""
    try:
        yield
    except (Broken, GeneratorExit):
        raise
    except Exception as error:
        raise Broken(f"cannot be read as {kind}: it is damaged, or of another kind") from error
