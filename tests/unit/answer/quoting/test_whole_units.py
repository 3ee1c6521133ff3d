"""What a piece of a document is quoted with, so that it can be understood."""

from dataclasses import replace

import pytest

from libs.contracts.spans import Span
from services.answer.quoting.units import Unit, read_units
from services.answer.quoting.whole_units import MOST, WholeUnits
from tests.unit.answer.quoting.asking import reference_to

TAIL = "It also does a lot of other things that take many more words to tell than there is room for here."
ENGINE = "The parts of the engine are:\n\n" + "\n".join(
    f"- {name} comes first here. {TAIL}" for name in ("Alpha", "Beta", "Gamma", "Delta", "Epsilon")
)
NESTED = (
    "- Tools are needed for the work on the mill and they must be brought along by everybody who comes:\n"
    "  - a saw\n  - an axe\n- Food is there."
)


def shown_with(text: str, beginning: str, whole: bool = True) -> list[str]:
    """The texts that are quoted with the unit of this beginning, itself included."""
    units = read_units(reference_to(text))
    unit = next(unit for unit in units if unit.text.startswith(beginning))
    passage = WholeUnits(units)
    company: tuple[Unit, ...] = passage.whole(unit) if whole else passage.least(unit)
    return [other.text for other in company]


@pytest.mark.parametrize("beginning", ["To renew", "- a photo", "- the old card"])
def test_a_short_list_is_quoted_whole_with_the_line_that_introduces_it(beginning: str) -> None:
    text = "Hello.\n\nTo renew the permit you need:\n\n- a photo\n- the old card\n\nThe office is closed on Mondays."
    assert shown_with(text, beginning) == ["To renew the permit you need:", "- a photo", "- the old card"]


def test_a_small_table_is_quoted_whole() -> None:
    rows = ["| North | 4 |", "| South | 6 |"]
    assert shown_with("\n".join(("| Mill | Stones |", "|---|---|", *rows)), "| South") == rows


def test_an_item_of_a_long_list_comes_with_the_line_that_introduces_it() -> None:
    assert shown_with(ENGINE, "- Beta") == ["The parts of the engine are:", "- Beta comes first here."]


def test_a_sentence_from_within_an_item_comes_with_the_beginning_of_the_item() -> None:
    assert shown_with(ENGINE, "It also") == ["The parts of the engine are:", "- Alpha comes first here.", TAIL]


def test_a_nested_item_comes_with_the_item_above_it_and_an_item_with_those_that_it_announces() -> None:
    above = NESTED.partition("\n")[0]
    assert shown_with(NESTED, "  - an axe", whole=False) == [above, "  - an axe"]
    assert shown_with(NESTED, "- Tools", whole=False) == [above, "  - a saw", "  - an axe"]


@pytest.mark.parametrize("beginning", ["Warning", "The blade"])
@pytest.mark.parametrize("label", ["Warning", "*Warning*", "Warning:"])
def test_a_label_and_what_it_labels_are_quoted_together(label: str, beginning: str) -> None:
    text = f"The mill is old.\n\n{label}\n\nThe blade is sharp. Wear gloves."
    assert shown_with(text, beginning.replace("Warning", label)) == [label, "The blade is sharp."]


@pytest.mark.parametrize(
    "text",
    [
        "The mill is old.\n\nTomasz",
        "The mill is old.\n\nBring along:",
        "The mill is old.\n\nAll tools are shown below.",
    ],
)
def test_a_label_of_nothing_is_not_quoted(text: str) -> None:
    assert not shown_with(text, text.rpartition("\n")[2])


@pytest.mark.parametrize("text", ["Monday to Friday", "The office is open:\n\nMonday to Friday"])
def test_a_short_line_that_stands_alone_or_is_announced_is_no_label(text: str) -> None:
    assert shown_with(text, "Monday")[-1] == "Monday to Friday"


def test_code_is_quoted_with_the_sentence_before_it() -> None:
    text = "The mill is old. There is a command for a new one.\n\n```\nmake mill\n```"
    assert shown_with(text, "```", whole=False) == ["There is a command for a new one.", "```\nmake mill\n```"]


@pytest.mark.parametrize(
    "beginning", ["It also", "This is why it", "In this state it", "However, the owner", "Otherwise it"]
)
def test_what_leans_on_a_sentence_is_quoted_with_it(beginning: str) -> None:
    first, second = "The mill is old.", f"{beginning} grinds barley."
    assert shown_with(f"{first} {second}", second, whole=False) == [first, second]
    assert shown_with(f"{first}\n\n{second}", second) == [first, second]


def test_what_leans_on_a_list_is_quoted_with_the_list_and_its_introduction() -> None:
    text = "The mill grinds:\n\n- rye\n- barley\n\nHowever, it is old."
    assert shown_with(text, "However") == ["The mill grinds:", "- rye", "- barley", "However, it is old."]


def test_what_hardly_leans_is_quoted_with_the_sentence_before_it_only_where_there_is_room() -> None:
    text = "The mill is old. In autumn all come and grind rye."
    assert shown_with(text, "In autumn") == text.replace(". ", ".|").split("|")
    assert shown_with(text, "In autumn", whole=False) == ["In autumn all come and grind rye."]


def test_a_question_is_quoted_with_its_answer() -> None:
    assert shown_with("The mill is old. Who owns the mill? Tomasz Kowalski owns the mill.", "Who")[-2:] == [
        "Who owns the mill?",
        "Tomasz Kowalski owns the mill.",
    ]


def test_the_second_half_of_a_sentence_is_not_quoted_without_the_first() -> None:
    assert not shown_with("Right so.\n\nThe mill grinds barley every day.", "Right")


@pytest.mark.parametrize(("start", "texts"), [(0, ["the wheel turns all day."]), (900, [])])
def test_a_passage_that_begins_within_a_sentence_is_quoted_without_the_rest_of_it(start: int, texts: list[str]) -> None:
    reference = reference_to("the wheel turns all day.\n\nThe mill grinds barley.")
    passage = replace(reference.evidence.passage, span=Span(start, start + 50))
    units = read_units(replace(reference, evidence=replace(reference.evidence, passage=passage)))
    assert [unit.text for unit in WholeUnits(units).least(units[0])] == texts


def test_a_sentence_that_goes_on_in_the_next_block_is_quoted_with_its_beginning() -> None:
    text = "The mill that was built by the\n\nriver grinds barley. Rye is ground elsewhere."
    assert shown_with(text, "river") == ["The mill that was built by the", "river grinds barley."]


def test_a_wrapped_line_ends_no_sentence() -> None:
    text = "The mill grinds. The \nMiller of the old town sleeps in it all day long."
    assert [unit.text for unit in read_units(reference_to(text))][1].startswith("The Miller of the old town")


def test_a_scrap_at_the_end_of_a_paragraph_is_no_label() -> None:
    text = "The mill is old and red. #8799\n\n- The wheel is new.\n- The sails are new."
    assert shown_with(text, "- The wheel")[:2] == ["The mill is old and red.", "#8799"]


@pytest.mark.parametrize("text", ["This is why it failed again. ", "This is it:\n\n"])
def test_of_a_long_run_of_units_that_lean_on_each_other_few_are_shown_together(text: str) -> None:
    units = read_units(reference_to(text * 2000))
    assert len(WholeUnits(units).least(units[1000])) <= MOST + 1
