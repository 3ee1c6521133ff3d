"""Read files of many formats as documents. What cannot be read is reported, never raised, and does not stop the rest.

Reading blocks on the disk and computes. A file may be packed by gzip, with `.gz` after its name.
"""

from collections.abc import Iterator
from pathlib import Path

from ingest.bounds import ReadingBounds
from ingest.content import BrokenContent, Content
from ingest.detection.kinds import LINES
from ingest.detection.sniffing import detect
from ingest.documents import NO_KIND, ParsedDocument, PassedOver, ReadResult, Unreadable
from ingest.formats.known import READERS
from ingest.parts import divide_document
from libs.runtime.extras import missing_extra


def read_file(path: Path, document_id: str, bounds: ReadingBounds | None = None) -> Iterator[ReadResult]:
    """Yield the documents of one file; `document_id` is its id, and the prefix for lines that have none."""
    return read(Content(str(path), path.name, document_id, file=path, bounds=bounds or ReadingBounds()))


def read(content: Content) -> Iterator[ReadResult]:
    """Yield the documents of one file or page."""
    yield from _read(content, Unreadable(content.where, f"{NO_KIND} ({', '.join(sorted(READERS))})"))


def read_attachment(content: Content) -> Iterator[ReadResult]:
    """Yield the documents of a mail's attachment; unreadable kinds (a signature, a calendar) are skipped."""
    if content.depth > content.bounds.depth:
        yield Unreadable(content.where, f"is attached {content.bounds.depth + 1} mails deep: save it as a file")
        return
    yield from _read(content, PassedOver(content.where, NO_KIND))


def _read(content: Content, unsupported: ReadResult) -> Iterator[ReadResult]:
    """Yield the documents of a content; of one of an unknown format `unsupported`."""
    try:
        form = detect(content)
        if form is None:
            yield unsupported
            return
        for result in (_with_pictures(result, content) for result in form.read(content)):
            if isinstance(result, ParsedDocument) and not LINES.issuperset(form.kinds):
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


def _with_pictures(result: ReadResult, content: Content) -> ReadResult:
    """A result with what its pictures say; those of a PDF have been read with its pages."""
    if not isinstance(result, ParsedDocument) or not result.images or "pages" in result.metadata:
        return result
    from ingest.formats.picture_texts import with_picture_texts  # imports numpy

    return with_picture_texts(result, content.bounds.seconds / 2)
