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
        group = _table_at(lines, start)
        if len([line for line in group if len(line.cells) > 1]) >= MIN_ROWS:
            yield _table(group)
            start += len(group)
        else:
            yield lines[start]
            start += 1


def _table_at(lines: Sequence[PdfLine], start: int) -> list[PdfLine]:
    """The lines from a start on that fit into common columns."""
    columns: Columns = []
    group: list[PdfLine] = []
    for line in lines[start:]:
        if line.rows or (group and not _follows(group[-1], line)):
            break
        widened = _widened(columns, line)
        if widened is None or (len(line.cells) == 1 and not (group and _place(widened, line.spans[0]) > 0)):
            break
        columns, group = widened, [*group, line]
    return group


def _follows(last: PdfLine, line: PdfLine) -> bool:
    return last.page == line.page and 0 < last.y - line.y <= MAX_DISTANCE * max(last.size, line.size)


def _widened(columns: Columns, line: PdfLine) -> Columns | None:
    """The columns with the cells of one more line; None if a cell would join two of them, or a column two cells."""
    widened = list(columns)
    for left, right in line.spans:
        touched = [column for column in widened if column[0] <= right and left <= column[1]]
        if len(touched) > 1:
            return None
        for column in touched:
            widened.remove(column)
        widened.append((min([left, *(column[0] for column in touched)]), max([right, *(c[1] for c in touched)])))
    widened.sort()
    return widened if len({_place(widened, span) for span in line.spans}) == len(line.spans) else None


def _place(columns: Columns, span: tuple[float, float]) -> int:
    return next(place for place, (left, right) in enumerate(columns) if left <= span[0] and span[1] <= right)


def _table(group: Sequence[PdfLine]) -> PdfLine:
    columns: Columns = []
    for line in group:
        columns = _widened(columns, line) or columns
    rows: list[list[str]] = []
    for line in group:
        places = [_place(columns, span) for span in line.spans]
        if len(places) == 1 and rows and rows[-1][places[0]]:  # a cell's next line
            rows[-1][places[0]] += f"\n{line.text}"
            continue
        cells = dict(zip(places, line.cells, strict=True))
        rows.append([cells.get(place, "") for place in range(len(columns))])
    return replace(group[0], rows=tuple(map(tuple, rows)))
