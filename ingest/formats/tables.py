"""CSV and TSV: each row is written with the names of its columns. Files of any size are streamed. Reading blocks."""

import csv
import io
import re
from collections.abc import Callable, Iterator
from typing import Final

from ingest.content import BrokenContent, Content
from ingest.detection.charsets import sample_encoding
from ingest.documents import ReadResult
from ingest.parts import in_parts
from ingest.reader import Format, Sample
from libs.text.tables import rows_in_words

SAMPLE: Final = 64 * 1024
"""Bytes that are enough to detect the encoding and the separator (taste)."""
SEPARATORS: Final = ",;\t|"
_QUOTED: Final = re.compile(r'"[^"]*"')


class TableReader:
    """Reads CSV and TSV."""

    format: Final = Format("a table", (".csv", ".tsv"), ("text/csv", "text/tab-separated-values"))

    def detects(self, sample: Sample) -> bool:
        """Return whether the first bytes, or the names of the parts, show this format."""
        return False  # any text may be a table

    def read(self, content: Content) -> Iterator[ReadResult]:
        """Yield a document, or several if there are too many rows for one.

        Raises:
            BrokenContent: the content is not text, or not a table.
        """
        with content.open() as stream:
            sample = stream.read(SAMPLE)
        encoding = sample_encoding(sample)
        separator = _separator(sample.decode(encoding, "replace"), content.kind)
        document = content.document("")
        with content.open() as stream:
            lines = io.TextIOWrapper(stream, encoding, newline="")
            rows = csv.reader(_lines(lines.readline, content.bounds.line_bytes), delimiter=separator)
            sentences = rows_in_words([cell.replace("\0", "") for cell in row] for row in rows)
            try:
                yield from in_parts(document, [("", sentences)], content.bounds.text_bytes)
            except UnicodeError:
                raise BrokenContent(f"is not in one encoding: line {rows.line_num + 1} cannot be read") from None
            except csv.Error as error:
                raise BrokenContent(f"is not a readable table: line {rows.line_num + 1} {error}") from None
            finally:
                lines.detach()


def _lines(readline: Callable[[int], str], most: int) -> Iterator[str]:
    """Yield the lines of a table.

    Raises:
        csv.Error: one is too long.
    """
    while line := readline(most):
        if len(line) == most:
            raise csv.Error(f"is longer than {most:,} bytes")
        yield line


def _separator(sample: str, kind: str) -> str:
    """The most frequent separator of cells in the first line, outside quotes."""
    if kind == ".tsv":
        return "\t"
    first = _QUOTED.sub("", sample.lstrip().partition("\n")[0])
    return max(SEPARATORS, key=first.count)
