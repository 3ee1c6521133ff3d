"""What is read: a file, a mail's attachment, or the content of a url. Reading blocks on the disk."""

import gzip
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

from ingest.bounds import ReadingBounds
from ingest.detection.kinds import is_packed, kind_of, stem_of
from ingest.documents import ParsedDocument
from ingest.sources.opening import open_regular, unpacked

SNIFFED: Final = 4096
"""Bytes that are enough to detect the kind of a file (taste)."""
_NAMELESS: Final = re.compile(r"_?(?:readme|index)", re.IGNORECASE)
_PARTING: Final = re.compile(r"_+|(?<!\d)-+|-+(?!\d)")
"""Separators that stand for a space in a file's name, except within dates."""


class BrokenContent(ValueError):  # noqa: N818 - it names what is wrong
    """The content gives no document; the message continues the file's name: "is encrypted"."""


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes with what is known about them before they are read."""

    where: str
    """Name for messages: a path, a url, a mail's path with `#` and the attachment's name."""
    name: str
    """With the suffix that indicates its kind."""
    document_id: str
    file: Path | None = None
    """Path of the bytes; None: they are in `data`."""
    folder: Path | None = None
    """The ingested folder, below which the pictures of `file` lie; None: the file's own."""
    data: bytes = b""
    media_type: str = ""
    """As stated by a host or a mail."""
    charset: str = ""
    """As stated by a host or a mail."""
    url: str = ""
    date: str = ""
    """Last change, as stated by a host or a mail; ISO 8601."""
    main_text: bool = False
    """Whether it is a web page of which only the main text is wanted."""
    depth: int = 0
    """Number of mails that it is nested in."""
    bounds: ReadingBounds = field(default_factory=ReadingBounds)

    @property
    def title(self) -> str:
        """The default title: the name in words, without the suffix.

        A README or index gets the name of its folder.
        """
        stem = stem_of(Path(self.name))
        folder = self.file.absolute().parent.name if self.file is not None else ""
        return _in_words(folder if folder and _NAMELESS.fullmatch(stem) else stem)

    @property
    def stated_date(self) -> str:
        """The date of its name, else the one that a host or a mail states; ISO 8601, empty if there is none."""
        from libs.web.iso_dates import stamp_of_name  # imports the words of dates, which takes a while

        return stamp_of_name(_in_words(stem_of(Path(self.name)))) or self.date

    @property
    def kind(self) -> str:
        """The suffix that indicates the kind, in lower case."""
        return kind_of(Path(self.name))

    @property
    def picture_folder(self) -> Path | None:
        """The folder below which the pictures that it names must lie; None if there is none, as for an attachment."""
        return None if self.file is None else self.folder or self.file.parent

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the bytes as a stream, unpacked if the name ends in `.gz`.

        Raises:
            BrokenContent: the bytes cannot be opened or, while they are read, unpacked.
        """
        import io

        try:
            with io.BytesIO(self.data) if self.file is None else open_regular(self.file) as raw:
                if not is_packed(Path(self.name)):
                    yield raw
                    return
                with unpacked(raw, self.bounds) as stream:
                    yield stream
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise BrokenContent("cannot be decompressed") from None
        except OSError as error:
            raise BrokenContent(error.strerror or "cannot be opened") from None

    def read(self) -> bytes:
        """Return all bytes.

        Raises:
            BrokenContent: see `open`; or there are too many bytes.
        """
        most = self.bounds.file_bytes
        with self.open() as stream:
            data = stream.read(most + 1)
        if len(data) > most:
            raise BrokenContent(f"is larger than {most:,} bytes: split it")
        return data

    def document(self, text: str, title: str = "", date: str = "", **fields: Any) -> ParsedDocument:
        """Return the document that these bytes hold; an empty title or date is taken from what is known about them."""
        title, date = title or self.title, date or self.stated_date
        return ParsedDocument(self.document_id, text, title=title, url=self.url, date=date, **fields)

    def original(self) -> bytes:
        """All bytes, if they are few enough to go with the document; else none; raises as `open`."""
        with self.open() as stream:
            data = stream.read(self.bounds.original_bytes + 1)
        return data if len(data) <= self.bounds.original_bytes else b""

    def head(self) -> bytes:
        """Return the first bytes."""
        with self.open() as stream:
            return stream.read(SNIFFED)


def _in_words(name: str) -> str:
    return " ".join(_PARTING.sub(" ", name).split()) or name


@contextmanager
def parsing(kind: str) -> Iterator[None]:
    """Turn any exception of a library within the block into BrokenContent: the file is damaged, or of another kind.

    A library that is missing is told by its own exception.
    """
    try:
        yield
    except (BrokenContent, GeneratorExit, ModuleNotFoundError):
        raise
    except Exception as error:
        raise BrokenContent(f"cannot be read as {kind}: it is damaged, or of another kind") from error
