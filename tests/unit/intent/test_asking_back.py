from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.evidence import Evidence, NearDuplicate, Passage
from libs.contracts.query import Decision, DecisionRecord
from libs.contracts.understanding import QuestionSupplement
from services.intent.clarify import clarity_of, options, question_back
from services.intent.pointing import find_pointing
from services.intent.rules import merge

SURE = DecisionRecord(Decision.CONDENSE, "", raw="", standalone="", confidence=0.85)


def phrases(question: str, history: str = "", language: str = "en") -> list[str]:
    return [each.phrase for each in find_pointing(question, history, language)]


def probe_of(text: str, *titles: str, date: str = "") -> tuple[Evidence, ...]:
    passages = [Passage(f"p{i}", f"d{i}", text, title=title, date=date) for i, title in enumerate(titles)]
    return tuple(Evidence(passage, rank=rank) for rank, passage in enumerate(passages, start=1))


def asked(question: str, probe: tuple[Evidence, ...], record: DecisionRecord | None = None) -> QuestionSupplement:
    return question_back(clarity_of(question, "", (), "en"), 1.0, record, probe)


@pytest.mark.parametrize(
    ("question", "history", "expected"),
    [
        ("What is the main purpose of that NASA mission?", "", ["that NASA mission"]),
        ("What did this rover find?", "", ["this rover"]),
        ("When did it land?", "", ["it"]),
        ("When did it land?", "Viking 1 was built in Denver.", []),
        ("What is its mass?", "", ["its"]),
        ("What instruments did it carry?", "", ["it"]),
        ("How old is its engine?", "", ["its"]),
        ("How heavy is that one?", "", ["that one"]),
        ("How heavy is that one?", "Which rovers are on Mars?", []),
        ("Did the defendant file an answer in this case?", "How do I pay a fine?", ["this case"]),
        ("Did the defendant file an answer in this case?", "Which cases go to court?", []),
        ("What is the deadline?", "", []),
        ("When does it pay to order spare parts early?", "", []),
        ("In which order does it read the settings?", "", []),
        ("When does it stop?", "", ["it"]),
        ("", "", []),
    ],
)
def test_a_phrase_points_where_nothing_that_it_may_mean_was_said(
    question: str, history: str, expected: list[str]
) -> None:
    assert phrases(question, history) == expected


@pytest.mark.parametrize(
    "question",
    [
        "I heard that people walked there",
        "What is HAART and how does it work?",
        "Did Curie win, and what did she find?",
        "Is it possible to see Mars by day?",
        "What time is it in Berlin?",
        "How many days after its launch did Cassini enter orbit?",
        "Where do bees store their honey?",
        "Which companies publish their results?",
        "Which rooms have their own bathroom?",
        "What is published these days?",
        "How do cats clean their fur?",
        "Do employees keep their laptops?",
        "Where does water go after it enters a storm drain?",
        "Is it worth having a chat on my website?",
        "Is that true?",
        "Is this safe for children?",
        "How does that work?",
        "That sounds hard. Which tool is the best?",
        "Does the lender make money in this kind of transaction?",
    ],
)
def test_words_that_need_no_antecedent_or_have_it_in_the_question_point_to_nothing(question: str) -> None:
    assert phrases(question) == []


@given(st.text(max_size=300), st.text(max_size=100))
def test_what_points_is_a_stretch_of_the_question(question: str, history: str) -> None:
    for each in find_pointing(question, history, language="en"):
        assert each.span.of(question) == each.phrase


@pytest.mark.parametrize("time", ["this week", "this month", "this quarter", "this year", "that day"])
def test_a_time_that_is_known_is_clear(time: str) -> None:
    assert clarity_of(f"What happened {time}?", "", (time,), "en").ask_score == 0
    assert clarity_of("What happened in this case?", "", (time,), "en").ask_score == 1


def test_an_unclear_question_is_asked_back_with_the_things_of_its_kind() -> None:
    kind, other = probe_of("The rover drove.", "Sojourner", "Spirit", "SPIRIT"), probe_of("It orbits.", "Hubble")
    supplement = asked("What did that rover find?", (*other, *kind))
    assert supplement == QuestionSupplement(True, 'What do you mean by "that rover"?', ("Sojourner", "Spirit"))


def test_a_pronoun_may_mean_what_the_rest_of_the_question_is_said_of() -> None:
    texts = {"Viking 1": "It landed in 1976.", "Hubble": "It sees far.", "Luna 9": "The landing was soft."}
    probe = tuple(Evidence(Passage(title, title, text, title=title)) for title, text in texts.items())
    assert asked("When did it land?", probe).supply_choices == ("Viking 1", "Luna 9")
    assert not asked("When did it land?", probe[:2]).is_supply


@pytest.mark.parametrize("titles", [(), ("Viking 1",), ("Viking 1", "Viking  1", "VIKING 1")])
def test_with_fewer_than_two_things_of_its_kind_the_turn_goes_on(titles: tuple[str, ...]) -> None:
    assert not asked("When did that mission land?", probe_of("The mission.", *titles)).is_supply


def test_documents_of_one_title_are_told_apart_by_their_dates() -> None:
    old = probe_of("The report.", "Annual report", date="2023-05-01")
    new = probe_of("The report.", "Annual report", date="2024-05-02")
    other = probe_of("The report.", "Audit report", date="2022-01-01")
    offered = asked("What does that report say?", old + new + other).supply_choices
    folded = replace(old[0], near_duplicates=(NearDuplicate(new[0].passage, 0.96),))
    assert offered == asked("What does that report say?", (folded, *other)).supply_choices
    assert offered == ("Annual report (2023-05-01)", "Annual report (2024-05-02)", "Audit report")


def test_below_the_threshold_nothing_is_asked() -> None:
    clarity, probe = clarity_of("When did it land?", "", (), "en"), probe_of("It landed.", "A", "B")
    assert question_back(clarity, 1.0, None, probe).is_supply
    assert not question_back(clarity, 2.0, None, probe).is_supply


def test_a_question_that_was_surely_condensed_is_not_asked_back() -> None:
    probe = probe_of("The case.", "A", "B")
    assert not asked("Did the defendant answer in this case?", probe, SURE).is_supply
    assert asked("Did the defendant answer in this case?", probe, replace(SURE, confidence=0.5)).is_supply


def test_at_most_five_choices_are_offered() -> None:
    assert len(asked("What was said in this case?", probe_of("A case.", *"ABCDEFG")).supply_choices) == 5


def test_a_document_without_title_is_told_by_how_its_passage_begins() -> None:
    long = Evidence(Passage("p", "d", "word " * 100))
    assert options((*probe_of("Some text. More.", ""), long)) == ("Some text. More.", "word " * 14 + "word …")


@pytest.mark.parametrize(
    ("question", "result"),
    [
        ("What is the purpose of that NASA mission?", "What is the purpose of Viking 1?"),
        ("When did it land?", "When did Viking 1 land?"),
        ("What is its mass?", "What is Viking 1's mass?"),
        ("How heavy is that one?", "How heavy is Viking 1?"),
        ("What is the deadline?", "Viking 1: What is the deadline?"),
        ("landing date", "Viking 1: landing date"),
        ("", "Viking 1"),
    ],
)
def test_a_pick_is_merged_with_the_question_that_was_unclear(question: str, result: str) -> None:
    assert merge(question, "Viking 1", language="en") == result
