"""What to ask next."""

import pytest

from bench.quoted_answers import read_questions
from bench.sample_search import sample_index
from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker
from libs.contracts.dates import PartialDate
from libs.contracts.evidence import EngineScores, Evidence, Passage
from libs.contracts.stages.answer import RecommendRequest
from libs.contracts.understanding import RelatedEvent
from services.answer.recommend import recommend


def sections(*headings: str, language: str = "en", text: str = "Here it is told.") -> tuple[Evidence, ...]:
    """A section of the document `Leave` each, best first."""
    passages = (Passage(name, "leave", text, title="Leave", headings=(name,), language=language) for name in headings)
    return tuple(Evidence(passage, EngineScores(), rank) for rank, passage in enumerate(passages, start=1))


def test_a_follow_up_asks_about_a_section() -> None:
    request = RecommendRequest("How long is it?", sections("3.2 Sick leave:", "Can leave be shared?", "Carry-over"))
    assert recommend(request, 6) == (
        "What does “Leave” say about “Sick leave”?",
        "Can leave be shared?",
        "What does “Leave” say about “Carry-over”?",
    )


def test_a_document_without_headings_is_asked_about_by_its_title() -> None:
    evidence = (Evidence(Passage("p", "d", "Here it is told.", title="Sick leave"), EngineScores(), 1),)
    assert recommend(RecommendRequest("How long is it?", evidence), 6) == ("What does “Sick leave” say?",)


def test_what_the_answer_quotes_in_part_comes_last_and_what_it_quotes_whole_not() -> None:
    first, second = sections("Sick leave", text="One thing. Another."), sections("Annual leave", text="A third.")
    request = RecommendRequest("How long is it?", (*first, *second), answer="One thing.")
    assert [text.rpartition("“")[2] for text in recommend(request, 6)] == ["Annual leave”?", "Sick leave”?"]
    request = RecommendRequest("How long is it?", (*first, *second), answer="One thing. Another.")
    assert recommend(request, 6) == ("What does “Leave” say about “Annual leave”?",)


def proposals(question: str, *earlier_questions: str, answer: str = "") -> tuple[str, ...]:
    evidence = tuple(reference.evidence for reference in sample_index().search(question, 20))
    view = ConversationView(tuple(HistoryMessage(Speaker.USER, text) for text in earlier_questions))
    return recommend(RecommendRequest(question, evidence, view, answer), 6)


def test_follow_ups_are_about_what_the_evidence_tells_besides() -> None:
    follow_ups = proposals("What did Mariner 9 discover?")
    assert "What does “Mariner 9 waits out a dust storm” say?" in follow_ups
    assert len(follow_ups) <= 6


def test_nothing_that_was_asked_is_proposed() -> None:
    earlier_question = "What does the text on how Mariner 9 waits out the dust storm say?"
    assert not any("dust storm" in text for text in proposals("What did Mariner 9 discover?", earlier_question))


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


def test_a_language_without_forms_gives_no_question() -> None:
    evidence = sections("Congé maladie", language="fr", text="La durée du congé est de dix jours.")
    assert recommend(RecommendRequest("Quelle est la durée du congé ?", evidence), 6) == ()


def test_follow_ups_on_german_documents_are_german() -> None:
    evidence = sections("Urlaub", language="de", text="Es gibt zehn Tage Urlaub.")
    assert recommend(RecommendRequest("Wie lange ist das?", evidence), 6) == ("Was steht in „Leave“ über „Urlaub“?",)


@pytest.mark.parametrize(
    ("date", "proposed"),
    [
        (PartialDate(1969, 7, 20), ["What else happened in July 1969?"]),
        (PartialDate(1066), ["What else happened in 1066?"]),
        (None, []),
        (PartialDate(1969, 13), ["What else happened in 1969?"]),
    ],
)
def test_what_happened_beside_a_dated_event_is_proposed(date: PartialDate | None, proposed: list[str]) -> None:
    request = RecommendRequest("Who watched the landing?", related_event=RelatedEvent("Apollo 11 landing", date))
    assert list(recommend(request, 3)) == proposed
