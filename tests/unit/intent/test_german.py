"""German questions: asking back, picking an option, wishing for a timeline."""

from datetime import UTC, datetime

import pytest

from libs.contracts.evidence import EngineScores, Evidence, Passage, Relevance
from libs.contracts.understanding import RangeUse
from services.intent.clarify import clarity_of, question_back
from services.intent.grounding.times import ground_times
from services.intent.pointing import find_pointing
from services.intent.rules import merge

_OPTIONS = ("Hallenbad am Anger", "Freibad Waldsee")


def _evidence(title: str) -> Evidence:
    return Evidence(
        Passage(title, title, "Es hat täglich geöffnet.", title=title, language="de"), EngineScores(), 1, Relevance.HIGH
    )


def phrases(question: str, history: str = "") -> list[str]:
    return [each.phrase for each in find_pointing(question, history, "de")]


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        ("Wie hoch ist sie?", "sie"),
        ("Wann wurde er gebaut?", "er"),
        ("Was kostet dieser Kurs?", "dieser Kurs"),
        ("Wie alt ist ihr Gründer?", "ihr"),
        ("Wo kann ich ihn abholen?", "ihn"),
    ],
)
def test_what_names_nothing_points(question: str, phrase: str) -> None:
    assert phrases(question) == [phrase]
    is_pronoun = " " not in phrase
    assert phrases(question, "Wo steht der Turm?") == ([] if is_pronoun else [phrase])


@pytest.mark.parametrize(
    "question",
    [
        "Wie hoch ist der Rathausturm?",
        "Gibt es in der Stadt ein Kino?",
        "Was muss die Mieterin tun, wenn sie auszieht?",
        "Können Sie mir die Adresse nennen?",
        "Ist es erlaubt, im Park zu grillen?",
        "Was kostet es mich im Jahr?",
        "Wie lange dauert es bis zur Antwort?",
        "was ist zwischen März und Mai 2026 in der werkstatt passiert",
    ],
)
def test_what_names_its_topic_is_clear(question: str) -> None:
    assert phrases(question) == []


def test_the_question_back_is_german() -> None:
    clarity = clarity_of("Wann hat es geöffnet?", "", (), "de")
    supplement = question_back(clarity, 1.0, None, [_evidence(title) for title in _OPTIONS])
    assert supplement.is_supply
    assert supplement.supply_description == "Was meinen Sie mit „es“?"
    assert supplement.supply_choices == _OPTIONS


def test_the_pick_takes_the_place_of_the_unclear_word() -> None:
    assert merge("Wann hat es geöffnet?", "Freibad Waldsee", "de") == "Wann hat Freibad Waldsee geöffnet?"


@pytest.mark.parametrize(
    ("question", "value", "use"),
    [
        ("Was geschah letzte Woche?", "2026-02-23/2026-03-02", RangeUse.FILTER),
        ("Nachrichten von gestern", "2026-03-01/2026-03-02", RangeUse.FILTER),
        ("Welche Berichte sind im Mai 2024 erschienen?", "2024-05-01/2024-06-01", RangeUse.BOOST),
        ("Berichte vom Mai 2024", "2024-05-01/2024-06-01", RangeUse.BOOST),
    ],
)
def test_a_german_time_is_grounded(question: str, value: str, use: RangeUse) -> None:
    times = ground_times(question, datetime(2026, 3, 2, 9, tzinfo=UTC), "de")
    (grounding,) = times.groundings
    assert (grounding.grounded.value, times.use) == (value, use)
