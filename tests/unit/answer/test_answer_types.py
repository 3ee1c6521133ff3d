"""What a sentence holds of the wanted kind."""

import pytest

from libs.contracts.evidence import EngineScores, Evidence, Passage, Relevance
from libs.contracts.stages.answer import ExtractRequest
from services.answer.questions.answer_types import holds_answer_type, quantities
from services.answer.questions.extract import extract_answer
from services.answer.questions.question import read_question

WHEN = read_question("When are expense reports paid?", language="en")


@pytest.mark.parametrize(
    ("sentence", "fit"),
    [
        ("They were paid on 3 May 2026.", 1.0),
        ("It opened in March.", 1.0),
        ("NEWS OF MAY 2024", 1.0),
    ],
)
def test_a_sentence_may_tell_when(sentence: str, fit: float) -> None:
    assert holds_answer_type(WHEN, sentence, language="en") == fit


def test_a_time_of_day_does_not_tell_when_something_happened() -> None:
    question = read_question("When did the Eagle land?", language="en")
    assert holds_answer_type(question, "It landed at 20:17 universal time.", language="en") == 0.0
    assert holds_answer_type(question, "It landed on 20 July 1969.", language="en") == 1.0


@pytest.mark.parametrize(
    "sentence",
    [
        "Hotels may cost at most 140 euros a night.",
        "They march 20 miles.",
        "Meals are reimbursed with a daily allowance of 28 euros.",
        "A carton mars 12 pages.",
    ],
)
def test_words_that_only_look_like_a_time_do_not(sentence: str) -> None:
    assert holds_answer_type(WHEN, sentence, language="en") == 0.0


OPENED = "Wann wurde die Brücke eröffnet?"


@pytest.mark.parametrize(
    ("question", "sentence", "fit"),
    [
        (OPENED, "Sie wurde am 3. Oktober 1931 eröffnet.", 1.0),
        (OPENED, "Am 3.10.1931 kam der Minister.", 1.0),
        (OPENED, "Sie stammt aus dem 19. Jahrhundert.", 0.8),
        (OPENED, "Die Brücke ist 1931 m lang.", 0.0),
        (OPENED, "Sie wird täglich befahren.", 0.0),
        ("Wie viele Türme hat das Schloss?", "Das Schloss hat vier runde Türme.", 1.0),
        ("Wie viele Türme hat das Schloss?", "Im Jahr 1890 wurde es gebaut.", 0.0),
        ("Wie hoch ist der Turm?", "Der Turm ist 48,5 Meter hoch.", 1.0),
        ("Wie hoch ist der Turm?", "Der Turm hat 300 Stufen.", 0.25),
        ("Wo steht das Denkmal?", "Es steht am Gänsemarkt.", 1.0),
        ("Wo steht das Denkmal?", "Es wird in der Regel im Sommer geputzt.", 0.0),
        ("Wer hat das Rathaus entworfen?", "Es wurde von Karl Riedel entworfen.", 1.0),
        ("Wer hat das Rathaus entworfen?", "Der Baumeister entwarf es schnell.", 0.0),
    ],
)
def test_a_sentence_has_the_kind_of_answer_that_is_asked_for(question: str, sentence: str, fit: float) -> None:
    assert holds_answer_type(read_question(question, "de"), sentence, "de") == fit


def test_neither_a_year_nor_the_number_of_a_name_is_a_quantity() -> None:
    numbers = list(quantities("Im Jahr 1890 fuhr die Linie 5 auf 48,5 Kilometern an drei Häfen vorbei.", "de"))
    assert [(str(number.value), number.unit) for number in numbers] == [("48.5", "km"), ("3", None)]


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (
            "Wann wurde die Obere Melzbrücke eröffnet?",
            "Die Obere Melzbrücke wurde 1929 begonnen und am 3. Oktober 1931 eröffnet.",
            "3. Oktober 1931",
        ),
        ("Wie hoch ist der Fernmeldeturm?", "Der Fernmeldeturm ist 212 Meter hoch und hat 300 Stufen.", "212 Meter"),
        ("Wie viele Türme hat das Schloss Rabenau?", "Das Schloss Rabenau hat vier Türme und 31 Zimmer.", "vier"),
        ("Wo steht das Reiterdenkmal?", "Das Reiterdenkmal steht am Gänsemarkt und ist aus Bronze.", "Gänsemarkt"),
        ("Seit wann fährt die Straßenbahn?", "Die Straßenbahn fährt seit Mai 1890.", "Mai 1890"),
    ],
)
def test_a_short_answer_is_extracted(question: str, text: str, answer: str) -> None:
    passage = Passage("p", "d", text, title="Melzstadt", language="de")
    evidence = (Evidence(passage, EngineScores(fused=1.0), 1, Relevance.HIGH),)
    assert extract_answer(ExtractRequest(question, evidence)).answer == answer
