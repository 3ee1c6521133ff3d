"""Splitting: which questions stand side by side, which stay whole, and what their parts carry of the conversation."""

import pytest

from libs.contracts.query import (
    Decision,
    DecisionRecord,
    Strategy,
    WeightedQuery,
    WeightedTerm,
    WeightedText,
)
from libs.language.known import ENGLISH
from services.decompose.plan.planner import plan_timeline
from tests.unit.decompose.splitting import SPLITTER


def parts(question: str) -> list[str]:
    nodes = SPLITTER.plan(question, None, ENGLISH).nodes
    return [node.text for node in nodes] if len(nodes) > 1 else []


SIDE_BY_SIDE = [
    ("When did Viking 1 launch and who built it?", ["when did Viking 1 launch", "who built Viking 1"]),
    (
        "When did Luna 9 land on the Moon, and how much soil did Luna 16 bring back?",
        ["when did Luna 9 land on the Moon", "how much soil did Luna 16 bring back"],
    ),
    ("When and where did Viking 1 land?", ["when did Viking 1 land", "where did Viking 1 land"]),
    ("How big is Venus? How far away is it?", ["how big is Venus", "how far away is Venus"]),
    (
        "When did Viking 1 land and what did it find and who built it?",
        ["when did Viking 1 land", "what did Viking 1 find", "who built Viking 1"],
    ),
    ("What is a rover, and how does it steer?", ["what is a rover", "how does the rover steer"]),
    ("compare Viking 1 with Viking 2", ["Viking 1", "Viking 2"]),
    ("Compare the cameras of Viking 1 and Viking 2", ["the cameras of Viking 1", "the cameras of Viking 2"]),
    ("What is the difference between Market Cap and NAV?", ["Market Cap", "NAV"]),
]


@pytest.mark.parametrize(("question", "sub_queries"), SIDE_BY_SIDE)
def test_questions_side_by_side_wait_for_nothing(question: str, sub_queries: list[str]) -> None:
    assert parts(question) == sub_queries
    assert all(not node.links for node in SPLITTER.plan(question, None, ENGLISH).nodes)


@pytest.mark.parametrize(
    "question",
    [
        "When did Viking 1 land on Mars?",
        "What are the documents that I need to submit?",
        "What is the form that veterans use in Texas?",
        "Who is the founder of SpaceX?",
        "Which craft first orbited Mars?",
        "Which craft was the first to orbit Mars?",
        "Who was the first person to walk on the Moon?",
        "What is the best way to reach the Moon?",
        "When was the last time that Venus passed the Sun?",
        "What happened the month before October 2026?",
        "What was sold the year before 2024?",
        "Who came the day before yesterday?",
        "Was the rover launched in 2003?",
        "What is the name of the craft that first orbited Mars?",
        "how can I check the plan that I subscribed to on IBM Cloud?",
        "When did Johnson and Johnson recall the powder?",
        "Please tell me about the Philippine Amusement and Gaming Corporation",
        "What are the pros and cons of Venus missions?",
        "I bought a laptop in May. Can I return it?",
        "What about the HIV pandemic? Did it kill many people?",
        "Did Viking 1 and Viking 2 meet?",
        "When did Viking 1 and Viking 2 land?",
        "Are Viking 1 and Viking 2 the same thing?",
        "What is the difference between a checking account and a savings account?",
        "Can you tell me who wrote the song and also who sang it?",
        "Who was president when the wall fell and what did he do?",
        "What was the #1 song of 1969 and who sang it?",
        "refund policy for damaged items",
        "",
    ],
)
def test_a_question_that_is_one_or_may_be_one_stays_whole(question: str) -> None:
    assert parts(question) == []


QUERY = WeightedQuery("who built it", (WeightedTerm("viking", 0.4),), (WeightedText("Viking 1 landed.", 0.5),))


def record(strategy: Strategy = Strategy.WEIGHTED) -> DecisionRecord:
    return DecisionRecord(
        Decision.CONDENSE, "", raw="who built it", standalone="who built Viking 1", query=QUERY, strategy=strategy
    )


def test_one_node_carries_the_records_query() -> None:
    (node,) = SPLITTER.plan("who built Viking 1", record(), ENGLISH).nodes
    assert (node.text, node.query) == ("who built Viking 1", QUERY)


def test_nodes_side_by_side_carry_the_history_and_each_others_words() -> None:
    first, second = SPLITTER.plan("When did Luna 9 land and who built it?", record(), ENGLISH).nodes
    assert first.query is not None
    assert first.query.text == "when did Luna 9 land"
    assert first.query.texts == QUERY.texts
    assert [term.term for term in first.query.terms] == ["built", "viking"]
    assert second.query is not None
    assert second.query.text == "who built Luna 9"


def test_the_last_turn_alone_is_split_by_its_own_words() -> None:
    (node,) = SPLITTER.plan("When did Luna 9 land and who built it?", record(Strategy.LAST_TURN), ENGLISH).nodes
    assert node.query == QUERY


def test_a_timeline_asks_the_question_and_the_event_that_it_is_about() -> None:
    graph = plan_timeline("what happened when Viking 1 came down?", record(), ENGLISH, "Viking 1 landing")
    assert graph.nodes[0].query == QUERY
    assert [node.text for node in graph.nodes[1:]] == ["Viking 1 landing"]


def test_a_timeline_of_no_named_event_asks_the_question_alone() -> None:
    assert len(plan_timeline("what happened to Viking 1 on Mars?", None, ENGLISH).nodes) == 1


def test_a_turn_with_more_questions_than_a_graph_has_room_for_stays_whole() -> None:
    question = "When did Viking 1 land, " + ", and ".join(f"when did Luna {number} land" for number in range(2, 9))
    assert parts(f"{question}, and when did Viking 2 land?") == []
