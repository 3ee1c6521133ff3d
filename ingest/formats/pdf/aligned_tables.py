"""Tables without ruled lines: lines in succession whose cells stand below each other. Pure.

Numbers without a source: by hand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from ingest.formats.pdf.lines import PdfLine

MIN_ROWS: Final = 3
MAX_DISTANCE: Final = 2.6
"""Between two rows, relative to their size."""
Columns = list[tuple[float, float]]
"""Left and right end of each column, in order."""


def with_tables(lines: Sequence[PdfLine]) -> Iterator[PdfLine]:
    """Yield the lines with each table in place of its lines."""
    start = 0
    while start < len(lines):
        group, columns = _table_at(lines, start)
        if sum(len(line.cells) > 1 for line in group) >= MIN_ROWS:
            yield replace(group[0], rows=tuple(_rows(group, columns)))
            start += len(group)
        else:
            yield lines[start]
            start += 1


def _table_at(lines: Sequence[PdfLine], start: int) -> tuple[list[PdfLine], Columns]:
    """The lines from a start on that fit into common columns, and these."""
    columns: Columns = []
    group: list[PdfLine] = []
    for line in lines[start:]:
        if line.rows or (group and not _follows(group[-1], line)):
            break
        widened = _widened(columns, line)
        if widened is None or (len(line.cells) == 1 and not (group and _place(widened, line.spans[0]) > 0)):
            break
        columns, group = widened, [*group, line]
    return group, columns


def _follows(last: PdfLine, line: PdfLine) -> bool:
    return last.page == line.page and 0 < last.y - line.y <= MAX_DISTANCE * max(last.size, line.size)


def _widened(columns: Columns, line: PdfLine) -> Columns | None:
    """The columns with the cells of one more line; None if a cell would join two of them, or a column two cells."""
    widened: Columns = []
    for left, right in sorted([*columns, *line.spans]):
        if widened and left <= widened[-1][1]:
            widened[-1] = widened[-1][0], max(widened[-1][1], right)
        else:
            widened.append((left, right))
    is_parted = all(len({_place(widened, span) for span in spans}) == len(spans) for spans in (columns, line.spans))
    return widened if is_parted else None


def _place(columns: Columns, span: tuple[float, float]) -> int:
    return next(place for place, (left, right) in enumerate(columns) if left <= span[0] and span[1] <= right)


def _rows(group: Sequence[PdfLine], columns: Columns) -> Iterator[tuple[str, ...]]:
    row: list[str] = []
    for line in group:
        places = [_place(columns, span) for span in line.spans]
        if len(places) == 1 and row and row[places[0]]:  # a cell's next line
            row[places[0]] += f"\n{line.text}"
            continue
        if row:
            yield tuple(row)
        cells = dict(zip(places, line.cells, strict=True))
        row = [cells.get(place, "") for place in range(len(columns))]
    yield tuple(row)
