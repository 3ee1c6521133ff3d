"""Which sentences a paragraph quotes, and in which order."""

import pytest

from services.answer.question import objects_of, read_question, sides_of
from services.answer.requests import Length
from services.answer.scoring import score_sentences
from services.answer.selection import WORDS, choose_sentences
from services.answer.sentences import read_sentences
from services.vocabulary.evidence import Reference
from tests.unit.answer.evidence_making import reference

STORY = (
    "The bridge over the Elbe is a work of iron. Its builders had never seen a river of such width. "
    "The bridge carries four lanes and a railway. Every spring the bridge is painted by a crew of nine people."
)
RIVER = "The bridge over the Rhine is built of stone. Ships pass under the bridge by night."


def chosen(question: str, *references: Reference, length: Length = Length.MEDIUM) -> list[str]:
    asked = read_question(question)
    ranked = score_sentences(asked, read_sentences(references))
    return [scored.sentence.text for scored in choose_sentences(asked, ranked, length)]


def test_what_is_to_be_told_comes_from_the_best_ranked_source() -> None:
    found = chosen("Tell me how the bridge is kept and used.", reference(1, STORY), reference(2, RIVER))
    assert found
    assert all(sentence in STORY for sentence in found)


def test_at_length_other_sources_follow_the_best_one_each_in_one_piece() -> None:
    references = reference(1, STORY), reference(2, RIVER)
    found = chosen("Tell me how the bridge is kept and used.", *references, length=Length.LONG)
    sources = [sentence in STORY for sentence in found]
    assert sources == sorted(sources, reverse=True)
    assert set(sources) == {True, False}


def test_at_length_a_source_that_only_says_the_same_again_is_passed_over() -> None:
    again = reference(2, "Now the bridge carries four lanes and a railway.")
    found = chosen("Tell me how the bridge is used.", reference(1, STORY), again, length=Length.LONG)
    assert found
    assert all(sentence in STORY for sentence in found)


def test_the_best_sentence_comes_first_and_the_others_in_the_order_of_their_source() -> None:
    first, *rest = chosen("How is the bridge painted by its crew?", reference(1, STORY))
    assert first.startswith("Every spring")
    assert len(rest) == 2
    assert [STORY.find(sentence) for sentence in rest] == sorted(STORY.find(sentence) for sentence in rest)


def test_a_sentence_that_leans_on_the_one_before_it_stands_behind_it() -> None:
    told = "Ada Byron wrote notes on the engine. They describe how the engine computes numbers by cards."
    found = chosen("Explain how notes describe that an engine computes numbers by cards.", reference(1, told))
    assert found == ["Ada Byron wrote notes on the engine.", "They describe how the engine computes numbers by cards."]


def test_a_date_is_answered_by_the_sentence_that_tells_it_alone_wherever_it_stands() -> None:
    dated = reference(2, "The bridge over the Elbe was opened on 3 May 1893. It was a Wednesday.")
    found = chosen("When was the bridge over the Elbe opened?", reference(1, STORY), dated)
    assert found == ["The bridge over the Elbe was opened on 3 May 1893."]


def test_of_two_things_set_beside_each_other_both_are_told() -> None:
    one = reference(1, "Perseverance has a mass of 1,025 kilograms. Perseverance carries a drill.")
    other = reference(2, "Zhurong has a mass of 240 kilograms.")
    found = chosen("Which has a greater mass, Perseverance or Zhurong?", one, other)
    assert any("1,025" in sentence for sentence in found)
    assert any("240" in sentence for sentence in found)


@pytest.mark.parametrize("length", list(Length))
def test_a_paragraph_has_no_more_words_than_asked_for_but_for_its_first_sentence(length: Length) -> None:
    names = zip("bcdfghklmnprst" * 2, "tsrpnmlkhgfdcblmnprstbcdfghk", strict=True)
    story = " ".join(f"The bridge of {a}orland crosses the {b}elder by {a}umpic {b}astor {a}illow." for a, b in names)
    found = chosen("Tell me about the bridges and what they cross.", reference(1, story), length=length)
    assert (
        0.5 * WORDS[length] <= sum(len(sentence.split()) for sentence in found) <= WORDS[length] + len(found[0].split())
    )


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("Which is heavier, Curiosity or Opportunity?", ("Curiosity", "Opportunity")),
        ("Is Jupiter larger than Saturn?", ()),
        ("When did Curiosity land on Mars?", ()),
    ],
)
def test_what_is_set_beside_each_other_is_joined_by_a_word(question: str, sides: tuple[str, ...]) -> None:
    assert sides_of(read_question(question)) == sides


def test_an_object_is_named_right_after_its_verb() -> None:
    assert objects_of(read_question("When did Voyager 2 pass Neptune?")) == ("Neptune",)
    assert objects_of(read_question("When did Opportunity land on Mars?")) == ()


def test_a_passage_that_another_part_found_too_does_not_outrank_what_has_the_words() -> None:
    question = read_question("what did India launch in 2008")
    shared = reference(1, "Twelve engines had braked the fall of Phoenix.", nodes=("1", "3"))
    own = reference(2, "India launched Chandrayaan-1 on 22 October 2008.", nodes=("3",))
    ranked = score_sentences(question, read_sentences((shared, own)))
    assert [s.sentence.reference.number for s in choose_sentences(question, ranked, Length.MEDIUM)] == [2]
