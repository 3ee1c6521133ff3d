"""What to ask next."""

import pytest

from bench.quoted_answers import read_questions
from bench.sample_search import sample_index
from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker
from libs.contracts.stages.answer import RecommendRequest
from libs.text.tokens import content_stems
from services.answer.question_forms import questions_of
from services.answer.recommend import recommend


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("Hope was launched on 19 July 2020 from Tanegashima.", "When was Hope launched?"),
        ("On 1 July 2004 Cassini crossed a gap between the rings.", "When did Cassini cross a gap between the rings?"),
        ("Mariner 9 returned 7,329 pictures.", "How many pictures did Mariner 9 return?"),
        ("Hope has a mass of about 1,350 kilograms.", "What is the mass of Hope?"),
        ("Spirit landed in the crater Gusev.", "Where did Spirit land?"),
        ("In 2005 Cassini discovered fountains of ice.", "What did Cassini discover?"),
    ],
)
def test_a_statement_gives_the_question_that_it_answers(sentence: str, question: str) -> None:
    assert question in [candidate.text for candidate in questions_of(sentence, "", language="en")]


@pytest.mark.parametrize(
    "sentence", ["The probe was launched in 1970.", "Three craters lie there.", "It fell in 1970."]
)
def test_a_statement_without_a_named_subject_gives_none(sentence: str) -> None:
    assert list(questions_of(sentence, "", language="en")) == []


def proposals(question: str, *earlier_questions: str, answer: str = "") -> tuple[str, ...]:
    evidence = tuple(reference.evidence for reference in sample_index().search(question, 20))
    view = ConversationView(tuple(HistoryMessage(Speaker.USER, text) for text in earlier_questions))
    return recommend(RecommendRequest(question, evidence, view, answer), 6)


def test_follow_ups_are_about_what_the_evidence_tells_besides() -> None:
    follow_ups = proposals("What did Mariner 9 discover?")
    assert "How many pictures did Mariner 9 return?" in follow_ups
    assert len(follow_ups) <= 6


def test_nothing_that_was_asked_is_proposed() -> None:
    follow_ups = proposals("What did Mariner 9 discover?", "How many pictures did Mariner 9 send back?")
    assert not any({"mani", "pictur", "9"} <= set(content_stems(question, language="en")) for question in follow_ups)


def test_nothing_that_was_told_is_proposed() -> None:
    fact = "Mariner 9 returned 7,329 pictures and mapped about 85 per cent of Mars, with details down to one kilometre"
    assert "How many pictures did Mariner 9 return?" not in proposals(
        "What did Mariner 9 discover?", answer=f"{fact} and better."
    )


def test_every_proposal_is_a_question_of_its_own() -> None:
    answerable, _ = read_questions()
    for question in (labelled_question.question for labelled_question in answerable[::5]):
        follow_ups = proposals(question)
        assert all(text.endswith("?") and text[0].isupper() for text in follow_ups)
        assert len(set(follow_ups)) == len(follow_ups)
        assert question not in follow_ups


def test_no_more_than_wanted() -> None:
    evidence = tuple(reference.evidence for reference in sample_index().search("Mars", 20))
    assert len(recommend(RecommendRequest("Mars", evidence), 2)) == 2
    assert recommend(RecommendRequest("Mars", evidence), 0) == ()
