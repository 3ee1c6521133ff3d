"""Word files: what a paragraph is by its style, whatever a template calls it."""

import io
from collections.abc import Callable
from typing import Any

import pytest

from ingest.documents import ParsedDocument
from tests.unit.ingest.structures import blocks, headings, parts, read_one


def written(write: Callable[[Any], None], title: str = "") -> ParsedDocument:
    """What is read of a file that a test writes."""
    import docx

    document = docx.Document()
    document.core_properties.title = title
    write(document)
    out = io.BytesIO()
    document.save(out)
    return read_one("report.docx", out.getvalue())


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
        paragraph = document.add_paragraph("Then call ")
        paragraph.add_run("wait()").font.name = "Consolas"
        paragraph.add_run(" twice.")

    assert blocks(written(write)) == [("CODE", "```\nstop()\n```"), ("PARAGRAPH", "Then call `wait()` twice.")]


def test_quotations_captions_leads_and_contents_are_told() -> None:
    document = styled(
        ("Water\t3", "toc 1"), ("So be it.", "Quote"), ("Figure 1: A valve", "Caption"), ("Note", "RunInHead")
    )
    assert blocks(document) == [
        ("FURNITURE", "Water\t3"),
        ("QUOTATION", "So be it."),
        ("CAPTION", "Figure 1: A valve"),
        ("PARAGRAPH", "**Note**"),
    ]


def test_a_table_has_its_first_row_for_a_header() -> None:
    def write(document: Any) -> None:
        table = document.add_table(rows=3, cols=2)
        for row, cells in enumerate((("Plant", "Most"), ("Fern", "300"), ("Cactus | small", "20"))):
            for column, text in enumerate(cells):
                table.cell(row, column).text = text

    document = written(write)
    assert blocks(document) == [("TABLE", "| Plant | Most |\n| --- | --- |\n| Fern | 300 |\n| Cactus \\| small | 20 |")]
    assert parts(document) == [("| Fern | 300 |", 0), ("| Cactus \\| small | 20 |", 0)]


def test_a_cell_that_spans_columns_is_told_once() -> None:
    def write(document: Any) -> None:
        table = document.add_table(rows=2, cols=2)
        table.cell(0, 0).text, table.cell(0, 1).text = "Plant", "Most"
        table.cell(1, 0).merge(table.cell(1, 1)).text = "none"

    assert parts(written(write)) == [("| none |  |", 0)]
