"""Read files of many kinds as documents. What cannot be read is reported, never raised, and does not stop the rest.

md, txt, html, pdf, docx, pptx, xlsx, csv, tsv, jsonl, epub, eml; each may be packed by gzip, with `.gz` after its name.
The libraries that read them are imported with the first such file.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Final

from ingest.bounds import ReadingBounds
from ingest.content import BrokenContent, Content
from ingest.documents import NO_KIND, PassedOver, ReadResult, SourceDocument, Unreadable
from ingest.kinds import LINES
from ingest.parts import divide_document
from ingest.sniffing import kind_by_bytes

Reader = Callable[[Content], Iterator[ReadResult]]

READERS: Final[Mapping[str, tuple[str, str]]] = {
    ".csv": ("tables", "read_table"),
    ".docx": ("word", "read_docx"),
    ".eml": ("mail", "read_mail"),
    ".epub": ("books", "read_epub"),
    ".htm": ("hypertext", "read_html"),
    ".html": ("hypertext", "read_html"),
    ".jsonl": ("lines", "read_lines"),
    ".markdown": ("plain", "read_markdown"),
    ".md": ("plain", "read_markdown"),
    ".ndjson": ("lines", "read_lines"),
    ".pdf": ("pdf", "read_pdf"),
    ".pptx": ("slides", "read_pptx"),
    ".tsv": ("tables", "read_table"),
    ".txt": ("plain", "read_plain"),
    ".xhtml": ("hypertext", "read_html"),
    ".xlsm": ("sheets", "read_xlsx"),
    ".xlsx": ("sheets", "read_xlsx"),
}
"""Module and function that read each kind."""


def read_file(path: Path, document_id: str, bounds: ReadingBounds | None = None) -> Iterator[ReadResult]:
    """Yield the documents of one file; `document_id` is its id, and the prefix for lines that have none."""
    return read(Content(str(path), path.name, document_id, file=path, bounds=bounds or ReadingBounds()))


def read(content: Content) -> Iterator[ReadResult]:
    """Yield the documents of one file, attachment or page."""
    try:
        kind = kind_by_bytes(content)
        if kind not in READERS:
            raise BrokenContent(f"is of an unsupported kind ({', '.join(sorted(READERS))})")
        for result in _reader(kind)(content):
            if isinstance(result, SourceDocument) and kind not in LINES:
                yield from divide_document(result, content.bounds.text_bytes)
            else:
                yield result
    except BrokenContent as error:
        yield Unreadable(content.where, str(error))
    except (MemoryError, RecursionError):
        yield Unreadable(content.where, "is too large or too deep to be read")


def _reader(kind: str) -> Reader:
    module, function = READERS[kind]
    reader: Callable[..., Iterator[ReadResult]] = getattr(import_module(f"ingest.{module}"), function)
    return (lambda content: reader(content, _read_attachment)) if kind == ".eml" else reader


def _read_attachment(content: Content) -> Iterator[ReadResult]:
    """Yield the documents of a mail's attachment; unreadable kinds (a signature, a calendar) are skipped."""
    if content.depth > content.bounds.depth:
        yield Unreadable(content.where, f"lies in more than {content.bounds.depth} mails")
        return
    try:
        if kind_by_bytes(content) not in READERS:
            yield PassedOver(content.where, NO_KIND)
            return
    except BrokenContent as error:
        yield Unreadable(content.where, str(error))
        return
    yield from read(content)
