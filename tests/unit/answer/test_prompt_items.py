"""The evidence of a prompt: sections whose passages are joined in document order."""

from dataclasses import replace

from libs.contracts.evidence import Reference
from libs.contracts.spans import Span
from services.answer.writing.prompt_building import in_document_order, select_references
from tests.unit.answer.evidence_making import reference

DOCUMENT = "There are three options:\n\n- red\n- green\n- blue\n\nRed is the cheapest."


def piece(number: int, start: int, end: int, repeated: str = "", headings: tuple[str, ...] = ()) -> Reference:
    """A passage of the document; `repeated` is a head row that its text has again."""
    whole = reference(number, repeated + DOCUMENT[start:end])
    passage = replace(
        whole.evidence.passage, document_id="options", title="Options", span=Span(start, end), headings=headings
    )
    return replace(whole, evidence=replace(whole.evidence, passage=passage))


def test_a_list_stands_below_its_lead_though_it_was_ranked_above_it() -> None:
    (item,) = in_document_order([piece(1, 26, 47), piece(2, 0, 24)])
    assert item.text == DOCUMENT[:47].replace("\n\n-", "\n-")
    assert item.best.number == 1


def test_words_of_two_passages_and_a_repeated_head_row_are_told_once() -> None:
    (item,) = in_document_order([piece(1, 0, 37), piece(2, 32, 47, repeated="There are three options:\n\n")])
    assert item.text == DOCUMENT[:47]


def test_what_is_left_out_between_two_passages_is_marked() -> None:
    (item,) = in_document_order([piece(1, 48, len(DOCUMENT)), piece(2, 0, 24)])
    assert item.text == "There are three options:\n…\nRed is the cheapest."


def test_sections_of_a_document_follow_one_another_below_their_headings() -> None:
    other = reference(1, "Paint dries in an hour.")
    late, early = piece(2, 48, len(DOCUMENT), headings=("Prices",)), piece(3, 0, 24, headings=("Colours",))
    items = in_document_order([other, late, early])
    assert [item.best.number for item in items] == [1, 3, 2]
    assert items[2].text == "# Prices\n\nRed is the cheapest."


def test_the_best_passages_are_taken_up_to_the_limit_of_words_but_three_always() -> None:
    references = [reference(number, "word " * 100) for number in range(1, 9)]
    assert len(select_references(references, max_passages=6, max_words=520)) == 5
    assert len(select_references(references, max_passages=4, max_words=520)) == 4
    assert len(select_references(references, max_passages=6, max_words=100)) == 3
