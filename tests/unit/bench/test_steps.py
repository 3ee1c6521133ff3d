"""The bench of questions in steps: when a plan counts as right, and how our own questions are planned."""

import pytest

from bench import steps
from bench.steps import fault_of_links, fault_of_words, planned_steps, wanted_plan
from libs.contracts.query import FunctionCall, QueryGraph, QueryNode
from libs.language.known import ENGLISH

QUESTION = "Which company built the Forth Bridge and where was it based?"
FIRST, SECOND = "which company built the Forth Bridge", "where was #1 based"
WANTED = wanted_plan(QUESTION, [FIRST, SECOND], None)


def graph(*texts: str, links: tuple[str, ...] = ("1",)) -> QueryGraph:
    first, *others = texts
    rest = (QueryNode(str(number), text, links=links) for number, text in enumerate(others, start=2))
    return QueryGraph((QueryNode("1", first), *rest))


def test_a_plan_with_the_wanted_steps_links_and_words_is_right() -> None:
    plan = graph(FIRST, SECOND)
    assert (fault_of_links(WANTED, plan), fault_of_words(WANTED, plan, ENGLISH)) == ("", "")


@pytest.mark.parametrize(
    ("plan", "fault"),
    [
        (graph(QUESTION), "1 steps"),
        (graph(FIRST, "where was the Forth Bridge based", links=()), "waits for other steps"),
    ],
)
def test_a_plan_with_other_steps_or_links_is_wrong(plan: QueryGraph, fault: str) -> None:
    assert fault_of_links(WANTED, plan) == fault


def test_a_step_that_lacks_its_words_or_has_those_of_another_is_wrong() -> None:
    assert fault_of_words(WANTED, graph("which company", SECOND), ENGLISH) == "step 1 lacks bridg, built, forth"
    again = graph(FIRST, "where was #1, the company, based")
    assert fault_of_words(WANTED, again, ENGLISH) == "step 2 has compani of another"


def test_a_computation_is_a_part_of_the_last_step_that_it_waits_for() -> None:
    wanted = wanted_plan("?", ["when was the storm", "how many days after #1 did it end"], None)
    days = FunctionCall("date_difference", ("#1", "#2", "days"))
    nodes = (
        QueryNode("1", "when was the storm"),
        QueryNode("2", "when did it end"),
        QueryNode("3", "how many days", need_rag=False, function_call=days, links=("1", "2")),
    )
    assert [step.waits_for for step in planned_steps(QueryGraph(nodes))] == [frozenset(), frozenset({0})]
    assert fault_of_links(wanted, QueryGraph(nodes)) == ""


def test_nine_of_ten_of_our_own_questions_are_planned_right() -> None:
    figures = {figure.name: figure.share for figure in steps.figures()}
    assert figures["right steps and links"] >= 0.9
    assert figures["with their words"] >= 0.9
