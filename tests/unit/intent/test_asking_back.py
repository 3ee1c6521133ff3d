from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.evidence import Evidence, Passage
from libs.contracts.query import Decision, DecisionRecord, WeightedTerm
from services.intent.clarify import Clarifier, topics
from services.intent.rules import merge
from services.intent.unresolved import find_unresolved

CLARIFIER = Clarifier()


def score(question: str, *history: str) -> float:
    return CLARIFIER.clarity(question, history, None, language="en").ask_score


def record(decision: Decision, confidence: float = 0.9) -> DecisionRecord:
    return DecisionRecord(decision, "", raw="", standalone="", confidence=confidence)


def probe_of(*titles: str) -> tuple[Evidence, ...]:
    passages = [Passage(f"p{i}", f"d{i}", "Some text. More.", title=title) for i, title in enumerate(titles)]
    return tuple(Evidence(passage, rank=rank) for rank, passage in enumerate(passages, start=1))


@pytest.mark.parametrize(
    ("question", "history", "expected"),
    [
        ("What is the main purpose of that NASA mission?", [], 1.5),
        ("What is the deadline?", [], 1.0),
        ("What is the deadline?", ["The deadlines are in May."], 0.25),
        ("When did it land?", [], 1.5),
        ("When did it land?", ["Viking 1 was built in Denver."], 0.25),
        ("What is its mass?", [], 1.5),
        ("Does the defendant file an answer in this case?", [], 2.5),
        ("How did the crew of Apollo 13 survive the explosion of the tank?", [], 1.0),
        ("When did Viking 1 land?", [], 0.0),
        ("", [], 0.0),
    ],
)
def test_the_score_adds_up_what_the_words_leave_open(question: str, history: list[str], expected: float) -> None:
    assert score(question, *history) == expected


@pytest.mark.parametrize(
    "question",
    [
        "I heard that people walked there",
        "Who was the first man in orbit?",
        "How large is the largest crater?",
        "What is HAART and how does it work?",
        "Did Curie win, and what did she find?",
        "Is it possible to see Mars by day?",
        "What time is it in Berlin?",
        "How many days after its launch did Cassini enter orbit?",
        "After its launch, what did Cassini do?",
        "How far is the Moon?",
        "How were the Apollo missions named?",
    ],
)
def test_words_that_need_no_antecedent_leave_nothing_open(question: str) -> None:
    assert find_unresolved(question, (), language="en") == ()


@given(st.text(max_size=300), st.lists(st.text(max_size=100), max_size=3))
def test_unresolved_phrases_are_stretches_of_the_question(question: str, history: list[str]) -> None:
    for phrase in find_unresolved(question, history, language="en"):
        assert phrase.span.of(question) == phrase.phrase
        assert phrase.weight > 0


def test_a_hint_of_condensing_raises_the_score() -> None:
    assert CLARIFIER.clarity("What is the deadline?", (), record(Decision.CLARIFY), language="en").ask_score == 1.5


@pytest.mark.parametrize("time", ["this week", "this month", "this quarter", "this year", "that day"])
def test_a_time_that_is_known_is_clear(time: str) -> None:
    question = f"What happened {time}?"
    assert CLARIFIER.clarity(question, (), None, times=(time,), language="en").ask_score == 0
    assert score("What happened in this case?") >= CLARIFIER.threshold


def test_an_unclear_question_is_asked_back_with_the_probes_topics() -> None:
    clarity = CLARIFIER.clarity("When did it land?", (), record(Decision.CLARIFY), language="en")
    supplement = CLARIFIER.supplement(clarity, record(Decision.CLARIFY), probe_of("Viking 1", "Apollo 11", "viking 1"))
    assert supplement.is_supply
    assert supplement.supply_choices == ("Viking 1", "Apollo 11")
    assert '"it"' in supplement.supply_description


@pytest.mark.parametrize("titles", [(), ("Viking 1",), ("Viking 1", "Viking  1", "VIKING 1")])
def test_with_fewer_than_two_topics_the_turn_goes_on(titles: tuple[str, ...]) -> None:
    clarity = CLARIFIER.clarity("Did the defendant answer in this case?", (), None, language="en")
    assert clarity.ask_score >= CLARIFIER.threshold
    assert not CLARIFIER.supplement(clarity, None, probe_of(*titles)).is_supply


def test_below_the_threshold_nothing_is_asked() -> None:
    clarity = CLARIFIER.clarity("What is the deadline?", (), None, language="en")
    assert not CLARIFIER.supplement(clarity, None, probe_of("A", "B")).is_supply
    assert Clarifier(threshold=1.0).supplement(clarity, None, probe_of("A", "B")).is_supply


def test_a_question_that_was_surely_condensed_is_not_asked_back() -> None:
    clarity = CLARIFIER.clarity("Did the defendant answer in this case?", (), None, language="en")
    sure = replace(record(Decision.CONDENSE, 0.85), added_terms=(WeightedTerm("Smith", 1.0),))
    assert not CLARIFIER.supplement(clarity, sure, probe_of("A", "B")).is_supply
    assert CLARIFIER.supplement(clarity, replace(sure, confidence=0.5), probe_of("A", "B")).is_supply


def test_topics_that_speak_of_what_is_asked_are_offered() -> None:
    texts = {"Viking 1": "It landed in 1976.", "Hubble": "It sees far.", "Luna 9": "The landing was soft."}
    probe = [Evidence(Passage(title, title, text, title=title)) for title, text in texts.items()]
    clarity = CLARIFIER.clarity("When did it land?", (), None, language="en")
    assert CLARIFIER.supplement(clarity, None, probe).supply_choices == ("Viking 1", "Luna 9")
    assert CLARIFIER.supplement(clarity, None, probe[:2]).supply_choices == ("Viking 1", "Hubble")


@pytest.mark.parametrize(
    ("user_turn", "is_asked_back"), [("What is our refund window?", False), ("How do I pay?", True)]
)
def test_condensing_that_adds_nothing_resolves_only_what_the_asker_named(user_turn: str, is_asked_back: bool) -> None:
    question, answer = "How long does that refund take?", "Refunds are paid within 30 days."
    clarity = CLARIFIER.clarity(question, (user_turn, answer), None, (user_turn,), language="en")
    supplement = CLARIFIER.supplement(clarity, record(Decision.CONDENSE, 0.85), probe_of("A", "B"))
    assert supplement.is_supply == is_asked_back


def test_at_most_five_choices_are_offered() -> None:
    clarity = CLARIFIER.clarity("Did the defendant answer in this case?", (), None, language="en")
    assert len(CLARIFIER.supplement(clarity, None, probe_of(*"ABCDEFG")).supply_choices) == 5


def test_a_document_without_title_is_told_by_how_its_passage_begins() -> None:
    long = Evidence(Passage("p", "d", "word " * 100))
    assert topics((*probe_of(""), long)) == ("Some text.", "word " * 15 + "word …")


@pytest.mark.parametrize(
    ("question", "result"),
    [
        ("What is the purpose of that NASA mission?", "What is the purpose of Viking 1?"),
        ("When did it land?", "When did Viking 1 land?"),
        ("What is its mass?", "What is Viking 1's mass?"),
        ("What is the deadline?", "Viking 1: What is the deadline?"),
        ("landing date", "Viking 1: landing date"),
        ("", "Viking 1"),
    ],
)
def test_a_pick_is_merged_with_the_question_that_was_unclear(question: str, result: str) -> None:
    assert merge(question, "Viking 1", language="en") == result
