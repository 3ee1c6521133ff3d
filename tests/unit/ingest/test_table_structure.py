"""Sheets and tables: each row stands for itself under its sheet's name, with the names of its columns."""

import io
from collections.abc import Sequence

import openpyxl

from ingest.bounds import ReadingBounds
from ingest.content import Content
from ingest.documents import ParsedDocument
from ingest.readers import read
from services.retrieve.indexing.passages import cut_passages
from tests.fakes import office_files as make
from tests.unit.ingest.structures import blocks, headings, parts, read_one, structure_of


def workbook(**sheets: Sequence[Sequence[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_each_sheet_is_a_section_and_each_row_a_record() -> None:
    data = workbook(Probes=[("Probe", "Mass"), ("Aquila", 640), ("Corvus", 12.5)], Sites=[("Site",), ("Ceres",)])
    document = read_one("a.xlsx", data)
    assert headings(document) == [("Probes",), ("Sites",)]
    assert blocks(document) == [
        ("RECORDS", "- Probe: Aquila; Mass: 640.\n- Probe: Corvus; Mass: 12.5."),
        ("RECORDS", "- Site: Ceres."),
    ]
    assert parts(document) == [("- Probe: Aquila; Mass: 640.", 0), ("- Probe: Corvus; Mass: 12.5.", 0)]


def test_a_sheet_without_rows_is_no_section() -> None:
    assert headings(read_one("a.xlsx", workbook(Empty=[], Sites=[("Site",), ("Ceres",)]))) == [("Sites",)]
    assert read_one("a.xlsx", workbook(Empty=[])).text == ""


def test_each_row_of_a_table_is_a_passage() -> None:
    document = read_one("a.csv", b"Probe,Mass\nAquila,640\nCorvus,12\n")
    assert [
        passage.of(document.text) for passage in cut_passages(document.text, structure_of(document), language="en")
    ] == [
        "- Probe: Aquila; Mass: 640.",
        "- Probe: Corvus; Mass: 12.",
    ]


def test_a_row_with_line_breaks_and_marks_is_one_record() -> None:
    document = read_one("a.csv", b'Name,Note\nAquila,"two\nlines | here"\n')
    assert parts(document) == [("- Name: Aquila; Note: two lines | here.", 0)]


def test_small_sheets_that_are_too_many_for_one_document_become_several() -> None:
    sheets = {f"Sheet {number}": [("Site", "Note"), (f"S{number}", "x" * 40)] for number in range(20)}
    results = [
        document
        for document in read(Content("a", "a.xlsx", "a", data=workbook(**sheets), bounds=ReadingBounds(text_bytes=300)))
        if isinstance(document, ParsedDocument)
    ]
    assert len({document.document_id for document in results}) == len(results) > 3
    assert all(len(document.text.encode()) <= 300 for document in results)
    assert [path for document in results for path in headings(document)] == [(name,) for name in sheets]
    assert all(structure_of(document).blocks for document in results)


def test_slides_are_sections_and_pages() -> None:
    document = read_one("a.pptx", make.pptx())
    assert headings(document) == [("Slide 1: Aquila",)]
    assert [kind for kind, _ in blocks(document)] == ["LIST", "TABLE", "PARAGRAPH"]
    assert {block.page for block in structure_of(document).blocks} == {1}


def test_a_long_text_that_is_divided_keeps_all_its_blocks() -> None:
    items = "\n\n".join(f"- item {number} of a list" for number in range(40))
    data = f"# Moon\n\n{items}\n".encode()
    results = list(read(Content("a", "a.md", "a", data=data, bounds=ReadingBounds(text_bytes=300))))
    blocks = [
        part.span.of(document.text)
        for document in results
        if isinstance(document, ParsedDocument)
        for block in structure_of(document).blocks
        for part in block.parts
    ]
    assert len(results) > 2
    assert blocks == [f"- item {number} of a list" for number in range(40)]
