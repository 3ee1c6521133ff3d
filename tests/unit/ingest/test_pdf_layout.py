"""PDF: columns of text in reading order, tables with and without ruled lines, and words that line ends divide."""

from collections.abc import Sequence

import pytest

from ingest.documents import ParsedDocument
from ingest.formats.pdf.lines import pieces_of
from ingest.formats.pdf.pages import Box, Glyph, Style
from tests.fakes.pdf_pages import Set, draw_pdf, set_pdf
from tests.unit.ingest.structures import blocks, read_one

LEFT = [
    "The valve opens at noon",
    "and stays open for an",
    "hour, because plants",
    "drink slowly in summer",
    "and fast in spring.",
]
RIGHT = [
    "In winter it is closed,",
    "for water freezes in the",
    "pipe. A gardener drains",
    "it in October, when the",
    "last leaves are gone.",
]


def draw(*operators: str) -> ParsedDocument:
    return read_one("valve.pdf", draw_pdf(["\n".join(operators)]))


def put(text: str, x: float, y: float, size: float = 10) -> str:
    return f"BT /plain {size} Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET"


def column(lines: Sequence[str], x: float, top: float) -> list[str]:
    return [put(line, x, top - 12 * number) for number, line in enumerate(lines)]


def in_turn(left: Sequence[str], right: Sequence[str]) -> list[str]:
    """What a program writes that goes from line to line."""
    return [operator for pair in zip(left, right, strict=True) for operator in pair]


@pytest.mark.parametrize(
    ("raised", "text"),
    [
        (put("2", 107, 703, 6), "It was written by Lee, in Rome."),
        (put("2", 107, 698, 6), "It was written by Lee2, in Rome."),
    ],
    ids=["of a footnote", "an index"],
)
def test_a_small_number_above_the_line_points_to_a_footnote(raised: str, text: str) -> None:
    line = [put("It was written by Lee", 20, 700), raised, put(", in Rome.", 112, 700)]
    assert draw(*line).text == text


def test_numbers_of_lines_are_no_column() -> None:
    numbers = [put(str(number), 30, 700 - 12 * number, 5) for number in range(5)]
    assert draw(*numbers, *column(LEFT, 50, 700)).text == " ".join(LEFT)


@pytest.mark.parametrize("top", [700, 695], ids=["level", "shifted"])
def test_columns_are_read_one_after_the_other_however_they_are_written(top: float) -> None:
    operators = in_turn(column(LEFT, 50, 700), column(RIGHT, 320, top))
    assert draw(*operators).text == f"{' '.join(LEFT)}\n\n{' '.join(RIGHT)}"


def test_a_line_across_the_columns_parts_what_is_above_from_what_is_below() -> None:
    above = in_turn(column(LEFT, 50, 700), column(RIGHT, 320, 700))
    across = put("This line is about both columns and goes from the left margin to the right one", 50, 600)
    below = in_turn(column(LEFT, 50, 560), column(RIGHT, 320, 560))
    text = draw(*above, across, *below).text
    order = [text.index(words) for words in ("The valve", "In winter", "This line")]
    assert order == sorted(order)
    assert text.rindex("The valve") > order[-1]


def test_notes_beside_the_text_come_after_it() -> None:
    notes = ["Lee 2020", "new", "Licence: MIT", "DOI 10.7"]
    lines = [f"{line} {other}" for line, other in zip(LEFT, RIGHT, strict=True)]
    text = draw(
        *(put(note, 50, 698 - 12 * number, 9) for number, note in enumerate(notes)), *column(lines, 200, 700)
    ).text
    assert text == f"{' '.join(lines)}\n\n{' '.join(notes)}"


def ruled(xs: Sequence[float], ys: Sequence[float]) -> list[str]:
    level = [f"{xs[0]} {y} m {xs[-1]} {y} l S" for y in ys]
    return level + [f"{x} {ys[0]} m {x} {ys[-1]} l S" for x in xs]


def test_ruled_lines_divide_a_table_into_cells_of_several_lines() -> None:
    document = draw(
        *ruled([50, 120, 190], [700, 660, 620]),
        *[put("Plant", 54, 690), put("Water a day", 124, 690), put("in litres", 124, 678)],
        *[put("Tall cac-", 54, 650), put("tus", 54, 638), put("0.5", 124, 650)],
    )
    assert document.text == "| Plant | Water a day in litres |\n| --- | --- |\n| Tall cactus | 0.5 |"
    assert blocks(document)[0][0] == "TABLE"


def test_a_word_too_long_for_its_cell_stays_in_it() -> None:
    document = draw(
        *ruled([50, 90, 190], [700, 680, 660]),
        *[put("Plant", 54, 687), put("Litres", 104, 687), put("Rhododendron", 54, 667), put("2", 130, 667)],
    )
    assert document.text == "| Plant | Litres |\n| --- | --- |\n| Rhododendron | 2 |"


def test_a_cell_that_spans_others_counts_for_each() -> None:
    document = draw(
        "50 700 m 260 700 l S 50 660 m 260 660 l S 120 680 m 260 680 l S 50 640 m 260 640 l S 50 620 m 260 620 l S",
        "50 700 m 50 620 l S 120 700 m 120 620 l S 190 680 m 190 620 l S 260 700 m 260 620 l S",
        *[put("Plant", 54, 675), put("Water", 160, 687), put("Least", 124, 667), put("Most", 194, 667)],
        *[put("Fern", 54, 647), put("1", 124, 647), put("2", 194, 647)],
        *[put("Moss", 54, 627), put("3", 124, 627), put("3", 194, 627)],
    )
    assert document.text.splitlines() == [
        "| Plant | Water | Water |",
        "| --- | --- | --- |",
        "| Plant | Least | Most |",
        "| Fern | 1 | 2 |",
        "| Moss | 3 | 3 |",
    ]


def test_a_ruled_table_goes_on_on_the_next_page_below_its_header_again() -> None:
    header = [*ruled([50, 120, 190], [700, 680, 660]), put("Plant", 54, 687), put("Litres", 124, 687)]
    pages = [[*header, put(name, 54, 667), put(litres, 124, 667)] for name, litres in (("Fern", "1"), ("Moss", "3"))]
    document = read_one("valve.pdf", draw_pdf(["\n".join(page) for page in pages]))
    assert document.text == "| Plant | Litres |\n| --- | --- |\n| Fern | 1 |\n| Moss | 3 |"


def test_text_beside_a_ruled_table_is_kept() -> None:
    table = [
        *ruled([50, 120, 190], [700, 680, 660]),
        put("Plant", 54, 687),
        put("Litres", 124, 687),
        put("Fern", 54, 667),
    ]
    assert "Not in winter" in draw(*table, put("2", 124, 667), put("Not in winter.", 300, 690)).text


def test_a_box_around_text_is_no_table() -> None:
    document = draw("50 640 200 60 re S", *column(LEFT[:3], 60, 680))
    assert blocks(document) == [("PARAGRAPH", " ".join(LEFT[:3]))]


def test_cells_below_each_other_are_a_table_though_some_are_empty_or_of_two_lines() -> None:
    rows = [
        ("Plant", "Place", "Litres"),
        ("Fern", "in the shade of", "2"),
        ("", "a wall", ""),
        ("Moss", "", "1"),
        ("Oak", "sun", "30"),
    ]
    operators = [
        put(cell, x, 700 - 12 * number)
        for number, row in enumerate(rows)
        for cell, x in zip(row, (50, 120, 260), strict=True)
        if cell
    ]
    assert draw(*operators).text.splitlines() == [
        "| Plant | Place | Litres |",
        "| --- | --- | --- |",
        "| Fern | in the shade of a wall | 2 |",
        "| Moss |  | 1 |",
        "| Oak | sun | 30 |",
    ]


def test_a_mark_far_from_its_item_begins_a_list_and_no_table() -> None:
    operators = [
        put(mark, 50, 700 - 12 * n) + put(item, 80, 700 - 12 * n)
        for n, (mark, item) in enumerate([("•", "a bucket"), ("•", "water"), ("•", "time")])
    ]
    assert blocks(draw(*operators)) == [("LIST", "- a bucket\n- water\n- time")]


def test_letters_from_right_to_left_are_one_word_in_the_order_of_the_file() -> None:
    places = (118, 112, 106, 100)
    letters = [Glyph(letter, Box(x, 0, x + 6, 8), 0, Style(10)) for letter, x in zip("אבגד", places, strict=True)]
    assert [piece.text for piece in pieces_of(letters, 1)] == ["אבגד"]


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["This is a well-", "known valve."], "This is a well-known valve."),
        (["It gives infor-", "mation to all."], "It gives information to all."),
        (["A gard-", "ener waits."], "A gardener waits."),
        (["Our data-", "base is a data-base."], "Our data-base is a data-base."),
        (["A blorf-", "zing, that is a blorfzing."], "A blorfzing, that is a blorfzing."),
    ],
)
def test_a_hyphen_at_a_line_end_belongs_to_its_word_if_the_word_is_written_so(lines: list[str], text: str) -> None:
    assert read_one("valve.pdf", set_pdf([[Set(line) for line in lines]])).text == text
