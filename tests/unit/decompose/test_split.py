"""Splitting: which questions are several, in which order their parts are asked, and which stay whole."""

import pytest

from services.decompose.condense import Condenser
from services.decompose.domain import load_domain
from services.decompose.split import Splitter
from services.decompose.timeline import plan_timeline
from services.vocabulary.query import (
    Decision,
    DecisionRecord,
    FunctionCall,
    Strategy,
    WeightedQuery,
    WeightedTerm,
    WeightedText,
)

DOMAIN = load_domain()
SPLITTER = Splitter(DOMAIN, Condenser(DOMAIN))


def parts(question: str) -> list[str]:
    split = SPLITTER.split(question)
    return [part.text for part in split.parts] if split else []


SHARED = [
    (
        "How many years passed between the launch of Sputnik 1 and Apollo 11?",
        ["when was the launch of Sputnik 1", "when was the launch of Apollo 11"],
        FunctionCall("date_difference", ("#1", "#2", "years")),
    ),
    (
        "How many days lie between the launch of Chandrayaan-3 and its landing?",
        ["when was the launch of Chandrayaan-3", "when was the landing of Chandrayaan-3"],
        FunctionCall("date_difference", ("#1", "#2", "days")),
    ),
    (
        "How many days passed between the opening and the last concert of the hall?",
        ["when was the opening of the hall", "when was the last concert of the hall"],
        FunctionCall("date_difference", ("#1", "#2", "days")),
    ),
    (
        "How old was the bridge when it collapsed?",
        ["when did the bridge begin", "when was it that the bridge collapsed"],
        FunctionCall("date_difference", ("#1", "#2", "years")),
    ),
    (
        "How old was Neil Armstrong when he landed on the Moon?",
        ["when was Neil Armstrong born", "when did Neil Armstrong land on the Moon"],
        FunctionCall("date_difference", ("#1", "#2", "years")),
    ),
    (
        "Did Spirit or Opportunity drive farther?",
        ["how far did Spirit drive", "how far did Opportunity drive"],
        FunctionCall("greatest", ("Spirit", "#1", "Opportunity", "#2")),
    ),
    (
        "Did Venera 13 survive longer than Venera 14?",
        ["how long did Venera 13 survive", "how long did Venera 14 survive"],
        FunctionCall("is_greater", ("#1", "#2")),
    ),
]


@pytest.mark.parametrize(("question", "asked", "function"), SHARED)
def test_two_things_may_share_the_words_that_are_said_once(
    question: str, asked: list[str], function: FunctionCall
) -> None:
    split = SPLITTER.split(question)
    assert split is not None
    assert [part.text for part in split.parts[:2]] == asked
    assert split.parts[2].function == function


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
    ("When did Viking 1 and Viking 2 land?", ["when did Viking 1 land", "when did Viking 2 land"]),
    (
        "When did Apollo 11, Apollo 12 and Apollo 13 launch?",
        ["when did Apollo 11 launch", "when did Apollo 12 launch", "when did Apollo 13 launch"],
    ),
    (
        "What is the population of France and Germany?",
        ["what is the population of France", "what is the population of Germany"],
    ),
    ("When were Neil Armstrong and Buzz Aldrin born?", ["when was Neil Armstrong born", "when was Buzz Aldrin born"]),
    ("compare Viking 1 with Viking 2", ["Viking 1", "Viking 2"]),
    ("Compare the cameras of Viking 1 and Viking 2", ["the cameras of Viking 1", "the cameras of Viking 2"]),
    ("What is the difference between Market Cap and NAV?", ["Market Cap", "NAV"]),
    ("Viking 1 vs Viking 2", ["Viking 1", "Viking 2"]),
]


@pytest.mark.parametrize(("question", "asked"), SIDE_BY_SIDE)
def test_questions_side_by_side_wait_for_nothing(question: str, asked: list[str]) -> None:
    assert parts(question) == asked
    assert all(not node.links for node in SPLITTER.plan(question, None).nodes)


COMPUTED = [
    (
        "which is larger, Jupiter or Saturn?",
        ["how large is Jupiter", "how large is Saturn"],
        FunctionCall("greatest", ("Jupiter", "#1", "Saturn", "#2")),
    ),
    (
        "Which launched earlier, Viking 1 or Mariner 9?",
        ["when did Viking 1 launch", "when did Mariner 9 launch"],
        FunctionCall("earliest", ("Viking 1", "#1", "Mariner 9", "#2")),
    ),
    (
        "Which was launched later, Viking 1 or Mariner 9?",
        ["when was Viking 1 launched", "when was Mariner 9 launched"],
        FunctionCall("latest", ("Viking 1", "#1", "Mariner 9", "#2")),
    ),
    (
        "Which rover is lighter, Spirit or Opportunity?",
        ["how heavy is Spirit", "how heavy is Opportunity"],
        FunctionCall("least", ("Spirit", "#1", "Opportunity", "#2")),
    ),
    (
        "Which took more pictures, Mariner 4 or Ranger 7?",
        ["how many pictures did Mariner 4 take", "how many pictures did Ranger 7 take"],
        FunctionCall("greatest", ("Mariner 4", "#1", "Ranger 7", "#2")),
    ),
    (
        "Is Jupiter larger than Saturn?",
        ["how large is Jupiter", "how large is Saturn"],
        FunctionCall("is_greater", ("#1", "#2")),
    ),
    (
        "Was Luna 9 launched before Surveyor 1?",
        ["when was Luna 9 launched", "when was Surveyor 1 launched"],
        FunctionCall("is_before", ("#1", "#2")),
    ),
    (
        "Did Spirit land on Mars after Beagle 2 was lost?",
        ["when did Spirit land on Mars", "when was Beagle 2 lost"],
        FunctionCall("is_after", ("#1", "#2")),
    ),
    (
        "Did Luna 9 land before or after Surveyor 1 landed?",
        ["when did Luna 9 land", "when did Surveyor 1 land"],
        FunctionCall("earliest", ("Luna 9", "#1", "Surveyor 1", "#2")),
    ),
    (
        "How many years lie between the landing of Viking 1 and the landing of Phoenix?",
        ["when was the landing of Viking 1", "when was the landing of Phoenix"],
        FunctionCall("date_difference", ("#1", "#2", "years")),
    ),
    (
        "How long after the launch of Luna 9 did Surveyor 1 land?",
        ["when was the launch of Luna 9", "when did Surveyor 1 land"],
        FunctionCall("date_difference", ("#1", "#2", "days")),
    ),
    (
        "How many days after its launch did Luna 9 land?",
        ["when was the launch of Luna 9", "when did Luna 9 land"],
        FunctionCall("date_difference", ("#1", "#2", "days")),
    ),
]


@pytest.mark.parametrize(("question", "asked", "function"), COMPUTED)
def test_what_follows_from_two_answers_is_computed_from_them(
    question: str, asked: list[str], function: FunctionCall
) -> None:
    *searched, computed = SPLITTER.plan(question, None).nodes
    assert [node.text for node in searched] == asked
    assert (computed.need_rag, computed.function_call, computed.links) == (False, function, ("1", "2"))


IN_A_YEAR = [
    (
        "Which probe was launched in the year that Phoenix landed?",
        "when did Phoenix land",
        "which probe was launched in",
    ),
    ("In the year when Luna 9 was launched, what landed?", "when was Luna 9 launched", "what landed in"),
    (
        "What flew in the year in which Vega 1 bypassed Halley?",
        "when was it that Vega 1 bypassed Halley",
        "what flew in",
    ),
]


@pytest.mark.parametrize(("question", "event", "asked"), IN_A_YEAR)
def test_a_year_told_by_an_event_is_computed_from_its_date(question: str, event: str, asked: str) -> None:
    one, two, three = SPLITTER.plan(question, None).nodes
    assert one.text == event
    assert two.function_call == FunctionCall("year_of", ("#1",))
    assert (three.text, three.links) == (f"{asked} #2", ("2",))


IN_A_ROW = [
    ("when did the craft that first orbited Mars launch?", "which craft first orbited Mars", "when did #1 launch"),
    ("When was the craft that first orbited Mars launched?", "which craft first orbited Mars", "when was #1 launched"),
    ("Who built the craft that first orbited Mars?", "which craft first orbited Mars", "who built #1"),
    (
        "How long did the rover that landed in Gale Crater take to reach Mars?",
        "which rover landed in Gale Crater",
        "how long did #1 take to reach Mars",
    ),
    (
        "What is the capital of the country that won the 2018 World Cup?",
        "which country won the 2018 World Cup",
        "what is the capital of #1",
    ),
    (
        "Which country launched the probe that first landed on Venus?",
        "which probe first landed on Venus",
        "which country launched #1",
    ),
    ("when did the first craft to orbit Mars launch?", "which craft was the first to orbit Mars", "when did #1 launch"),
    ("Who built the first rover to land on Mars?", "which rover was the first to land on Mars", "who built #1"),
    (
        "How heavy is the smallest wheeled rover on Mars?",
        "which rover was the smallest wheeled rover on Mars",
        "how heavy is #1",
    ),
    (
        "When did the probe named after Giuseppe Colombo pass Venus?",
        "which probe was named after Giuseppe Colombo",
        "when did #1 pass Venus",
    ),
    (
        "When did the rover that drove the farthest of all send its last message?",
        "which rover drove the farthest of all",
        "when did #1 send its last message",
    ),
    (
        "How many pictures did the first probe to send close pictures of the Moon return?",
        "which probe was the first to send close pictures of the Moon",
        "how many pictures did #1 return",
    ),
    (
        "Who were the members of the first crew to drive a car on the Moon?",
        "which crew was the first to drive a car on the Moon",
        "who were the members of #1",
    ),
    ("Where was the founder of SpaceX born?", "who was the founder of SpaceX", "where was #1 born"),
    (
        "What is the population of the capital of France?",
        "what was the capital of France",
        "what is the population of #1",
    ),
]


@pytest.mark.parametrize(("question", "first", "second"), IN_A_ROW)
def test_a_question_about_what_has_to_be_found_first_waits_for_it(question: str, first: str, second: str) -> None:
    one, two = SPLITTER.plan(question, None).nodes
    assert (one.text, two.text) == (first, second)
    assert (one.links, two.links) == ((), (one.id,))
    assert two.query is None


def test_what_lies_two_descriptions_deep_is_looked_up_from_within() -> None:
    nodes = SPLITTER.plan("Who led the agency that launched the first probe to orbit Mars?", None).nodes
    assert [node.text for node in nodes] == [
        "which probe was the first to orbit Mars",
        "which agency launched #1",
        "who led #2",
    ]
    assert [node.links for node in nodes] == [(), ("1",), ("2",)]


def test_both_sides_of_a_comparison_may_be_described() -> None:
    question = "Which was launched earlier, the first craft to orbit Mars or the first craft to orbit Venus?"
    nodes = SPLITTER.plan(question, None).nodes
    assert [node.text for node in nodes] == [
        "which craft was the first to orbit Mars",
        "which craft was the first to orbit Venus",
        "when was #1 launched",
        "when was #2 launched",
        "which was launched earlier, #1 or #2",
    ]
    assert nodes[-1].function_call == FunctionCall("earliest", ("#1", "#3", "#2", "#4"))


def test_a_graph_that_would_grow_too_large_leaves_its_descriptions_as_they_are() -> None:
    question = (
        "When did the first craft to orbit Mars launch, and when did the first craft to orbit Venus launch, "
        "and when did the first craft to orbit Mercury launch, and when did the first craft to orbit Saturn launch?"
    )
    assert [node.links for node in SPLITTER.plan(question, None).nodes] == [()] * 4


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
        "Was the rover launched in 2003?",
        "What is the name of the craft that first orbited Mars?",
        "how can I check the plan that I subscribed to on IBM Cloud?",
        "When did Johnson and Johnson recall the powder?",
        "Please tell me about the Philippine Amusement and Gaming Corporation",
        "What are the pros and cons of Venus missions?",
        "I bought a laptop in May. Can I return it?",
        "Did Viking 1 and Viking 2 meet?",
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
    (node,) = SPLITTER.plan("who built Viking 1", record()).nodes
    assert (node.text, node.query) == ("who built Viking 1", QUERY)


def test_nodes_side_by_side_carry_the_history_and_the_words_of_the_whole_question() -> None:
    one, two = SPLITTER.plan("When did Luna 9 land and who built it?", record()).nodes
    assert one.query is not None
    assert one.query.text == "when did Luna 9 land"
    assert one.query.texts == QUERY.texts
    assert {term.term for term in one.query.terms} == {"built", "viking"}
    assert two.query is not None
    assert {term.term for term in two.query.terms} == {"land", "viking"}


def test_the_last_turn_alone_is_split_by_its_own_words() -> None:
    (node,) = SPLITTER.plan("When did Luna 9 land and who built it?", record(Strategy.LAST_TURN)).nodes
    assert node.query == QUERY


def test_a_timeline_asks_the_question_and_for_the_phases_of_what_it_names() -> None:
    graph = plan_timeline("what happened to Viking 1 on Mars?", record(), DOMAIN)
    assert graph.nodes[0].query == QUERY
    assert [node.text for node in graph.nodes[1:]] == [f"Viking 1 Mars {phase}" for phase in DOMAIN.phases]


def test_a_timeline_of_nothing_named_asks_the_question_alone() -> None:
    assert len(plan_timeline("and then?", None, DOMAIN).nodes) == 1
