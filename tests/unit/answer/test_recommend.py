"""What to ask next."""

import pytest

from bench.quoted_answers import read_questions
from bench.sample_search import sample_index
from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker
from libs.contracts.dates import PartialDate
from libs.contracts.evidence import EngineScores, Evidence, Passage, Relevance
from libs.contracts.stages.answer import RecommendRequest
from libs.contracts.understanding import RelatedEvent
from libs.text.tokens import content_stems
from services.answer.question_forms import questions_of
from services.answer.recommend import recommend


@pytest.mark.parametrize(
    ("language", "sentence", "question"),
    [
        ("en", "Hope was launched on 19 July 2020 from Tanegashima.", "When was Hope launched?"),
        ("en", "On 1 July 2004 Cassini crossed a gap in the rings.", "When did Cassini cross a gap in the rings?"),
        ("en", "Mariner 9 returned 7,329 pictures.", "How many pictures did Mariner 9 return?"),
        ("en", "Hope has a mass of about 1,350 kilograms.", "What is the mass of Hope?"),
        ("en", "In 2005 Cassini discovered fountains of ice.", "What did Cassini discover?"),
        ("de", "Die Obere Melzbrücke wurde am 3. Oktober 1931 eröffnet.", "Wann wurde die Obere Melzbrücke eröffnet?"),
        ("de", "Das Stadtmuseum wurde 1903 gegründet.", "Wann wurde das Stadtmuseum gegründet?"),
        ("de", "Der Turm hat eine Höhe von 212 Metern.", "Welche Höhe hat der Turm?"),
        ("de", "Das Schloss Rabenau hat vier Türme.", "Wie viele Türme hat das Schloss Rabenau?"),
        ("de", "Karl Riedel starb am 3. Mai 1931 in Melzstadt.", "Wann starb Karl Riedel?"),
    ],
)
def test_a_statement_gives_the_question_that_it_answers(language: str, sentence: str, question: str) -> None:
    assert question in [candidate.text for candidate in questions_of(sentence, "", language=language)]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The probe was launched in 1970."),
        ("en", "Three craters lie there."),
        ("en", "It fell in 1970."),
        ("de", "Sie starb 1890."),
        ("de", "Der Turm stand 1890 noch."),
        ("de", "Der Turm hat 48 Meter."),
    ],
)
def test_a_statement_without_a_named_subject_gives_none(language: str, sentence: str) -> None:
    assert list(questions_of(sentence, "", language=language)) == []


def proposals(question: str, *earlier_questions: str, answer: str = "") -> tuple[str, ...]:
    evidence = tuple(reference.evidence for reference in sample_index().search(question, 20))
    view = ConversationView(tuple(HistoryMessage(Speaker.USER, text) for text in earlier_questions))
    return recommend(RecommendRequest(question, evidence, view, answer), 6)


def test_follow_ups_are_about_what_the_evidence_tells_besides() -> None:
    follow_ups = proposals("What did Mariner 9 discover?")
    assert "How many pictures did Mariner 9 return?" in follow_ups
    assert len(follow_ups) <= 6


@pytest.mark.parametrize("subject", ["Apollo 11", "Mariner 9", "Venera 7", "Phoenix", "Cassini"])
def test_follow_ups_name_what_the_question_names(subject: str) -> None:
    follow_ups = proposals(f"When was {subject} launched?")
    assert follow_ups
    assert [text for text in follow_ups if subject not in text] == []


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


def test_a_language_without_forms_gives_no_question() -> None:
    assert questions_of("Le pont Neuf was built in 1931.", "Le pont Neuf", "fr") == ()


def test_follow_ups_on_german_documents_are_german() -> None:
    text = "Das Stadtmuseum wurde 1903 gegründet. Das Zeughaus gehört der Stadt."
    passage = Passage("p", "d", text, title="Zeughaus", language="de")
    evidence = (Evidence(passage, EngineScores(), 1, Relevance.HIGH),)
    questions = recommend(RecommendRequest("Was ist das Zeughaus?", evidence), 6)
    assert questions
    assert all(question.startswith(("Wann wurde", "Was ist über")) for question in questions)


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
