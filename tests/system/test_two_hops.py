"""Questions that take two steps; `python -m bench.two_hops` measures how many end with the right documents."""

import pytest

from parley.context.v1 import answer_pb2, query_pb2
from parley.gateway.v1 import gateway_pb2
from tests.system.door import Door, last, one

pytestmark = pytest.mark.xdist_group("suite")


def test_a_computed_answer_is_said_first_and_cites_the_passages_of_both_dates(door: Door) -> None:
    events = door.ask("How many years after the launch of Luna 9 was the first Chinese lander on the Moon launched?")
    text = one(events, "text_end").text_end.text
    assert text.startswith(
        "How many years after the launch of Luna 9 was Chang'e 3 launched: 47 years (31 January 1966; 1 December 2013)."
    )
    documents = {
        reference.evidence.passage.passage_id: reference.evidence.passage.document_id
        for reference in last(events, "references").references.references
    }
    first = next(event.citation for event in events if event.HasField("citation"))
    cited_documents = {documents[span.passage_id].rpartition("/")[2] for span in first.references}
    assert {"luna-9.md", "change-3.md"} <= cited_documents
    assert (first.verdict, first.reason) == (
        answer_pb2.VERDICT_VERIFIED,
        "Computed from the cited words (date_difference).",
    )


def test_the_plan_has_links_and_each_step_its_short_answer(door: Door) -> None:
    events = door.ask("When did the craft that first orbited Mars launch?")
    nodes: list[query_pb2.QueryNode] = list(one(events, "plan").plan.graph.nodes)
    assert [(node.text, list(node.links)) for node in nodes] == [
        ("which craft first orbited Mars", []),
        ("when did #1 launch", ["1"]),
    ]
    steps = [event.sub_query for event in events if event.HasField("sub_query")]
    assert [(step.text, step.answer) for step in steps if step.HasField("answer")] == [
        ("which craft first orbited Mars", "Mariner 9")
    ]
    assert steps[-1].text == "when did Mariner 9 launch"
    assert "30 May 1971" in one(events, "text_end").text_end.text


def test_without_a_plan_the_question_is_searched_as_it_is(door: Door) -> None:
    question = "When did the craft that first orbited Mars launch?"
    events = door.ask(question, plan=gateway_pb2.PLAN_OFF)
    assert [node.text for node in one(events, "plan").plan.graph.nodes] == [question]
