import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.intent.entities import complete_names
from services.intent.groundings import rewrite


@pytest.mark.parametrize(
    ("question", "history", "rewritten"),
    [
        ("When did Armstrong land?", ["Neil Armstrong stepped out. Armstrong spoke."], "When did Neil Armstrong land?"),
        ("What about Aldrin's doctorate?", ["Buzz Aldrin and Michael Collins"], "What about Buzz Aldrin's doctorate?"),
        ("Did Curie win twice?", ["Dr. Marie Curie won."], "Did Marie Curie win twice?"),
        ("When was Kennedy shot?", ["President John F. Kennedy spoke."], "When was John F. Kennedy shot?"),
        ("When did Express launch?", ["Tell me about Venus Express"], "When did Venus Express launch?"),
        ("Who flew on Apollo?", ["Tell me about Apollo 11."], "Who flew on Apollo 11?"),
        ("What did he see on Viking?", ["Viking 1 landed."], "What did he see on Viking 1?"),
    ],
)
def test_a_name_is_completed_from_what_was_said(question: str, history: list[str], rewritten: str) -> None:
    groundings = complete_names(question, history, (), "en")
    assert rewrite(question, groundings) == rewritten
    assert groundings[0].grounded.reason == "told so in the conversation"
    assert groundings[0].grounded.span.of(question) == groundings[0].grounded.phrase


@pytest.mark.parametrize(
    ("question", "history", "first", "second"),
    [
        ("What did Armstrong play?", ["Neil Armstrong", "Louis Armstrong"], "Neil Armstrong", "Louis Armstrong"),
        ("Who flew on Apollo?", ["Apollo 11 landed.", "Apollo 13 failed."], "Apollo 11", "Apollo 13"),
    ],
)
def test_a_name_that_may_be_two_is_left_and_both_are_said(
    question: str, history: list[str], first: str, second: str
) -> None:
    (grounding,) = complete_names(question, history, (), "en")
    assert (grounding.replaced_span, grounding.grounded.value) == (None, "")
    assert first in grounding.grounded.reason
    assert second in grounding.grounded.reason


@pytest.mark.parametrize(
    ("question", "history"),
    [
        ("How many Apollo missions were there?", ["Tell me about Apollo 11."]),
        ("When did Viking land?", ["Viking 1 landed."]),
        ("How far is Mars?", ["Mars is a planet. The Soviet Mars probes failed."]),
        ("Where is Mexico?", ["I live in New Mexico."]),
        ("How bright is the Moon?", ["The Full Moon is bright."]),
        ("What did NASA do?", ["At the Johnson NASA centre"]),
        ("Who was E. E. Cummings?", ["The poet Edward Cummings"]),
        ("So I can get a pass with my Library card?", ["The California State Library lends passes."]),
        ("Is Soccer watched?", ["Major League Soccer", "soccer is watched"]),
        ("When was Neil Armstrong born?", ["Neil Alden Armstrong"]),
        ("When was Gagarin born?", ["Neil Armstrong"]),
        ("Why?", ["Neil Armstrong"]),
        ("How much is a hotel in Zurich?", ["Hotels cost at most 140 euros, in London and Zurich 190 euros."]),
    ],
)
def test_in_doubt_a_name_is_left_in_silence(question: str, history: list[str]) -> None:
    assert complete_names(question, history, (), "en") == ()


def test_a_probes_titles_are_asked_where_the_history_tells_nothing() -> None:
    (grounding,) = complete_names("When was Armstrong born?", [], ["Neil Armstrong"], language="en")
    assert grounding.grounded.value == "Neil Armstrong"
    assert "corpus" in grounding.grounded.reason
    (grounding,) = complete_names("When was Armstrong born?", ["Louis Armstrong"], ["Neil Armstrong"], language="en")
    assert grounding.grounded.value == "Louis Armstrong"


@given(st.text(max_size=200), st.lists(st.text(max_size=200), max_size=3))
def test_any_text_is_taken_and_spans_hold_their_phrases(question: str, history: list[str]) -> None:
    for grounding in complete_names(question, history, (), "en"):
        assert grounding.grounded.span.of(question) == grounding.grounded.phrase
