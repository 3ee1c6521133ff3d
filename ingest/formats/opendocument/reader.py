"""OpenDocument files: texts (odt), sheets (ods), slides (odp). Reading blocks."""

import re
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Final

from ingest.content import BrokenContent, Content
from ingest.documents import OmissionReason, ReadResult
from ingest.formats.office.cell_formats import plain_number
from ingest.formats.office.draft import opened_package
from ingest.formats.office.packages import Element, tag, whole
from ingest.formats.opendocument.texts import Styles, Text, commented, spans, text_of
from ingest.formats.sheet_tables import write_sheet
from libs.contracts.structure import BlockKind
from libs.text.grids import Cell, spread

MAIN: Final = "content.xml"
MANIFEST: Final = "META-INF/manifest.xml"
_LOCKED: Final = b"encryption-data"
_NUMBER: Final = re.compile(r"-?\d{1,15}(?:\.\d+)?")
REPEATED: Final = 1000
"""Times that a cell or row with text is repeated at most (taste); blank ones fill the sheet to its end."""


def read(content: Content) -> Iterator[ReadResult]:
    """Yield one document."""
    with opened_package(content, "OpenDocument") as package:
        if _LOCKED in package.read(MANIFEST):
            raise BrokenContent("is encrypted: save it without a password")
        root = package.main(MAIN)
        text = Text(package, styles=Styles(root, package.tree("styles.xml")))
        _write(next(root.iterfind(tag("office:body/*")), root), text)
        yield text.document(content)


def _write(body: Element, text: Text) -> None:
    slides = list(body.iterchildren(tag("draw:page")))
    for text.slide, slide in enumerate(slides, start=1):
        text.write([slide])
    if body.tag == tag("office:spreadsheet"):
        _write_sheets(body, text)
    elif not slides:
        text.write(body)


def _write_sheets(body: Element, text: Text) -> None:
    for table in body.iterchildren(tag("table:table")):
        text.package.place = table.get(tag("table:name"), "")
        if text.styles.is_hidden(table):
            _leave_out(text, [table])
            continue
        inner = table.iter(tag("table:table-row"))
        rows = [row for row in inner if next(row.iterancestors(tag("table:table"))) is table]
        _leave_out(text, [row for row in rows if text.styles.is_hidden(row)])
        shown = list(_shown_rows(rows, text.styles))
        numbered = zip((number for number, _ in shown), spread(cells for _, cells in shown), strict=True)
        text.builder.section(text.package.place)
        text.package.omissions += write_sheet(text.package.place, numbered, text.builder)
        for annotation in table.iter(tag("office:annotation")):
            text.builder.block(BlockKind.QUOTATION, commented(annotation))
        for shapes in table.iterchildren(tag("table:shapes")):
            text.write(shapes)


def _shown_rows(rows: Sequence[Element], styles: Styles) -> Iterator[tuple[int, list[Cell]]]:
    """The rows that are not hidden, each as often as it stands, with their numbers from 1."""
    number = 1
    for row in rows:
        times = whole(row.get(tag("table:number-rows-repeated")), 1)
        cells = _cells(row)
        if not styles.is_hidden(row):
            yield from ((number + at, cells) for at in range(min(times, REPEATED if cells else 1)))
        number += times


def _cells(row: Element) -> list[Cell]:
    """The cells of a row without the blank ones at its end."""
    cells: list[Cell] = []
    for element in row.iterchildren(tag("table:table-cell")):
        times = whole(element.get(tag("table:number-columns-repeated")), 1)
        cells += repeat(Cell(_shown(element), *spans(element)), min(times, REPEATED))
    while cells and not cells[-1].text:
        cells.pop()
    return cells


def _shown(cell: Element) -> str:
    """A cell as it is shown; numbers and dates without the marks of a country."""
    kind = cell.get(tag("office:value-type"))
    if kind == "float" and _NUMBER.fullmatch(stated := cell.get(tag("office:value")) or ""):
        return plain_number(float(stated))
    if kind == "date":
        return (cell.get(tag("office:date-value")) or "").replace("T", " ")
    return " ".join(" ".join(map(text_of, cell.iterchildren(tag("text:p")))).split())


def _leave_out(text: Text, elements: list[Element]) -> None:
    cells = (cell for one in elements for cell in one.iter(tag("table:table-cell")))
    text.package.leave_out(OmissionReason.HIDDEN, " ".join(map(_shown, cells)))
