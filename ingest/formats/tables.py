"""CSV and TSV: a table below the lines that stand above it. Files of any size are streamed. Reading blocks."""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Final

from ingest.content import BrokenContent, Content
from ingest.detection.charsets import errors_of, repaired, stream_encoding
from ingest.documents import Omission, ReadResult
from ingest.formats.sheet_tables import SEARCHED, NumberedRow, Row, filled, head_of, line_of, write_located
from ingest.parts import part_of
from libs.documents.building import DocumentBuilder
from libs.language.characters import without_unseen

SAMPLE: Final = 64 * 1024
"""Bytes that are enough to detect the separator (taste)."""
SEPARATORS: Final = ",;\t|"
LONG_CELL: Final = "has a cell of more than 131,072 characters, or a quotation mark that nothing closes"
_STATED: Final = re.compile(r"\ufeff?sep=(.?)\s*", re.IGNORECASE)
"""A first line that tells Excel the separator."""


def read(content: Content) -> Iterator[ReadResult]:
    """Yield a document, or several if there are too many rows for one.

    Raises:
        BrokenContent: the content is not text, or not a table.
    """
    with content.open() as stream:
        sample = stream.read(SAMPLE)
    with content.open() as stream:
        encoding = stream_encoding(stream, content.charset)
    text = sample.decode(encoding, "replace")
    separator = _separator(text, content.kind)
    left_out: list[Omission] = []
    with content.open() as stream:
        lines = io.TextIOWrapper(stream, encoding, errors_of(encoding), newline="")
        rows = csv.reader(_lines(lines.readline, content.bounds.line_bytes, left_out), delimiter=separator)
        try:
            numbered = enumerate(([cell.replace("\0", "") for cell in row] for row in rows), start=1)
            table = ((number, row) for number, row in numbered if filled(row))
            above = list(islice(table, head_of(_rows(text, separator))))
            if above and _STATED.fullmatch(line_of(above[0][1])):
                del above[0]
            yield from _documents(content, above, table, left_out)
        except csv.Error as error:
            what = LONG_CELL if "field limit" in str(error) else error
            raise BrokenContent(f"is not a readable table: line {rows.line_num + 1} {what}") from None
        finally:
            lines.detach()


def _documents(
    content: Content, above: Sequence[NumberedRow], table: Iterator[NumberedRow], left_out: list[Omission]
) -> Iterator[ReadResult]:
    """The table below some lines, in as many parts as it needs, each with its head."""
    head = next(table, (0, list[str]()))
    for number, rows in enumerate(_chunks(head[1], table, content.bounds.text_bytes), start=1):
        builder = DocumentBuilder()
        rows = [head, *rows]
        columns = range(1, max(len(row) for _, row in rows) + 1)
        left_out += write_located("", columns, above if number == 1 else (), rows, builder)
        yield replace(part_of(content.document(""), number, *builder.build()), omissions=tuple(left_out))
        left_out.clear()


def _chunks(head: Row, table: Iterator[NumberedRow], most: int) -> Iterator[list[NumberedRow]]:
    """The rows in lists that are not longer than `most` bytes once each row names its columns; at least one list."""
    names = len("".join(head).encode()) + 4 * len(head) + len("- .\n")
    rows, size = list[NumberedRow](), 0
    for number, row in table:
        growth = names + len("".join(row).encode()) + 2 * len(row)
        if rows and size + growth > most:
            yield rows
            rows, size = [], 0
        rows.append((number, row))
        size += growth
    yield rows


def _lines(readline: Callable[[int], str], most: int, left_out: list[Omission]) -> Iterator[str]:
    """Yield the lines of a table, and add what of them cannot be decoded to `left_out`.

    Raises:
        csv.Error: one is too long.
    """
    for number, line in enumerate(iter(lambda: readline(most), ""), start=1):
        if len(line) == most:
            raise csv.Error(f"is longer than {most:,} bytes")
        text, omissions = repaired(without_unseen(line), number)
        left_out.extend(omissions)
        yield text


def _separator(sample: str, kind: str) -> str:
    """The separator by which most lines have the same number of cells, but more than one."""
    if kind == ".tsv":
        return "\t"
    if (stated := _STATED.match(sample)) and stated[1]:
        return stated[1]

    def fit(separator: str) -> tuple[int, int]:
        widths = Counter(len(row) for row in _rows(sample, separator) if len(row) > 1)
        return max(((count, width) for width, count in widths.items()), default=(0, 0))

    return max(SEPARATORS, key=fit)


def _rows(sample: str, separator: str) -> list[list[str]]:
    """The first rows that are not blank."""
    rows = csv.reader(io.StringIO(sample, newline=""), delimiter=separator)
    with suppress(csv.Error):  # the sample may end within a quoted cell
        return list(islice(filter(filled, rows), SEARCHED))
    return []
