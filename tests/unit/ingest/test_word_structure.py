"""Word files: what a paragraph is by its style, whatever a template calls it."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ingest.documents import ParsedDocument
from tests.fakes.office_files import saved
from tests.unit.ingest.structures import blocks, headings, parts, read_one


def written(write: Callable[[Any], None], title: str = "") -> ParsedDocument:
    """What is read of a file that a test writes."""
    import docx

    document = docx.Document()
    document.core_properties.title = title
    write(document)
    return read_one("report.docx", saved(document.save))


def fill(table: Any, rows: Sequence[Sequence[str]]) -> None:
    """Write the texts of cells."""
    for row, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text


def styled(*paragraphs: tuple[str, str]) -> ParsedDocument:
    """What is read of paragraphs, each with its style; one that the library's template lacks is made."""
    from docx.enum.style import WD_STYLE_TYPE

    def write(document: Any) -> None:
        for text, style in paragraphs:
            if style not in document.styles:
                document.styles.add_style(style, WD_STYLE_TYPE.PARAGRAPH)
            document.add_paragraph(text, style=style)

    return written(write)


def test_headings_make_sections() -> None:
    document = styled(("Watering", "Heading 1"), ("Water.", "Normal"), ("Amounts", "Heading 2"), ("Much.", "Normal"))
    assert document.text == "# Watering\n\nWater.\n\n## Amounts\n\nMuch."
    assert headings(document) == [("Watering",), ("Watering", "Amounts")]


@pytest.mark.parametrize(
    ("style", "level"),
    [("HeadA", 2), ("HeadB", 3), ("Überschrift 2", 2), ("Titre 1", 1), ("标题 3", 3), ("Chapter Title", 1)],
)
def test_a_heading_is_told_by_the_name_of_its_style_in_any_template(style: str, level: int) -> None:
    assert styled(("Water", style)).text == f"{'#' * level} Water"


def test_a_heading_is_told_by_what_its_style_is_based_on() -> None:
    from docx.enum.style import WD_STYLE_TYPE

    def write(document: Any) -> None:
        own = document.styles.add_style("House 7", WD_STYLE_TYPE.PARAGRAPH)
        own.base_style = document.styles["Heading 3"]
        document.add_paragraph("Water", style="House 7")

    assert written(write).text == "### Water"


def test_a_long_paragraph_in_a_headings_style_is_running_text() -> None:
    assert blocks(styled(("Water " * 50, "Heading 1"))) == [("PARAGRAPH", ("Water " * 50).strip())]


def test_a_file_is_called_by_its_title_else_by_its_only_highest_heading_else_by_its_name() -> None:
    paragraphs = (("The Valve", "Title"), ("One", "Heading 1"), ("Two", "Heading 1"))
    assert styled(*paragraphs).title == "The Valve"
    assert styled(("One", "Heading 1"), ("Two", "Heading 2")).title == "One"
    assert styled(*paragraphs[1:]).title == "report"
    assert written(lambda document: document.add_paragraph("Water."), "Stated").title == "Stated"


def test_items_that_follow_each_other_are_one_list() -> None:
    document = styled(
        ("fruit", "List Bullet"), ("pear", "List Bullet 2"), ("bread", "List Bullet"), ("And more.", "Normal")
    )
    assert blocks(document) == [("LIST", "- fruit\n  - pear\n- bread"), ("PARAGRAPH", "And more.")]
    assert parts(document) == [("- fruit", 0), ("  - pear", 1), ("- bread", 0)]


def test_numbered_items_have_their_numbers() -> None:
    assert blocks(styled(("Open it.", "List Number"), ("Wait.", "List Number"))) == [("LIST", "1. Open it.\n2. Wait.")]


@pytest.mark.parametrize("style", ["CodeListing", "HTML Preformatted", "Source Code"])
def test_lines_of_code_that_follow_each_other_are_one_block(style: str) -> None:
    document = styled(("Do this:", "Normal"), ("if wet:", style), ("    stop()", style))
    assert blocks(document) == [("PARAGRAPH", "Do this:"), ("CODE", "```\nif wet:\n    stop()\n```")]


def test_code_is_told_by_a_font_whose_letters_are_of_one_width() -> None:
    def write(document: Any) -> None:
        document.add_paragraph().add_run("stop()").font.name = "Courier New"

    assert blocks(written(write)) == [("CODE", "```\nstop()\n```")]


def test_quotations_captions_and_contents_are_told() -> None:
    document = styled(("Water\t3", "toc 1"), ("So be it.", "Quote"), ("Figure 1: A valve", "Caption"))
    assert blocks(document) == [
        ("FURNITURE", "Water\t3"),
        ("QUOTATION", "So be it."),
        ("CAPTION", "Figure 1: A valve"),
    ]


def test_a_table_has_its_first_row_for_a_header() -> None:
    def write(document: Any) -> None:
        rows = (("Plant", "Most"), ("Fern", "300"), ("Cactus | small", "20"))
        fill(document.add_table(rows=3, cols=2), rows)

    document = written(write)
    assert blocks(document) == [("TABLE", "| Plant | Most |\n| --- | --- |\n| Fern | 300 |\n| Cactus \\| small | 20 |")]
    assert parts(document) == [("| Fern | 300 |", 0), ("| Cactus \\| small | 20 |", 0)]


def test_a_cell_that_spans_columns_is_told_once() -> None:
    def write(document: Any) -> None:
        table = document.add_table(rows=2, cols=2)
        table.cell(0, 0).text, table.cell(0, 1).text = "Plant", "Most"
        table.cell(1, 0).merge(table.cell(1, 1)).text = "none"

    assert parts(written(write)) == [("| none |  |", 0)]


def test_a_cell_that_is_merged_downwards_stands_in_each_row() -> None:
    def write(document: Any) -> None:
        table = document.add_table(rows=3, cols=2)
        fill(table, (("Region", "Units"), ("EU", "12"), ("", "7")))
        table.cell(1, 0).merge(table.cell(2, 0))

    assert parts(written(write)) == [("| EU | 12 |", 0), ("| EU | 7 |", 0)]


def test_a_table_within_a_table_is_part_of_its_cell_unless_the_outer_one_only_frames_it() -> None:
    def write_in(rows: int) -> Callable[[Any], None]:
        def write(document: Any) -> None:
            outer = document.add_table(rows=rows, cols=2)
            outer.cell(0, 0).text, outer.cell(0, 1).text = "Part", "Limits"
            fill(outer.cell(rows - 1, 1).add_table(2, 2), (("Pump", "42 bar"), ("Valve", "7 bar")))

        return write

    assert [kind for kind, _ in blocks(written(write_in(2)))] == ["TABLE"]
    assert "Pump 42 bar; Valve 7 bar" in written(write_in(2)).text
    assert blocks(written(write_in(1)))[-1] == ("TABLE", "| Pump | 42 bar |\n| --- | --- |\n| Valve | 7 bar |")


def listed(*items: tuple[int, int], levels: str) -> ParsedDocument:
    """Paragraphs of one list, each by its number and depth."""
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    def write(document: Any) -> None:
        numbering = document.part.numbering_part.element
        first = numbering.find("{*}num")
        first.addprevious(parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="90">{levels}</w:abstractNum>'))
        numbering.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="90"><w:abstractNumId w:val="90"/></w:num>'))
        for number, depth in items:
            properties = document.add_paragraph(f"item {number}")._p.get_or_add_pPr()
            properties.append(
                parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{depth}"/><w:numId w:val="90"/></w:numPr>')
            )

    return written(write)


def level(depth: int, form: str, text: str) -> str:
    return f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl>'


def test_numbers_of_items_are_those_that_word_shows() -> None:
    levels = level(0, "decimal", "%1.") + level(1, "decimal", "%1.%2") + level(2, "lowerRoman", "(%3)")
    document = listed((1, 0), (2, 1), (3, 1), (4, 2), (5, 0), (6, 1), levels=levels)
    assert [line.strip() for line in document.text.split("\n")] == [
        *("1. item 1", "1.1 item 2", "1.2 item 3", "(i) item 4", "2. item 5", "2.1 item 6"),
    ]


@pytest.mark.parametrize(
    ("formula", "latex"),
    [
        ("<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>", "x^{2}"),
        ("<m:f><m:num><m:r><m:t>π</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>", r"\frac{\pi}{2}"),
        ("<m:rad><m:deg/><m:e><m:r><m:t>x</m:t></m:r></m:e></m:rad>", r"\sqrt{x}"),
        ("<m:d><m:e><m:r><m:t>a+b</m:t></m:r></m:e></m:d>", r"\left(a+b\right)"),
        ("<m:unknown><m:r><m:t>kept</m:t></m:r></m:unknown>", "kept"),
    ],
)
def test_formulas_are_latex(formula: str, latex: str) -> None:
    from docx.oxml import parse_xml

    names = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'

    def write(document: Any) -> None:
        document.add_paragraph("Area: ")._p.append(parse_xml(f"<m:oMath {names}>{formula}</m:oMath>"))

    assert written(write).text == f"Area: ${latex}$"
