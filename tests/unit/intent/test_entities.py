import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.intent.grounding.entities import complete_names
from services.intent.grounding.groundings import rewrite


@pytest.mark.parametrize(
    ("language", "question", "history", "rewritten"),
    [
        (
            "en",
            "When did Armstrong land?",
            ["Neil Armstrong stepped out. Armstrong spoke."],
            "When did Neil Armstrong land?",
        ),
        (
            "en",
            "What about Aldrin's doctorate?",
            ["Buzz Aldrin and Michael Collins"],
            "What about Buzz Aldrin's doctorate?",
        ),
        ("en", "Did Curie win twice?", ["Dr. Marie Curie won."], "Did Marie Curie win twice?"),
        ("en", "When was Kennedy shot?", ["President John F. Kennedy spoke."], "When was John F. Kennedy shot?"),
        ("en", "When did Express launch?", ["Tell me about Venus Express"], "When did Venus Express launch?"),
        (
            "en",
            "Who followed von Braun in 1970?",
            ["Wernher von Braun led it."],
            "Who followed Wernher von Braun in 1970?",
        ),
        ("en", "Was Braun a physicist?", ["Wernher von Braun led it."], "Was Wernher von Braun a physicist?"),
        ("en", "Did Shepard play golf?", ["Did you hear of Alan Shepard?"], "Did Alan Shepard play golf?"),
        ("de", "Wann wurde Weber gewählt?", ["Bürgermeisterin Anna Weber kam."], "Wann wurde Anna Weber gewählt?"),
        ("de", "Hat Curie zweimal gewonnen?", ["Als Dr. Marie Curie gewann"], "Hat Marie Curie zweimal gewonnen?"),
    ],
)
def test_a_name_is_completed_from_what_was_said(
    language: str, question: str, history: list[str], rewritten: str
) -> None:
    groundings = complete_names(question, history, language)
    assert rewrite(question, groundings) == rewritten
    assert groundings[0].grounded.reason == "told so in the conversation"
    assert groundings[0].grounded.span.of(question) == groundings[0].grounded.phrase


@pytest.mark.parametrize(
    ("language", "question", "history"),
    [
        ("en", "What did Armstrong play?", ["Neil Armstrong", "Louis Armstrong"]),
        ("en", "How many Apollo missions were there?", ["Tell me about Apollo 11."]),
        ("en", "When did Viking land?", ["Viking 1 landed."]),
        ("en", "How far is Mars?", ["Mars is a planet. The Soviet Mars probes failed."]),
        ("en", "Where is Mexico?", ["I live in New Mexico."]),
        ("en", "How bright is the Moon?", ["The Full Moon is bright."]),
        ("en", "What did NASA do?", ["At the Johnson NASA centre"]),
        ("en", "Who was E. E. Cummings?", ["The poet Edward Cummings"]),
        ("en", "So I can get a pass with my Library card?", ["The California State Library lends passes."]),
        ("en", "Is Soccer watched?", ["Major League Soccer", "soccer is watched"]),
        ("en", "When was Neil Armstrong born?", ["Neil Alden Armstrong"]),
        ("en", "When was Gagarin born?", ["Neil Armstrong"]),
        ("en", "Why?", ["Neil Armstrong"]),
        ("en", "How much is a hotel in Zurich?", ["Hotels cost at most 140 euros, in London and Zurich 190 euros."]),
        ("en", "What did the Curie family do?", ["Marie Curie won."]),
        ("en", "Who is Elon Musk?", ["Justine Musk"]),
        ("en", "What is Python?", ["Monty Python made films. A python is a snake."]),
        ("de", "Gab es damals Wasser?", ["Im Sommer Wasser sparen. Das Wasser ist knapp."]),
        ("de", "Wie alt ist die Brücke?", ["Die Alte Brücke steht."]),
        ("de", "Wie weit ist Mars entfernt?", ["Mars ist ein Planet. Die Sonde Mars Express flog hin."]),
        ("de", "Wann wurde Weber gewählt?", ["Der Weber kam vorbei. Anna Weber auch."]),
        ("de", "Was kostet der Eintritt?", ["Neil Armstrong"]),
    ],
)
def test_in_doubt_a_name_is_left_in_silence(language: str, question: str, history: list[str]) -> None:
    assert complete_names(question, history, language) == ()


@given(st.text(max_size=200), st.lists(st.text(max_size=200), max_size=3))
def test_any_text_is_taken_and_spans_hold_their_phrases(question: str, history: list[str]) -> None:
    for grounding in complete_names(question, history, "en"):
        assert grounding.grounded.span.of(question) == grounding.grounded.phrase
