"""The sheets of OpenDocument files: each is a section with its tables, comments and drawings. Pure."""

import re
from collections.abc import Iterator
from itertools import chain, repeat
from typing import Final

from ingest.documents import OmissionReason, ParsedDocument
from ingest.formats.office.cell_formats import plain_number
from ingest.formats.office.packages import Element, short, tag, whole
from ingest.formats.office.sheets import write_tables
from ingest.formats.opendocument.texts import Converter, commented, spans, text_of
from ingest.parts import PartsWriter
from libs.contracts.structure import BlockKind
from libs.text.grids import Cell, spread

_NUMBER: Final = re.compile(r"-?\d{1,15}(?:\.\d+)?")
_TABLE_PARTS: Final = frozenset({"table:table-header-rows", "table:table-rows", "table:table-row-group"})
REPEATED: Final = 1000
"""Times that a cell or row with text is repeated at most (taste); blank ones fill the sheet to its end."""


def read_sheets(body: Element, writer: PartsWriter, text: Converter) -> Iterator[ParsedDocument]:
    """Write all sheets; yield the parts that are full."""
    for table in body.iterchildren(tag("table:table")):
        name = table.get(tag("table:name"), "")
        if text.styles.is_hidden(table):
            _leave_out(text, name, [table])
            continue
        rows = list(_rows(table))
        _leave_out(text, name, [row for row in rows if text.styles.is_hidden(row)])
        shown = chain.from_iterable(_repeated(row) for row in rows if not text.styles.is_hidden(row))
        writer.section(name)
        yield from write_tables(list(spread(shown)), writer)
        for annotation in table.iter(tag("office:annotation")):
            writer.paragraph(commented(annotation), BlockKind.QUOTATION)
        for shapes in table.iterchildren(tag("table:shapes")):
            writer.section_head()
            text.write(shapes, writer.builder)


def _repeated(row: Element) -> Iterator[list[Cell]]:
    """A row as often as it stands, without the blank cells at its end."""
    cells: list[Cell] = []
    for element in row.iterchildren(tag("table:table-cell")):
        times = whole(element.get(tag("table:number-columns-repeated")), 1)
        cells += repeat(Cell(_shown(element), *spans(element)), min(times, REPEATED))
    while cells and not cells[-1].text:
        cells.pop()
    times = whole(row.get(tag("table:number-rows-repeated")), 1)
    return repeat(cells, min(times, REPEATED if cells else 1))


def _shown(cell: Element) -> str:
    """A cell as it is shown; numbers and dates without the marks of a country."""
    kind = cell.get(tag("office:value-type"))
    if kind == "float" and _NUMBER.fullmatch(stated := cell.get(tag("office:value")) or ""):
        return plain_number(float(stated))
    if kind == "date":
        return (cell.get(tag("office:date-value")) or "").replace("T", " ")
    return " ".join(" ".join(map(text_of, cell.iterchildren(tag("text:p")))).split())


def _leave_out(text: Converter, name: str, elements: list[Element]) -> None:
    cells = (cell for one in elements for cell in one.iter(tag("table:table-cell")))
    text.package.leave_out(OmissionReason.HIDDEN, name, " ".join(map(_shown, cells)))


def _rows(table: Element) -> Iterator[Element]:
    """The rows of a table, those of a table within a cell excepted."""
    for child in table:
        name = short(child.tag)
        if name == "table:table-row":
            yield child
        elif name in _TABLE_PARTS:
            yield from _rows(child)
