"""CSV and TSV: each row is written with the names of its columns. Files of any size are streamed. Reading blocks."""

import csv
import io
import re
from collections.abc import Callable, Iterator
from typing import Final

from ingest.content import BrokenContent, Content
from ingest.detection.charsets import errors_of, repaired, stream_encoding
from ingest.documents import Omission, ReadResult
from ingest.parts import in_parts
from ingest.reader import Format, Sample
from libs.text.tables import rows_in_words

SAMPLE: Final = 64 * 1024
"""Bytes that are enough to detect the separator (taste)."""
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
        with content.open() as stream:
            encoding = stream_encoding(stream, content.charset)
        separator = _separator(sample.decode(encoding, "replace"), content.kind)
        document = content.document("")
        left_out: list[Omission] = []
        with content.open() as stream:
            lines = io.TextIOWrapper(stream, encoding, errors_of(encoding), newline="")
            rows = csv.reader(_lines(lines.readline, content.bounds.line_bytes, left_out), delimiter=separator)
            sentences = rows_in_words([cell.replace("\0", "") for cell in row] for row in rows)
            try:
                yield from in_parts(document, [("", sentences)], content.bounds.text_bytes, left_out)
            except csv.Error as error:
                raise BrokenContent(f"is not a readable table: line {rows.line_num + 1} {error}") from None
            finally:
                lines.detach()


def _lines(readline: Callable[[int], str], most: int, left_out: list[Omission]) -> Iterator[str]:
    """Yield the lines of a table, and add what of them cannot be decoded to `left_out`.

    Raises:
        csv.Error: one is too long.
    """
    for number, line in enumerate(iter(lambda: readline(most), ""), start=1):
        if len(line) == most:
            raise csv.Error(f"is longer than {most:,} bytes")
        text, omissions = repaired(line, number)
        left_out.extend(omissions)
        yield text


def _separator(sample: str, kind: str) -> str:
    """The most frequent separator of cells in the first line, outside quotes."""
    if kind == ".tsv":
        return "\t"
    first = _QUOTED.sub("", sample.lstrip().partition("\n")[0])
    return max(SEPARATORS, key=first.count)
