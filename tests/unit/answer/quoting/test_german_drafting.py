"""Over German documents an answer has German words only, also where it says that there is none."""

from libs.contracts.evidence import EngineScores, Evidence, Passage, Reference
from libs.contracts.options import Length
from libs.contracts.query import FunctionCall, QueryGraph, QueryNode
from libs.contracts.stages.answer import WriteRequest
from services.answer.drafts import AnswerDraft
from services.answer.quoting.drafting import draft_answer

BRIDGE = "Die Obere Melzbrücke wurde am 3. Oktober 1931 eröffnet. Sie ist 120 Meter lang."


def draft(question: str, *texts: str, graph: QueryGraph | None = None, threshold: float = 0.99) -> AnswerDraft:
    passages = [Passage(f"p{number}", "d", text, title="Brücken", language="de") for number, text in enumerate(texts)]
    references = tuple(
        Reference(number, Evidence(passage, EngineScores(vector=0.8, fused=0.9), rank=number))
        for number, passage in enumerate(passages, start=1)
    )
    return draft_answer(WriteRequest(question, graph, references), Length.SHORT, threshold)


def sentences(answer: AnswerDraft) -> list[str]:
    return [sentence.text.replace("**", "") for paragraph in answer.paragraphs for sentence in paragraph]


def test_the_answer_is_quoted() -> None:
    answer = draft("Wann wurde die Obere Melzbrücke eröffnet?", BRIDGE)
    assert "Die Obere Melzbrücke wurde am 3. Oktober 1931 eröffnet." in sentences(answer)


def test_without_evidence_it_says_so() -> None:
    assert sentences(draft("Wie viele Türme hat das Schloss?")) == [
        "Zu dieser Frage wurde in den Dokumenten nichts gefunden."
    ]


def test_in_doubt_the_nearest_words_are_shown_as_such() -> None:
    answer = draft("Wie viele Türme hat das Schloss?", BRIDGE, threshold=0.0)
    assert answer.abstained
    assert sentences(answer)[0] == "Die gefundenen Dokumente sagen es nicht; am nächsten kommen:"


def test_a_short_question_has_the_language_of_its_evidence() -> None:
    assert sentences(draft("Melzbrücke?", BRIDGE, threshold=0.0))[0].startswith("Die gefundenen Dokumente")


def test_what_cannot_be_computed_is_named() -> None:
    call = FunctionCall("subtract", ("[1]", "[2]"))
    graph = QueryGraph(
        (
            QueryNode("1", "Wann wurde die Brücke eröffnet?"),
            QueryNode("2", "Wann wurde sie begonnen?"),
            QueryNode("3", "Wie lange dauerte der Bau?", links=("1", "2"), function_call=call, need_rag=False),
        )
    )
    texts = sentences(draft("Wie lange dauerte der Bau?", BRIDGE, graph=graph))
    assert texts[-1] == "Um dies auszurechnen, fehlen Angaben: Wie lange dauerte der Bau."
