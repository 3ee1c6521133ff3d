"""Where the rows of a sheet stand: the ranges of cells that readers give."""

from collections.abc import Mapping, Sequence

import openpyxl

from ingest.bounds import ReadingBounds
from ingest.documents import ParsedDocument
from libs.contracts.structure import cells_at
from tests.fakes import office_files as make
from tests.fakes.office_files import packed
from tests.unit.ingest.structures import read_bytes, read_one, structure_of

Place = tuple[str, str]
"""Words, and their cells."""


def places(document: ParsedDocument) -> list[Place]:
    """Each block without parts, and each part of the others, with its cells."""
    text, blocks = document.text, structure_of(document).blocks
    spans = [span for block in blocks for span in ([part.span for part in block.parts] or [block.span])]
    return [(span.of(text), cells_at(blocks, span)) for span in spans]


def wholes(document: ParsedDocument) -> list[str]:
    return [str(block.cells) for block in structure_of(document).blocks]


def sheet(rows: Mapping[int, Sequence[object]], title: str = "Prices") -> openpyxl.Workbook:
    """A workbook of a sheet with rows at some numbers."""
    book = openpyxl.Workbook()
    book.active.title = title
    for number, row in rows.items():
        for column, value in enumerate(row, start=1):
            book.active.cell(number, column, value)
    return book


def read_book(book: openpyxl.Workbook) -> ParsedDocument:
    return read_one("a.xlsx", make.saved(book.save))


def test_rows_below_titles_are_those_of_their_numbers() -> None:
    document = read_book(sheet({1: ["Q3 report"], 3: ["Region", "Units"], 4: ["EU", 12], 5: ["US", 7]}))
    assert places(document) == [
        ("Q3 report", "Prices!A1"),
        ("| EU | 12 |", "Prices!A4:B4"),
        ("| US | 7 |", "Prices!A5:B5"),
    ]
    assert wholes(document) == ["Prices!A1", "Prices!A3:B5"]


def test_a_title_right_above_a_table_has_the_columns_of_the_table() -> None:
    document = read_book(sheet({1: ["Q3 report"], 2: ["Region", "Units"], 3: ["EU", 12], 4: ["US", 7]}))
    assert wholes(document) == ["Prices!A1:B1", "Prices!A2:B4"]


def test_merged_cells_leave_rows_where_they_are() -> None:
    book = sheet({1: ["Q3 report"], 2: ["Region", "Units"], 3: ["EU", 12], 4: [None, 7]})
    book.active.merge_cells("A1:B1")
    book.active.merge_cells("A3:A4")
    assert places(read_book(book))[1:] == [("| EU | 12 |", "Prices!A3:B3"), ("| EU | 7 |", "Prices!A4:B4")]


def test_two_tables_of_a_sheet_have_ranges_of_their_own() -> None:
    rows: dict[int, list[object]] = {
        1: ["A", "B"],
        2: [1, 2],
        3: [3, 4],
        6: [None, "E", "F"],
        7: [None, 7, 8],
        8: [None, 9, 10],
    }
    assert wholes(read_book(sheet(rows, "My sheet"))) == ["'My sheet'!A1:B3", "'My sheet'!B6:C8"]


def test_hidden_rows_and_columns_are_counted() -> None:
    book = sheet({1: ["A", "X", "B"], 2: [1, 0, 2], 3: ["gone", 0, "gone"], 4: [3, 0, 4]})
    book.active.row_dimensions[3].hidden = True
    book.active.column_dimensions["B"].hidden = True
    document = read_book(book)
    assert places(document) == [("| 1 | 2 |", "Prices!A2:C2"), ("| 3 | 4 |", "Prices!A4:C4")]
    assert wholes(document) == ["Prices!A1:C4"]


def test_rows_of_a_data_set_have_a_range_each() -> None:
    rows: dict[int, list[object]] = {
        2: ["Probe", "Mass"],
        **{number: [f"Probe number {number}", number] for number in range(3, 400)},
    }
    document = read_book(sheet(rows))
    assert places(document)[0] == ("- Probe: Probe number 3; Mass: 3.", "Prices!A3:B3")
    assert places(document)[-1] == ("- Probe: Probe number 399; Mass: 399.", "Prices!A399:B399")


def test_what_stands_beside_the_cells_has_no_range() -> None:
    book = sheet({1: ["A", "B"], 2: [1, 2], 3: [3, 4]})
    book.active["A1"].comment = openpyxl.comments.Comment("Ask Ann.", "Ann")
    assert wholes(read_book(book)) == ["Prices!A1:B3", "None"]


def test_rows_of_open_documents_that_are_hidden_or_stand_repeatedly_are_counted() -> None:
    def row(*cells: object, **more: str) -> str:
        told = "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in cells)
        marks = "".join(f' table:{name.replace("_", "-")}="{value}"' for name, value in more.items())
        return f"<table:table-row{marks}>{told}</table:table-row>"

    rows = (
        row(number_rows_repeated="2"),
        row("Plant", "Price"),
        row("Fern", 4, number_rows_repeated="2"),
        row("Ivy", 5, visibility="collapse", number_rows_repeated="3"),
        row("Oak", 90),
    )
    names = (f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text", "table"))
    content = (
        f"<office:document-content {' '.join(names)}><office:body><office:spreadsheet>"
        f'<table:table table:name="Prices">{"".join(rows)}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    document = read_one("a.ods", packed({"META-INF/manifest.xml": "<manifest/>", "content.xml": content}))
    assert places(document) == [
        ("| Fern | 4 |", "Prices!A4:B4"),
        ("| Fern | 4 |", "Prices!A5:B5"),
        ("| Oak | 90 |", "Prices!A9:B9"),
    ]


def test_rows_of_csv_are_counted_with_blank_ones_and_not_by_lines() -> None:
    data = b'Exported by Bob\n\nName,Note\nAnn,"two\nlines"\n\nBob,none\n'
    assert places(read_one("a.csv", data)) == [
        ("Exported by Bob", "A1:B1"),
        ("| Ann | two lines |", "A4:B4"),
        ("| Bob | none |", "A6:B6"),
    ]


def test_rows_of_a_csv_of_several_documents_are_counted_through() -> None:
    data = "Name,Note\n" + "".join(f"N{number},{'x' * 40}\n" for number in range(2, 40))
    documents = read_bytes("a.csv", data.encode(), ReadingBounds(text_bytes=600))
    found = [place for document in documents if isinstance(document, ParsedDocument) for place in places(document)]
    assert len(documents) > 2
    assert [cells for _, cells in found] == [f"A{number}:B{number}" for number in range(2, 40)]


def test_an_empty_table_has_no_cells() -> None:
    assert places(read_one("a.csv", b"\n\n")) == []
