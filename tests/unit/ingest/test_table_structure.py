"""Sheets and tables: each row stands for itself under its sheet's name, with the names of its columns."""

from collections.abc import Sequence

import openpyxl
import pytest

from ingest.bounds import ReadingBounds
from ingest.content import Content
from ingest.documents import ParsedDocument
from ingest.readers import read
from services.retrieve.indexing.passages import cut_passages
from tests.fakes import office_files as make
from tests.fakes.office_files import packed
from tests.unit.ingest.structures import blocks, headings, parts, read_one, structure_of


def workbook(**sheets: Sequence[Sequence[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return make.saved(book.save)


MANY = [("Aquila", 640), ("Corvus", 12.5), *((f"Probe number {number}", number) for number in range(400))]


def test_each_sheet_is_a_section_and_each_row_of_a_large_one_a_record() -> None:
    document = read_one("a.xlsx", workbook(Probes=[("Probe", "Mass"), *MANY], Sites=[("Site",), ("Ceres",)]))
    assert headings(document) == [("Probes",), ("Sites",)]
    assert [kind for kind, _ in blocks(document)] == ["RECORDS", "RECORDS"]
    assert parts(document)[:2] == [("- Probe: Aquila; Mass: 640.", 0), ("- Probe: Corvus; Mass: 12.5.", 0)]
    assert parts(document, 1) == [("- Site: Ceres.", 0)]


def test_a_small_sheet_is_a_table() -> None:
    document = read_one("a.xlsx", workbook(Probes=[("Probe", "Mass"), *MANY[:2]]))
    assert blocks(document) == [("TABLE", "| Probe | Mass |\n| --- | --- |\n| Aquila | 640 |\n| Corvus | 12.5 |")]


def test_a_sheet_without_rows_is_no_section() -> None:
    assert headings(read_one("a.xlsx", workbook(Empty=[], Sites=[("Site",), ("Ceres",)]))) == [("Sites",)]
    assert read_one("a.xlsx", workbook(Empty=[])).text == ""


def test_each_row_of_a_large_table_is_a_passage() -> None:
    rows = "".join(f"{name},{mass}\n" for name, mass in MANY)
    document = read_one("a.csv", f"Probe,Mass\n{rows}".encode())
    passages = cut_passages(document.text, structure_of(document), language="en")
    assert [passage.of(document.text) for passage in passages[:2]] == [
        "- Probe: Aquila; Mass: 640.",
        "- Probe: Corvus; Mass: 12.5.",
    ]


def test_the_name_of_a_column_without_cells_is_named_among_what_is_left_out() -> None:
    document = read_one("a.csv", b"Probe,Mass,Colour\nAquila,640,\n")
    assert document.text == "- Probe: Aquila; Mass: 640."
    assert [omission.excerpt for omission in document.omissions] == ["Colour"]


def test_a_row_with_line_breaks_and_marks_is_one_record() -> None:
    document = read_one("a.csv", b'Name,Note\nAquila,"two\nlines | here"\n')
    assert parts(document) == [("- Name: Aquila; Note: two lines | here.", 0)]


def styled(rows: Sequence[Sequence[object]], **formats: str) -> str:
    """The text of a sheet of which cells have number formats, by their places."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for place, code in formats.items():
        book.active[place].number_format = code
    return read_one("a.xlsx", make.saved(book.save)).text


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (0.35, "0%", "35%"),
        (0.1234, "0.0%", "12.3%"),
        (7, "0000", "0007"),
        (12.5, '"$"#,##0.00', "$12.50"),
        (12.5, "#,##0.00 [$€-407]", "12.50 €"),
        (45356, "dd/mm/yyyy", "2024-03-05"),
        (45356.5, "yyyy-mm-dd hh:mm", "2024-03-05 12:00"),
        (0.5, "h:mm", "12:00"),
        (0.1 + 0.2, "General", "0.3"),
        (12, "0", "12"),
    ],
)
def test_a_value_is_told_as_its_cell_shows_it(value: float, code: str, shown: str) -> None:
    assert styled([("Name", "Value"), ("a", value)], B2=code) == f"## Sheet\n\n- Name: a; Value: {shown}."


def test_a_title_above_a_table_is_no_head_and_merged_cells_stand_in_each_row() -> None:
    book = openpyxl.Workbook()
    for row in (("Q3 report",), ("Region", "Units"), ("EU", 12), (None, 7)):
        book.active.append(row)
    book.active.merge_cells("A1:B1")
    book.active.merge_cells("A3:A4")
    assert blocks(read_one("a.xlsx", make.saved(book.save))) == [
        ("PARAGRAPH", "Q3 report"),
        ("TABLE", "| Region | Units |\n| --- | --- |\n| EU | 12 |\n| EU | 7 |"),
    ]


def test_tables_of_a_sheet_are_parted_by_blank_rows() -> None:
    rows = [("A", "B"), (1, 2), (3, 4), (), ("E", "F"), (7, 8), (9, 10), (), (11, 12)]
    assert [text for _, text in blocks(read_one("a.xlsx", workbook(S=rows)))] == [
        "| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
        "| E | F |\n| --- | --- |\n| 7 | 8 |\n| 9 | 10 |\n| 11 | 12 |",
    ]


@pytest.mark.parametrize(
    ("data", "texts"),
    [
        (b"sep=;\nName;City\nAnn;Rome\n", ["- Name: Ann; City: Rome."]),
        (b"Exported, by Bob\n\nName;City\nAnn;Rome\n", ["Exported, by Bob", "- Name: Ann; City: Rome."]),
        (b"Name;Price\nTea;1,50\n", ["- Name: Tea; Price: 1,50."]),
        (b";2019;2020\nUnits;1;2\n", ["- Units; 2019: 1; 2020: 2."]),
    ],
)
def test_what_stands_above_a_table_is_no_head(data: bytes, texts: list[str]) -> None:
    assert [text for _, text in blocks(read_one("a.csv", data))] == texts


def test_small_sheets_that_are_too_many_for_one_document_become_several() -> None:
    sheets = {f"Sheet {number}": [("Site", "Note"), (f"S{number}", "x" * 40)] for number in range(20)}
    results = [
        document
        for document in read(Content("a", "a.xlsx", "a", data=workbook(**sheets), bounds=ReadingBounds(text_bytes=300)))
        if isinstance(document, ParsedDocument)
    ]
    assert len({document.document_id for document in results}) == len(results) > 3
    assert all(len(document.text.encode()) <= 300 for document in results)
    structures = [structure_of(document) for document in results]
    paths = [structure.headings(block.section) for structure in structures for block in structure.blocks]
    assert paths == [(name,) for name in sheets]


def test_slides_are_sections_and_pages() -> None:
    document = read_one("a.pptx", make.pptx())
    assert headings(document) == [("Aquila",)]
    assert [kind for kind, _ in blocks(document)] == ["LIST", "TABLE", "PARAGRAPH"]
    assert {block.page for block in structure_of(document).blocks} == {1}


def test_a_slide_of_a_title_alone_is_a_paragraph() -> None:
    import pptx

    slides = pptx.Presentation()
    for title, body in (("Budget 5,000", ""), ("Plan", "In June"), ("Owner is Kim", "")):
        slide = slides.slides.add_slide(slides.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, body
    document = read_one("a.pptx", make.saved(slides.save))
    assert document.text == "Budget 5,000\n\n## Plan\n\nIn June\n\n## Slide 3\n\nOwner is Kim"
    assert [block.page for block in structure_of(document).blocks] == [1, 2, 3]


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


def test_items_of_open_documents_have_their_numbers_and_notes_stand_beside_tables() -> None:
    note = "<text:note><text:note-body><text:p>Not in winter.</text:p></text:note-body></text:note>"
    rows = "".join(
        f"<table:table-row><table:table-cell><text:p>{name}</text:p></table:table-cell>"
        f"<table:table-cell><text:p>{most}</text:p></table:table-cell></table:table-row>"
        for name, most in (("Plant", "Most"), ("Fern", f"300{note}"))
    )
    items = (
        "<text:list-item><text:p>Open it.</text:p><text:list><text:list-item><text:p>slowly</text:p></text:list-item>"
        "</text:list></text:list-item><text:list-item><text:p>Wait.</text:p></text:list-item>"
    )
    numbers = '<text:list-level-style-number text:level="1" style:num-format="1"/>'
    vocabularies = ("office", "text", "table", "style")
    names = (f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in vocabularies)
    styles = f'<text:list-style style:name="N">{numbers}</text:list-style>'
    content = (
        f"<office:document-content {' '.join(names)}><office:automatic-styles>{styles}</office:automatic-styles>"
        f'<office:body><office:text><text:list text:style-name="N">{items}</text:list><table:table>{rows}</table:table>'
        "</office:text></office:body></office:document-content>"
    )
    data = packed({"META-INF/manifest.xml": "<manifest/>", "content.xml": content})
    assert [text for _, text in blocks(read_one("a.odt", data))] == [
        "1. Open it.\n  - slowly\n2. Wait.",
        "| Plant | Most |\n| --- | --- |\n| Fern | 300[^1] |",
        "[^1]: Not in winter.",
    ]
