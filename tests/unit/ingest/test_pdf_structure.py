"""PDF: headings, lists, tables and code by how pages are set; what comes again on every page is left out."""

from ingest.bounds import ReadingBounds
from ingest.documents import ParsedDocument
from tests.fakes.pdf_pages import Set, set_pdf
from tests.unit.ingest.structures import blocks, headings, pages, parts, read_one

LINE = "Plants need water, and a gardener who is away cannot carry"


def read_pages(*pages: list[Set]) -> ParsedDocument:
    return read_one("valve.pdf", set_pdf(pages))


def test_a_heading_is_set_larger_than_the_text() -> None:
    document = read_pages([Set("The Valve", 20), Set("Watering", 14, gap=9), Set(LINE, gap=9), Set("it far.")])
    assert headings(document) == [("The Valve",), ("The Valve", "Watering")]
    assert blocks(document) == [("PARAGRAPH", f"{LINE} it far.")]
    assert document.title == "The Valve"


def test_a_heading_may_be_bold_on_a_line_of_its_own() -> None:
    document = read_pages([Set("Watering", font="bold"), Set(LINE), Set("it far."), Set("Stop!", font="bold", gap=9)])
    assert headings(document) == [("Watering",)]
    assert [text for _, text in blocks(document)] == [f"{LINE} it far.", "Stop!"]


def test_a_heading_over_two_lines_is_one() -> None:
    document = read_pages([Set("The Valve and", 20), Set("its Water", 20), Set(LINE, gap=9)])
    assert headings(document) == [("The Valve and its Water",)]


def test_paragraphs_are_parted_by_a_wider_gap() -> None:
    document = read_pages([Set(LINE), Set("it far."), Set("The valve does.", gap=6), Set("It is new.")])
    assert [text for _, text in blocks(document)] == [f"{LINE} it far.", "The valve does. It is new."]


def test_a_word_that_a_line_end_divides_is_whole_again() -> None:
    document = read_pages([Set("The gard-"), Set("ener has a well-"), Set("known valve. It is well-known.")])
    assert document.text == "The gardener has a well-known valve. It is well-known."


def test_a_list_has_an_item_for_each_mark_and_deeper_ones_are_indented() -> None:
    document = read_pages(
        [
            Set("Bring this:"),
            Set("• a bucket, not", x=60, gap=4),
            Set("too small", x=68),
            Set("• with water", x=80),
            Set("• time", x=60),
        ]
    )
    assert blocks(document)[1] == ("LIST", "- a bucket, not too small\n  - with water\n- time")
    assert parts(document, 1) == [("- a bucket, not too small", 0), ("  - with water", 1), ("- time", 0)]


def test_numbered_items_keep_their_numbers() -> None:
    document = read_pages([Set(LINE), Set("it far."), Set("1. Open it.", gap=9), Set("2. Wait.")])
    assert blocks(document)[1] == ("LIST", "1. Open it.\n2. Wait.")


def test_a_number_at_the_beginning_of_a_line_begins_no_item() -> None:
    document = read_pages(
        [Set("It was founded long ago, in the year of"), Set("12. October of that year came the rain.")]
    )
    assert [kind for kind, _ in blocks(document)] == ["PARAGRAPH"]


def test_rows_of_as_many_columns_are_a_table_numbers_or_not() -> None:
    document = read_pages([Set(LINE), Set("Plant\tLeast\tMost", gap=9), Set("Cactus\t1\t20"), Set("Fern\t50\t300")])
    assert blocks(document)[1] == (
        "TABLE",
        "| Plant | Least | Most |\n| --- | --- | --- |\n| Cactus | 1 | 20 |\n| Fern | 50 | 300 |",
    )


def test_contents_are_furniture() -> None:
    lines = [Set("Contents", 14), Set("Watering\t2", gap=9), Set("Amounts\t3"), Set("The end\t9")]
    document = read_pages(lines, [Set("Watering", 14), Set(f"{LINE}.", gap=9)])
    assert [kind for kind, _ in blocks(document)] == ["FURNITURE", "PARAGRAPH"]


def test_lines_of_a_typewriter_are_code() -> None:
    document = read_pages([Set("Do this:"), Set("open(valve)", font="mono"), Set("wait(2)", font="mono")])
    assert blocks(document)[1] == ("CODE", "```\nopen(valve)\nwait(2)\n```")


def test_a_caption_is_told_by_its_first_word() -> None:
    document = read_pages([Set(LINE), Set("it far."), Set("Figure 1. A valve", gap=20)])
    assert blocks(document)[1] == ("CAPTION", "Figure 1. A valve")


def test_heads_feet_and_page_numbers_are_left_out() -> None:
    foot = [Set("Lee's handbook", 8, y=30), Set("Page {}", 8, y=18)]
    bodies = ["Plants need water.", "A valve brings it.", "The end."]
    document = read_pages(
        *(
            [Set(body), Set("It says no more than this."), *(Set(f.text.format(number), 8, y=f.y) for f in foot)]
            for number, body in enumerate(bodies, start=1)
        )
    )
    assert "handbook" not in document.text
    assert "Page" not in document.text
    assert document.metadata["pages"] == "3"


def test_a_paragraph_that_a_page_break_divides_is_one_on_the_page_where_it_begins() -> None:
    first = [Set("First it is dry, and it stays"), Set("dry for"), Set("long."), Set(LINE, gap=9)]
    document = read_pages(first, [Set("it far."), Set("Then it", gap=9), Set("rains.")])
    assert [text for _, text in blocks(document)] == [
        "First it is dry, and it stays dry for long.",
        f"{LINE} it far.",
        "Then it rains.",
    ]
    assert pages(document) == [1, 1, 2]


def test_characters_that_nobody_sees_shift_no_place() -> None:
    document = read_pages([Set("The \0valve", 14), Set("It has\0 water.", gap=9)])
    assert document.text == "# The valve\n\nIt has water."
    assert blocks(document) == [("PARAGRAPH", "It has water.")]


def test_the_file_goes_with_its_document_unless_it_is_too_large() -> None:
    data = set_pdf([[Set("The valve opens at noon.")]])
    bounds = [ReadingBounds(original_bytes=len(data) - missing) for missing in (0, 1)]
    assert [read_one("valve.pdf", data, bound).original for bound in bounds] == [data, b""]
