"""The suite answers real questions about the samples, through six real processes."""

import json
import re
from datetime import datetime

import pytest

from parley.context.v1 import answer_pb2, evidence_pb2, query_pb2, session_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2
from parley.retrieve.v1 import corpus_pb2
from tests.system.door import SAMPLES, Door, last, one

pytestmark = pytest.mark.xdist_group("suite")

CONVERSATIONS = {file.stem: file for file in sorted((SAMPLES / "conversations").glob("*.jsonl"))}


def cited_documents(events: list[event_pb2.Event]) -> set[str]:
    """Documents of the passages that verified sentences cite."""
    documents = {r.evidence.passage.passage_id: r.evidence.passage.document_id for r in references(events)}
    return {documents[span.passage_id] for citation in citations(events) for span in citation.references}


def references(events: list[event_pb2.Event]) -> list[evidence_pb2.Reference]:
    return list(last(events, "references").references.references)


def citations(events: list[event_pb2.Event]) -> list[answer_pb2.Citation]:
    return [event.citation for event in events if event.WhichOneof("event") == "citation"]


def slugs(documents: set[str]) -> set[str]:
    return {document.rpartition("/")[2].removesuffix(".md") for document in documents}


@pytest.mark.parametrize("name", sorted(CONVERSATIONS))
def test_a_scripted_conversation_goes_as_it_should(door: Door, name: str) -> None:
    for line in CONVERSATIONS[name].read_text(encoding="utf-8").splitlines():
        turn = json.loads(line)
        options: dict[str, object] = {"pro": turn.get("pro", False)}
        if "now" in turn:
            options["now"] = datetime.fromisoformat(turn["now"])
        events = door.ask(turn["question"], f"scripted-{name}", **options)
        outcome = session_pb2.Outcome.Name(one(events, "completed").completed.outcome)
        assert outcome == f"OUTCOME_{turn['expect'].upper()}", turn["question"]
        if turn["cites"]:
            assert slugs(cited_documents(events)) & set(turn["cites"]), turn["question"]


EXAMPLES = (
    {"When did Phoenix land on Mars?": "25 May 2008", "And Spirit?": "4 January 2004"},
    {"When did MAVEN enter orbit round Mars?": "22 September 2014", "What about its launch?": "18 November 2013"},
    {"When did Luna 9 land on the Moon?": "3 February 1966"},
)
"""Of the README and the documentation, with words of each answer."""


def test_in_the_examples_of_the_documentation_nothing_but_the_answer_is_marked(door: Door) -> None:
    marks = 0
    for number, turns in enumerate(EXAMPLES):
        for question, words in turns.items():
            events = door.ask(question, f"marked-{number}")
            marked = [span.quote for citation in citations(events) if citation.answers for span in citation.references]
            assert all(words in quote for quote in marked), question
            assert one(events, "text_end").text_end.text.count("**") == 2 * (_headings(events) + len(marked)), question
            marks += len(marked)
    assert marks


def _headings(events: list[event_pb2.Event]) -> int:
    return len(re.findall(r"(?m)^\*\*.+\*\* \[\d+\]$", one(events, "text_end").text_end.text))


def test_a_follow_up_cites_a_document_that_its_raw_words_do_not_find(door: Door) -> None:
    door.ask("When did MAVEN enter orbit round Mars?", "follow-up")
    raw = door.corpus.Search(corpus_pb2.SearchRequest(query="What about its launch?"))
    assert len(raw.evidence) >= 10
    assert "maven" not in slugs({item.passage.document_id for item in raw.evidence})
    events = door.ask("What about its launch?", "follow-up")
    assert one(events, "condensed").condensed.decision == query_pb2.DECISION_CONDENSE
    assert "maven" in slugs(cited_documents(events))
    assert "18 November 2013" in one(events, "text_end").text_end.text


@pytest.mark.parametrize(
    "question", ["When was Venera 7 launched?", "Who walked on the Moon first?", "What is Cassini?"]
)
def test_every_citation_points_to_a_passage_that_holds_the_quoted_sentence(door: Door, question: str) -> None:
    events = door.ask(question)
    assert citations(events)
    for citation in citations(events):
        assert citation.verdict == answer_pb2.VERDICT_VERIFIED
        for span in citation.references:
            request = corpus_pb2.GetPassageRequest(passage_id=span.passage_id)
            text = door.corpus.GetPassage(request).passage.text
            assert text[span.span.start : span.span.end] == span.quote
            assert span.quote


def test_a_turn_comes_whole_with_what_its_events_tell(door: Door) -> None:
    ask = gateway_pb2.AskRequest(question="When did Viking 1 land on Mars?", request_id="whole-1", session_id="whole")
    ask.options.pro = True
    turn = door.gateway.AskOnce(gateway_pb2.AskOnceRequest(ask=ask), timeout=60).turn
    events = [response.event for response in door.gateway.Ask(ask, timeout=60)]  # the same turn again, event by event
    assert {event.turn_id for event in events} == {turn.turn_id}
    assert list(turn.references) == references(events)
    assert {c.sentence: c for c in turn.citations} == {c.sentence: c for c in citations(events)}
    assert (turn.condensed, turn.understanding) == (
        one(events, "condensed").condensed,
        one(events, "understanding").understanding,
    )
    assert (turn.answer, turn.completed) == (one(events, "text_end").text_end, one(events, "completed").completed)
    assert turn.timeline == last(events, "timeline").timeline
    assert (turn.usage, len(turn.plan.nodes)) == (one(events, "usage").usage, 1)
    assert list(turn.recommendations) == list(one(events, "recommendation").recommendation.questions)


def test_phase_two_comes_whole_too(door: Door) -> None:
    question = door.gateway.SupplyQuestion(gateway_pb2.SupplyQuestionRequest(question="When did Luna 9 land?"))
    request = gateway_pb2.AnswerOnceRequest(answer=gateway_pb2.AnswerRequest(question_id=question.question_id))
    turn = door.gateway.AnswerOnce(request, timeout=60).turn
    assert (turn.turn_id, turn.completed.outcome) == (question.question_id, session_pb2.OUTCOME_ANSWERED)
    assert "February 1966" in turn.answer.text
