"""JSON lines: each a document with id, title, text, url, date, source, principals, images, metadata, vector.

Other keys become metadata; an empty title, url or date counts as absent. The file is read line by line and may have any
size; a line that cannot be read is reported, and the next one is read. Reading blocks.
"""

import codecs
import json
from collections.abc import Callable, Iterator

from ingest.content import BrokenContent, Content
from ingest.detection.charsets import encoding_of
from ingest.documents import ParsedDocument, ReadResult, Unreadable
from ingest.fields import document_of, word


def read(content: Content) -> Iterator[ReadResult]:
    """Yield one document per line; blank lines are skipped. BrokenContent: it is not UTF-8, or cannot be opened."""
    if encoding_of(content.head()) not in ("", "utf-8-sig"):
        raise BrokenContent("must be UTF-8")
    with content.open() as stream:
        for row, line in enumerate(_lines(stream.readline, content.bounds.line_bytes)):
            if line is not None and not line.strip():
                continue
            try:
                yield _line(content, line, row)
            except BrokenContent as error:
                yield Unreadable(content.where, str(error), row + 1)
            except RecursionError:
                yield Unreadable(content.where, "is too deep to be read", row + 1)


def _lines(readline: Callable[[int], bytes], most: int) -> Iterator[bytes | None]:
    """Yield the lines; None for one that is too long, which is skipped."""
    first = True
    while line := readline(most):
        whole = len(line) < most or line.endswith(b"\n")
        while len(line) == most and not line.endswith(b"\n"):
            line = readline(most)
        if first:
            line, first = line.removeprefix(codecs.BOM_UTF8), False
        yield line if whole else None


def _line(content: Content, line: bytes | None, row: int) -> ParsedDocument:
    if line is None:
        raise BrokenContent(f"is longer than {content.bounds.line_bytes:,} bytes")
    try:
        fields = json.loads(line.decode())
    except UnicodeDecodeError:
        raise BrokenContent("is not UTF-8 text") from None
    except ValueError:  # also a number of more digits than Python reads
        raise BrokenContent("is not JSON") from None
    if not isinstance(fields, dict):
        raise BrokenContent("is not a JSON object")
    text = fields.get("text") or ""
    if not isinstance(text, str):
        raise BrokenContent("text: must be a string")
    return document_of(content, word(fields, "id") or f"{content.document_id}#{row + 1}", text, fields, row)
