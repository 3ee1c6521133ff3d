"""Workbooks (xlsx): each sheet is a section, each row is written with the names of its columns. Reading blocks."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from typing import Any, Final

from ingest.content import Content, parsing
from ingest.detection.charsets import clean
from ingest.documents import ReadResult
from ingest.formats.archives import unpackable
from ingest.formats.office.packages import core_properties
from ingest.parts import in_parts
from ingest.reader import Format, Sample
from libs.text.tables import rows_in_words


class WorkbookReader:
    """Reads xlsx."""

    format: Final = Format("xlsx", (".xlsx", ".xlsm"), binary=True)

    def detects(self, sample: Sample) -> bool:
        """Return whether the first bytes, or the names of the parts, show this format."""
        return "xl/workbook.xml" in sample.parts

    def read(self, content: Content) -> Iterator[ReadResult]:
        """Yield a document, or several if there are too many rows for one. Formulas appear as their last values.

        Raises:
            BrokenContent: the workbook is damaged or too large.
        """
        import openpyxl

        with unpackable(content) as stream, parsing("xlsx"):
            properties = core_properties(stream)
            book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
            document = content.document("", title=properties.title, date=properties.date, metadata=properties.metadata)
            yield from in_parts(document, _sections(book.worksheets), content.bounds.text_bytes)


def _sections(sheets: Iterable[Any]) -> Iterator[tuple[str, Iterable[str]]]:
    for sheet in sheets:
        sheet.reset_dimensions()  # the size that a file states may be wrong
        yield sheet.title, rows_in_words(_cells(row) for row in sheet.iter_rows(values_only=True))


def _cells(row: Iterable[Any]) -> list[str]:
    return [_cell_text(value) for value in row]


def _cell_text(value: Any) -> str:
    """A cell's value as people write it: Excel keeps 15 digits; 12 hide the errors of binary fractions (taste)."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.12g}"
    return clean(str(value))
