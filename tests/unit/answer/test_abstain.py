"""Whether the evidence holds an answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.answer.abstention.forms import is_narrow, is_open
from services.answer.abstention.support import judge_support
from services.answer.question import read_question
from services.answer.scoring import score_sentences
from services.answer.sentences import read_sentences
from services.vocabulary.evidence import Reference
from tests.unit.answer.evidence_making import reference

TEXT = "Mariner 9 reached Mars on 14 November 1971. A dust storm hid the planet."


def score(question: str, *references: Reference) -> float:
    read = read_question(question)
    return judge_support(read, score_sentences(read, read_sentences(references)), references).abstain_score


def test_evidence_with_the_questions_words_supports_an_answer() -> None:
    assert score("When did Mariner 9 reach Mars?", reference(1, TEXT)) < 0.1


def test_a_name_that_is_nowhere_speaks_against_it() -> None:
    assert score("When did Mariner 12 reach Mars?", reference(1, TEXT)) > 0.5


def test_names_count_as_they_are_spelt_not_word_by_word() -> None:
    assert score("When did Mars One reach orbit?", reference(1, "Mars, one of the planets, has an orbit.")) > 0.5


def test_close_vectors_speak_for_an_answer_and_far_ones_against_it() -> None:
    question = "What did the storm on the red planet do?"
    near, middle, far = (score(question, reference(1, TEXT, cosine=c)) for c in (0.8, 0.6, 0.4))
    assert near < middle < far


def test_a_cosine_of_another_scale_counts_no_more_than_the_greatest_distance() -> None:
    question = "What did the storm on the red planet do?"
    assert score(question, reference(1, TEXT, cosine=-1.0)) == score(question, reference(1, TEXT, cosine=0.2))


def test_words_alone_decide_where_no_vectors_were_searched() -> None:
    assert score("When did Mariner 9 reach Mars?", reference(1, TEXT)) < 0.1
    assert score("What did the quartermaster bake?", reference(1, TEXT)) > 0.9


def test_a_count_is_not_told_by_a_sentence_that_counts_something_else() -> None:
    question = "How many moons does Jupiter have?"
    others = score(question, reference(1, "Two large spacecraft are on their way to the moons of Jupiter.", cosine=0.5))
    moons = score(question, reference(1, "Jupiter has 95 moons.", cosine=0.5))
    assert moons < 0.5 < others


def test_how_much_is_no_word_that_the_evidence_could_lack() -> None:
    fee = reference(1, "The yearly fee rises from 45 to 52 euros. The old shed is torn down.", cosine=0.35)
    assert score("How much is the yearly fee?", fee) < 0.5 < score("How much is the monthly rent?", fee)


def test_a_question_about_a_time_alone_is_answered_by_what_is_told_of_that_time() -> None:
    well = reference(1, "The second well was finished on 28 May 2026.", cosine=0.2)
    assert score("What happened in May 2026?", well) < 0.5 < score("What happened in May 2025?", well)


@pytest.mark.parametrize("since", ["March 2026", "1 March 2026", "2025"])
def test_what_happened_since_a_time_is_told_by_all_that_came_after_it(since: str) -> None:
    well = reference(1, "The second well was finished on 28 May 2026.", cosine=0.2)
    assert score(f"What happened since {since}?", well) < 0.5 < score("What happened since June 2026?", well)


def test_of_two_things_set_beside_each_other_one_sentence_need_not_name_both() -> None:
    question = "Did Lunokhod 1 or Lunokhod 2 have more mass?"
    first, second = (reference(n, f"Lunokhod {n} had a mass of {n * 400} kilograms.", cosine=0.5) for n in (1, 2))
    assert score(question, first, second) < score(question, first)


def test_a_sentence_that_plainly_tells_what_is_asked_answers_however_far_its_vector_is() -> None:
    text = "The last keeper of the lighthouse of Harrow Point, Ada Finch, left in 1964."
    evidence = reference(1, text, cosine=0.3, title="The lighthouse of Harrow Point")
    assert score("Who was Harrow Point's last keeper?", evidence) < 0.5
    assert score("Who was Harrow Point's last owner?", evidence) > 0.5


HANDBOOK = """Windows 11, macOS 14 and Ubuntu 24.04 are supported. Known problem: on Windows, long exports fail.
After five wrong attempts the account is locked for 30 minutes. Private cars: 0.30 euros a kilometre."""


@pytest.mark.parametrize(
    ("told", "untold"),
    [
        ("Is Ubuntu supported?", "Is Fedora supported?"),
        ("Is there a problem with exports on Windows?", "Is there a problem with imports on Android?"),
        ("What happens after five wrong attempts?", "What happens after a missed payment?"),
        ("How much do I get per kilometre?", "How much do I get per child?"),
    ],
)
def test_what_a_sentence_wholly_tells_is_answered_however_far_the_passage_is(told: str, untold: str) -> None:
    handbook = reference(1, HANDBOOK, cosine=0.3)
    assert score(told, handbook) < 0.5 < score(untold, handbook)


@pytest.mark.parametrize(
    ("narrow", "open_"),
    [
        ("Did a storm hide the planet?", "What is the storm that hid the planet?"),
        ("How many storms hid the planet?", "How do storms hide a planet?"),
        ("Which storm hid the planet?", "Tell me about the storm that hid the planet."),
    ],
)
def test_what_one_fact_decides_wants_more_than_what_can_be_told_in_many_ways(narrow: str, open_: str) -> None:
    evidence = reference(1, TEXT, cosine=0.6)
    assert score(narrow, evidence) > score(open_, evidence)


def test_politeness_before_a_question_does_not_change_its_form() -> None:
    forms = [read_question(text) for text in ("I see, thanks. Is it dusty?", "Is it dusty?")]
    assert [is_narrow(form) for form in forms] == [True, True]
    assert is_open(read_question("Okay, what is dust?"))


def test_a_date_of_what_the_evidence_does_not_know_is_not_in_it() -> None:
    known, unknown = (
        score(f"When was {name} launched?", reference(1, TEXT, cosine=0.6)) for name in ("Mariner 9", "Hubble")
    )
    assert known < 0.5 < unknown


def test_a_passage_found_for_another_part_brings_its_cosine_only_with_the_words() -> None:
    def judged(question: str) -> float:
        both = reference(1, TEXT, nodes=("1", "2"), cosine=0.8)
        own = reference(2, "Rosetta carried Philae.", nodes=("1",), cosine=0.4)
        return score(question, both, own)

    alone = score("Who won the football world cup?", reference(1, TEXT, cosine=0.8))
    assert judged("Who won the football world cup?") > 0.5 > alone
    assert judged("When did Mariner 9 reach Mars?") < 0.1


def test_missing_words_are_told_as_the_question_spells_them() -> None:
    read = read_question("What is the best recipe for sourdough bread?")
    references = (reference(1, TEXT),)
    support = judge_support(read, score_sentences(read, read_sentences(references)), references)
    assert support.missing == ("best", "recipe", "sourdough", "bread")


@given(st.text(min_size=1), st.lists(st.text(), max_size=3), st.none() | st.floats(-1, 1))
def test_the_score_is_a_share_whatever_comes(question: str, texts: list[str], cosine: float | None) -> None:
    references = (reference(n, text, cosine=cosine) for n, text in enumerate(texts, start=1))
    assert 0 <= score(question, *references) <= 1
