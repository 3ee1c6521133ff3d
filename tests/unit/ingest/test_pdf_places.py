"""PDF: where a cited text stands on its pages, line by line."""

import io

from ingest.formats.pdf.pages import Box
from ingest.formats.pdf.places import Place, find_places
from libs.contracts.spans import Span
from tests.fakes.pdf_pages import Set, draw_pdf, set_pdf
from tests.unit.ingest.structures import read_one, structure_of

FIRST = [
    Set("The valve opens at noon, and it is a"),
    Set("well-made valve of steel. It closes infor-"),
    Set("mally at one."),
]


def places_of(data: bytes, words: str, block: int = 0) -> list[Place]:
    """The places of words in a block."""
    document = read_one("valve.pdf", data)
    found = structure_of(document).blocks[block]
    text = found.span.of(document.text)
    start = text.index(words)
    return find_places(io.BytesIO(data), found.page, text, Span(start, start + len(words)))


def is_about(box: Box, left: float, base: float, right: float) -> bool:
    return abs(box.left - left) < 2 and abs(box.right - right) < 2 and box.bottom <= base + 1 and box.top > base + 6


def test_words_on_one_line_have_one_box() -> None:
    (place,) = places_of(set_pdf([FIRST]), "The valve opens")
    assert place.page == 1
    assert is_about(place.box, 50, 768, 123)


def test_words_over_line_ends_have_a_box_a_line_though_hyphens_were_joined() -> None:
    places = places_of(set_pdf([FIRST]), "closes informally at")
    assert len(places) == 2
    assert is_about(places[0].box, 171, 756, 221)
    assert is_about(places[1].box, 50, 744, 84)


def test_words_over_a_page_break_are_on_both_pages_despite_what_stands_between() -> None:
    foot = [Set("Lee's handbook, page {}", 8, y=30)]
    pages = [[Set("Long ago the valve was"), *foot], [Set("made of wood and of lead."), *foot]]
    data = set_pdf(
        [[Set(line.text.format(number), line.size, y=line.y) for line in page] for number, page in enumerate(pages, 1)]
    )
    assert [place.page for place in places_of(data, "valve was made of wood")] == [1, 2]


def test_words_in_a_cell_are_in_its_column() -> None:
    rows = [Set("Plant\tLeast\tMost"), Set("Cactus\t1\t20"), Set("Fern\t50\t300")]
    (place,) = places_of(set_pdf([rows]), "300")
    assert is_about(place.box, 350, 744, 367)


def test_a_page_set_sideways_has_its_boxes_where_they_are_drawn() -> None:
    data = draw_pdf(["BT /plain 12 Tf 0 1 -1 0 300 100 Tm (The valve opens at noon.) Tj ET"])
    (place,) = places_of(data, "valve")
    assert place.box.right - place.box.left < 13 < place.box.top - place.box.bottom
    assert 285 < place.box.left < 300 < place.box.right + 5


def test_words_that_the_page_has_not_have_no_place() -> None:
    assert find_places(io.BytesIO(set_pdf([FIRST])), 1, "Something else", Span(0, 9)) == []
