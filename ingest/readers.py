"""Read files of many formats as documents. What cannot be read is reported, never raised, and does not stop the rest.

Reading blocks on the disk and computes. A file may be packed by gzip, with `.gz` after its name. The libraries that
read a format are imported with the first such file.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from ingest.bounds import ReadingBounds
from ingest.content import BrokenContent, Content
from ingest.detection.kinds import LINES
from ingest.detection.sniffing import detect
from ingest.documents import NO_KIND, ParsedDocument, PassedOver, ReadResult, Unreadable
from ingest.formats.books import BookReader
from ingest.formats.converted import CONVERTED
from ingest.formats.hypertext import HtmlReader
from ingest.formats.lines import LinesReader
from ingest.formats.mail import MailReader
from ingest.formats.office.sheets import SHEETS
from ingest.formats.office.slides import SLIDES
from ingest.formats.office.word import WORD
from ingest.formats.opendocument.reader import OPEN_DOCUMENT
from ingest.formats.outlook import OutlookReader
from ingest.formats.pdf.reader import PdfReader
from ingest.formats.plain import MarkdownReader, PlainReader
from ingest.formats.tables import TableReader
from ingest.parts import divide_document
from ingest.reader import Reader
from libs.runtime.extras import missing_extra


def read_file(path: Path, document_id: str, bounds: ReadingBounds | None = None) -> Iterator[ReadResult]:
    """Yield the documents of one file; `document_id` is its id, and the prefix for lines that have none."""
    return read(Content(str(path), path.name, document_id, file=path, bounds=bounds or ReadingBounds()))


def read(content: Content) -> Iterator[ReadResult]:
    """Yield the documents of one file or page."""
    yield from _read(content, Unreadable(content.where, f"{NO_KIND} ({', '.join(sorted(READERS))})"))


def _read(content: Content, unsupported: ReadResult) -> Iterator[ReadResult]:
    """Yield the documents of a content; of one that no reader knows `unsupported`."""
    try:
        reader = reader_of(content)
        if reader is None:
            yield unsupported
            return
        for result in reader.read(content):
            if isinstance(result, ParsedDocument) and not LINES.issuperset(reader.format.kinds):
                yield from divide_document(result, content.bounds.text_bytes)
            else:
                yield result
    except BrokenContent as error:
        yield Unreadable(content.where, str(error))
    except ModuleNotFoundError as error:
        if (missing := missing_extra(error)) is None:
            raise
        yield Unreadable(content.where, f"cannot be read: {missing}")
    except (MemoryError, RecursionError):
        yield Unreadable(content.where, "is too large or too deep to be read")


def reader_of(content: Content) -> Reader | None:
    """The reader of a content: by its bytes, else by its host, else by its name; None if no reader knows it.

    Raises:
        BrokenContent: the bytes contradict the name and are of no kind that can be read, or the file cannot be opened.
    """
    return detect(content, FORMATS)


def _read_attachment(content: Content) -> Iterator[ReadResult]:
    """Yield the documents of a mail's attachment; unreadable kinds (a signature, a calendar) are skipped."""
    if content.depth > content.bounds.depth:
        yield Unreadable(content.where, f"is attached {content.bounds.depth + 1} mails deep: save it as a file")
        return
    yield from _read(content, PassedOver(content.where, NO_KIND))


_MAILS: Final = MailReader(_read_attachment)
FORMATS: Final[tuple[Reader, ...]] = (
    PdfReader(),
    BookReader(),
    WORD,
    SLIDES,
    SHEETS,
    OPEN_DOCUMENT,
    OutlookReader(_MAILS),
    _MAILS,
    HtmlReader(),
    MarkdownReader(),
    *CONVERTED,
    PlainReader(),
    TableReader(),
    LinesReader(),
)
"""All readers. If several detect a content, the first reads it."""
READERS: Final[Mapping[str, Reader]] = {kind: reader for reader in FORMATS for kind in reader.format.kinds}
"""The reader of each kind."""
