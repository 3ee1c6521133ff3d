"""From chosen pieces to the text of an answer."""

from dataclasses import replace

import pytest

from libs.contracts.evidence import Passage, Reference
from libs.documents.reading import structure_of
from services.answer.citing.drafts import BLOCK, LINE, SPACE, Paragraph
from services.answer.citing.locations import below, location_of, with_headings_in_title
from services.answer.quoting.composing import compose
from services.answer.quoting.unit_selection import choose_units, score_units
from tests.unit.answer.quoting.asking import query, reference_to, units_of


def answer(question: str, *references: Reference, words: int = 100, more: str = "") -> tuple[Paragraph, ...]:
    units = units_of(*references)
    return compose(choose_units(score_units(query(question), units), words), units, more=more)


def text_below_heading(paragraph: Paragraph) -> str:
    """A paragraph without its heading."""
    first, *others = paragraph[1:]
    return first.text + "".join(sentence.gap + sentence.text for sentence in others)


def test_each_section_is_a_paragraph_under_its_title_and_headings() -> None:
    leave = reference_to("Sick leave takes five days.", "handbook", title="Handbook", headings=("Leave", "Sick leave"))
    other = reference_to("Other leave takes ten days.", "guide", rank=2, title="Guide", fused_score=0.8)
    first, second = answer("How many days does sick leave take?", leave, other)
    assert [paragraph[0].text for paragraph in (first, second)] == ["**Handbook › Leave › Sick leave**", "**Guide**"]
    assert first[0].headed_passage == leave.evidence.passage
    assert first[1].quotation is not None
    assert first[1].quotation.quote == "Sick leave takes five days."


def test_pieces_of_a_section_stand_in_the_order_of_the_document() -> None:
    (paragraph,) = answer("Does the mill grind barley?", reference_to("The mill is old. The mill grinds barley."))
    assert text_below_heading(paragraph) == "The mill is old. The mill grinds barley."


def test_items_stand_on_lines_of_their_own_below_the_line_that_introduces_them() -> None:
    text = "For the permit bring:\n\n- a photo\n- the old card"
    (paragraph,) = answer("photo", reference_to(text), words=12)
    assert text_below_heading(paragraph) == "For the permit bring:\n\n- a photo\n- the old card"


def test_rows_stand_below_the_header_of_their_table() -> None:
    text = "| planet | moons |\n|--------|-------|\n| Mars | 2 |\n| Venus | 0 |"
    (paragraph,) = answer("How many moons does Mars have?", reference_to(text), words=6)
    assert text_below_heading(paragraph) == "| planet | moons |\n|--------|-------|\n| Mars | 2 |"


def test_rows_of_two_parts_of_a_table_stand_below_one_header() -> None:
    head = "Moons of planets:\n\n| planet | moons |\n|--------|-------|\n"
    names = enumerate(("Mars", "Venus"), start=1)
    parts = [reference_to(f"{head}| {name} | 2 moons |", rank=n, fused_score=0.9) for n, name in names]
    (paragraph,) = answer("moons", *parts)
    assert text_below_heading(paragraph) == f"{head}| Mars | 2 moons |\n| Venus | 2 moons |"


def test_code_stands_apart() -> None:
    text = "Build the handbook with this command:\n\n```\nmake handbook\n```"
    (paragraph,) = answer("How do I build the handbook?", reference_to(text))
    assert [sentence.gap for sentence in paragraph[2:]] == [BLOCK]


def test_a_list_that_is_too_long_says_how_many_items_are_not_shown() -> None:
    items = "\n".join(
        f"- {name} takes a photo {'and another one ' * 6}home" for name in ("Ann", "Bob", "Cid", "Dan", "Eve")
    )
    (paragraph,) = answer("Bob", reference_to(f"For the permit:\n\n{items}"), words=12, more="… and {count} more")
    first, shown = paragraph[1:]
    assert (first.text, shown.text.startswith("- Bob takes a photo")) == ("For the permit:", True)
    assert shown.note == f"{BLOCK}… and 4 more"


def test_a_list_with_items_in_other_passages_says_only_that_it_goes_on() -> None:
    reference = reference_to("- Ann takes a photo.\n- Bob takes a walk.")
    (block,) = structure_of(reference.evidence.passage.text).blocks
    passage = replace(reference.evidence.passage, blocks=(replace(block, partial=True),))
    reference = replace(reference, evidence=replace(reference.evidence, passage=passage))
    (paragraph,) = answer("Bob", reference, more="… and {count} more")
    assert [sentence.note for sentence in paragraph[1:]] == ["", f"{BLOCK}…"]


def test_a_table_that_is_not_shown_whole_says_how_many_rows_are_missing() -> None:
    rows = "".join(
        f"| {name} | room {number} of the house |\n" for number, name in enumerate(("Ann", "Bob", "Cem", "Dan"))
    )
    table = f"| Name | Room |\n|---|---|\n{rows}"
    (paragraph,) = answer("Bob", reference_to(table), words=8, more="… and {count} more")
    shown = paragraph[-1]
    assert "Bob" in shown.text
    assert shown.note == f"{BLOCK}… and 3 more"


def test_rows_from_several_passages_are_one_table_with_one_note() -> None:
    head, moons = "| planet | moons |\n|--------|-------|\n", (("Mars", "Venus"), ("Eris", "Ceres"))
    parts = [reference_to(f"{head}| {one} | 1 |\n| {other} | 0 |", rank=n) for n, (one, other) in enumerate(moons, 1)]
    units = units_of(*parts)
    (paragraph,) = compose([rows[0] for rows in units], units, more="… and {count} more")
    assert [sentence.note for sentence in paragraph[2:]] == ["", f"{BLOCK}… and 2 more"]
    assert text_below_heading(paragraph) == f"{head}| Mars | 1 |\n| Eris | 1 |"


def test_rows_below_a_sentence_have_the_header_of_their_table_again() -> None:
    head = "| planet | moons |\n|--------|-------|\n"
    text = f"{head}| Mars | 2 moons |\n\nTwo moons of Saturn are large.\n\n{head}| Pluto | 5 moons |"
    (paragraph,) = answer("moons", reference_to(text))
    assert text_below_heading(paragraph) == text


def test_of_what_is_announced_and_not_shown_whole_is_said_that_it_goes_on() -> None:
    units = units_of(reference_to("The mill grinds in these ways:\n\nBarley by day.\n\nRye by night."))
    lead, first, second = units[0]
    for selection, note in (([lead, first], f"{BLOCK}…"), ([lead, first, second], "")):
        (paragraph,) = compose(selection, units, more="… and {count} more")
        assert [sentence.note for sentence in paragraph[1:3]] == ["", note]


@pytest.mark.parametrize("connective", ["However, ", "But ", "In addition, "])
def test_a_sentence_is_not_tied_to_one_that_is_not_shown(connective: str) -> None:
    units = units_of(reference_to(f"The mill is old. The owner is ill. {connective}the mill grinds rye."))
    first, before, tied = units[0]
    for other in ([], [first]):
        (paragraph,) = compose([*other, tied], units)
        assert paragraph[-1].text == "The mill grinds rye."
    (paragraph,) = compose([before, tied], units)
    assert paragraph[-1].text == f"{connective}the mill grinds rye."


def test_a_whole_list_has_no_such_note() -> None:
    (paragraph,) = answer("photo", reference_to("- a photo\n- the old card"), more="… and {count} more")
    assert not any(sentence.note for sentence in paragraph)


def test_the_answer_is_in_bold_and_says_that_it_is_marked() -> None:
    units = units_of(reference_to("The mill is **old**. The mill grinds barley."))
    (paragraph,) = compose(units[0], units, answer=units[0][1])
    assert text_below_heading(paragraph) == "The mill is old. **The mill grinds barley.**"
    assert [sentence.answers for sentence in paragraph] == [False, False, True]


def test_what_introduces_two_parts_of_a_list_is_told_once() -> None:
    lead = "For the permit bring:"
    parts = [reference_to(f"{lead}\n\n- a photo {n} of the ferry", rank=n, headings=("Permit",)) for n in (1, 2)]
    (paragraph,) = answer("photo of the ferry", *parts)
    assert text_below_heading(paragraph).count(lead) == 1


def test_gaps_are_spaces_within_prose_and_lines_within_lists() -> None:
    prose, items = "There is one mill. There are two mills.", "- one mill\n- two mills"
    assert answer("mill", reference_to(prose))[0][2].gap == SPACE
    assert answer("mill", reference_to(items))[0][2].gap == LINE


def test_sentences_of_a_script_without_spaces_are_joined_without_one() -> None:
    (paragraph,) = answer("磨坊", reference_to("磨坊很旧。磨坊磨大麦。"))
    assert text_below_heading(paragraph) == "磨坊很旧。磨坊磨大麦。"


def test_behind_the_mark_is_a_space_in_every_script() -> None:
    units = units_of(reference_to("磨坊很旧。磨坊磨大麦。"))
    (paragraph,) = compose(units[0], units, answer=units[0][0])
    assert text_below_heading(paragraph) == "**磨坊很旧。** 磨坊磨大麦。"


PASSAGE = Passage("p", "d", "text", title="Notes", headings=("Releases", "Version 1.6 (2024)", "Files"), language="en")


def test_of_a_long_path_the_ends_are_shown() -> None:
    assert location_of(PASSAGE) == "Notes › … › Files"


@pytest.mark.parametrize(
    ("location", "above", "shown"),
    [
        ("Notes › Leave › Sick", "Notes › Leave › Paid", "Sick"),
        ("Notes › Leave", "Notes", "Leave"),
        ("Notes", "Notes › Leave", "Notes"),
        ("Guide › Leave", "Notes › Leave", "Guide › Leave"),
        ("Notes › … › Sick", "Notes › … › Paid", "… › Sick"),
    ],
)
def test_a_location_below_another_one_names_what_differs(location: str, above: str, shown: str) -> None:
    assert below(location, above) == shown


def test_a_passage_without_title_stands_in_its_document() -> None:
    assert location_of(Passage("p", "notes.txt", "text")) == "notes.txt"


def test_whoever_compares_words_sees_the_headings_in_the_title() -> None:
    assert with_headings_in_title(PASSAGE).title == "Notes › Releases › Version 1.6 (2024) › Files"
    assert with_headings_in_title(Passage("p", "d", "text", title="Notes")).title == "Notes"


def test_sentences_of_one_speech_have_its_quotation_marks_once() -> None:
    text = 'He said, "The mill is old. The mill grinds rye. The mill is closed."'
    (paragraph,) = answer("mill grinds rye", reference_to(text))
    assert text_below_heading(paragraph).count('"') == 2


def test_the_head_of_a_table_without_outer_bars_has_them() -> None:
    (paragraph,) = answer("moons of Mars", reference_to("planet | moons\n--- | ---\nMars | 2 moons\nVenus | none"))
    assert "| planet | moons |\n| --- | --- |" in text_below_heading(paragraph)
