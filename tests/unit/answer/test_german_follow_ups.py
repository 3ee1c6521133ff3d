"""German statements become German questions, and nothing else."""

import pytest

from libs.contracts.evidence import EngineScores, Evidence, Passage, Relevance
from libs.contracts.stages.answer import RecommendRequest
from services.answer.question_forms import questions_of
from services.answer.recommend import recommend


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("Die Obere Melzbrücke wurde am 3. Oktober 1931 eröffnet.", "Wann wurde die Obere Melzbrücke eröffnet?"),
        ("Das Stadtmuseum wurde 1903 gegründet.", "Wann wurde das Stadtmuseum gegründet?"),
        ("Die Markthalle wurde von August Riedel entworfen.", "Von wem wurde die Markthalle entworfen?"),
        ("Der Turm wurde wegen Rissen gesperrt.", "Warum wurde der Turm gesperrt?"),
    ],
)
def test_a_statement_becomes_a_question(sentence: str, question: str) -> None:
    assert [each.text for each in questions_of(sentence, "", "de")] == [question]


def test_a_language_without_forms_gives_no_question() -> None:
    assert questions_of("Le pont Neuf was built in 1931.", "Le pont Neuf", "fr") == ()


def test_follow_ups_on_german_documents_are_german() -> None:
    text = "Das Stadtmuseum wurde 1903 gegründet. Das Zeughaus gehört der Stadt."
    passage = Passage("p", "d", text, title="Zeughaus", language="de")
    evidence = (Evidence(passage, EngineScores(), 1, Relevance.HIGH),)
    questions = recommend(RecommendRequest("Was ist das Zeughaus?", evidence), 6)
    assert questions
    assert all(question.startswith(("Wann wurde", "Was ist über")) for question in questions)
