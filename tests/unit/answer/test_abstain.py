"""Whether the evidence holds an answer."""

from hypothesis import given
from hypothesis import strategies as st

from services.answer.abstain import judge_support
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
    near, unknown, far = (score(question, reference(1, TEXT, cosine=c)) for c in (0.8, None, 0.1))
    assert near < unknown < far


def test_missing_words_are_told_as_the_question_spells_them() -> None:
    read = read_question("What is the best recipe for sourdough bread?")
    references = (reference(1, TEXT),)
    support = judge_support(read, score_sentences(read, read_sentences(references)), references)
    assert support.missing == ("best", "recipe", "sourdough", "bread")


@given(st.text(min_size=1), st.lists(st.text(), max_size=3))
def test_the_score_is_a_share_whatever_comes(question: str, texts: list[str]) -> None:
    assert 0 <= score(question, *(reference(n, text) for n, text in enumerate(texts, start=1))) <= 1
