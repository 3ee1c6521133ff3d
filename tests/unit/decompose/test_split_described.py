"""Splitting questions about what they only describe: it is looked up first."""

import pytest

from libs.contracts.query import FunctionCall
from libs.language.known import ENGLISH
from tests.unit.decompose.splitting import SPLITTER

IN_A_ROW = [
    ("when did the craft that first orbited Mars launch?", "which craft first orbited Mars", "when did #1 launch"),
    ("When was the craft that first orbited Mars launched?", "which craft first orbited Mars", "when was #1 launched"),
    (
        "How long did the rover that landed in Gale Crater take to reach Mars?",
        "which rover landed in Gale Crater",
        "how long did #1 take to reach Mars",
    ),
    (
        "Which country launched the probe that first landed on Venus?",
        "which probe first landed on Venus",
        "which country launched #1",
    ),
    (
        "when did the first craft to orbit Mars launch?",
        "which craft was the first craft to orbit Mars",
        "when did #1 launch",
    ),
    ("Who built the first rover to land on Mars?", "which rover was the first rover to land on Mars", "who built #1"),
    (
        "How heavy is the smallest wheeled rover on Mars?",
        "which rover was the smallest wheeled rover on Mars",
        "how heavy is #1",
    ),
    (
        "When did the probe named after Giuseppe Colombo pass Venus?",
        "which probe was the probe named after Giuseppe Colombo",
        "when did #1 pass Venus",
    ),
    (
        "When did the rover that drove the farthest of all send its last message?",
        "which rover drove the farthest of all",
        "when did #1 send its last message",
    ),
    (
        "Who created the library that Starlette depends on since 0.15.0?",
        "which library Starlette depends on since 0.15.0",
        "who created #1",
    ),
    (
        "Who was the mayor of the town where the 1934 treaty was signed?",
        "which town was the town where the 1934 treaty was signed",
        "who was the mayor of #1",
    ),
]


@pytest.mark.parametrize(("question", "first", "second"), IN_A_ROW)
def test_a_question_about_what_has_to_be_found_first_waits_for_it(question: str, first: str, second: str) -> None:
    first_node, second_node = SPLITTER.plan(question, None, ENGLISH).nodes
    assert (first_node.text, second_node.text) == (first, second)
    assert (first_node.links, second_node.links) == ((), (first_node.id,))
    assert second_node.query is None


def test_what_lies_two_descriptions_deep_is_looked_up_from_within() -> None:
    nodes = SPLITTER.plan("Who led the agency that launched the first probe to orbit Mars?", None, ENGLISH).nodes
    assert [node.text for node in nodes] == [
        "which probe was the first probe to orbit Mars",
        "which agency launched #1",
        "who led #2",
    ]
    assert [node.links for node in nodes] == [(), ("1",), ("2",)]


def test_both_sides_of_a_comparison_may_be_described() -> None:
    question = "Which was launched earlier, the first craft to orbit Mars or the first craft to orbit Venus?"
    nodes = SPLITTER.plan(question, None, ENGLISH).nodes
    assert [node.text for node in nodes] == [
        "which craft was the first craft to orbit Mars",
        "when was #1 launched",
        "which craft was the first craft to orbit Venus",
        "when was #3 launched",
        "which was launched earlier, #1 or #3",
    ]
    assert nodes[-1].function_call == FunctionCall("earliest", ("#1", "#2", "#3", "#4"))


def test_two_descriptions_joined_by_and_are_looked_up_each() -> None:
    question = "How heavy are the craft that first orbited Mars and the craft that first orbited Venus?"
    nodes = SPLITTER.plan(question, None, ENGLISH).nodes
    assert [node.text for node in nodes] == [
        "which craft first orbited Mars",
        "which craft first orbited Venus",
        "how heavy are #1 and #2",
    ]


def test_a_graph_that_would_grow_too_large_leaves_its_descriptions_as_they_are() -> None:
    question = (
        "When did the first craft to orbit Mars launch, and when did the first craft to orbit Venus launch, "
        "and when did the first craft to orbit Mercury launch, and when did the first craft to orbit Saturn launch?"
    )
    assert [node.links for node in SPLITTER.plan(question, None, ENGLISH).nodes] == [()] * 4


@pytest.mark.parametrize(
    "question",
    [
        "Why could the second camera of Venera 9 not be used?",
        "Why did the first lander of the Soviet Union not send pictures?",
        "Is it really the case that Venus has a moon?",
        "Why did Larry Newton, the president of ABC Records, dislike it?",
    ],
)
def test_what_is_denied_or_named_besides_is_asked_at_once(question: str) -> None:
    assert [node.text for node in SPLITTER.plan(question, None, ENGLISH).nodes] == [question]


def test_a_denial_within_a_description_is_a_part_of_it() -> None:
    first, _ = SPLITTER.plan("When was the craft that never reached Mars launched?", None, ENGLISH).nodes
    assert first.text == "which craft never reached Mars"
