"""German questions: places, names and events. Most were written after the mechanism, by the author of the rules."""

import pytest

from libs.contracts.dates import PartialDate
from libs.contracts.understanding import RelatedEvent
from services.intent.entities import complete_names
from services.intent.groundings import rewrite
from services.intent.places import ground_places
from services.intent.related_event import find_related_event


@pytest.mark.parametrize(
    ("question", "rewritten"),
    [
        ("Welche Museen gibt es in der Nähe?", "Welche Museen gibt es in der Nähe von Kassel?"),
        ("Gibt es hier ein Kino?", "Gibt es in Kassel ein Kino?"),
        ("Wie weit ist es von hier nach Berlin?", "Wie weit ist es von Kassel nach Berlin?"),
        ("Wie ist das Wetter hier?", "Wie ist das Wetter in Kassel?"),
        ("Wer ist Bürgermeister in dieser Stadt?", "Wer ist Bürgermeister in Kassel?"),
        ("Welche Apotheke hat bei uns um die Ecke auf?", "Welche Apotheke hat in der Nähe von Kassel auf?"),
        ("Wie viele Einwohner hat meine Stadt?", "Wie viele Einwohner hat Kassel?"),
        ("Wann fährt der letzte Bus von hier aus?", "Wann fährt der letzte Bus von Kassel?"),
    ],
)
def test_words_for_here_become_the_sessions_place(question: str, rewritten: str) -> None:
    assert rewrite(question, ground_places(question, "Kassel", "de", has_history=False)) == rewritten


@pytest.mark.parametrize(
    "question",
    [
        "Was liegt in der Nähe des Bahnhofs?",
        "Hier ist meine Frage: Was ist ein Komet?",
        "Was ist hier gemeint?",
        "Worum geht es hier?",
        "Welche Museen gibt es in der Nähe von Köln?",
        "Was bedeutet hier der Begriff Pegel?",
    ],
)
def test_other_heres_stay(question: str) -> None:
    assert ground_places(question, "Kassel", "de", has_history=False) == ()


def test_this_city_may_be_one_that_was_mentioned() -> None:
    (grounding,) = ground_places("Welche Museen gibt es in dieser Stadt?", "Kassel", "de", has_history=True)
    assert grounding.replaced_span is None


@pytest.mark.parametrize(
    ("question", "history", "rewritten"),
    [
        ("Wann wurde Weber gewählt?", ["Bürgermeisterin Anna Weber kam."], "Wann wurde Anna Weber gewählt?"),
        ("Hat Curie zweimal gewonnen?", ["Als Dr. Marie Curie gewann"], "Hat Marie Curie zweimal gewonnen?"),
        ("Wer flog mit Apollo?", ["Was weißt du von Apollo 11?"], "Wer flog mit Apollo 11?"),
    ],
)
def test_a_name_is_completed(question: str, history: list[str], rewritten: str) -> None:
    assert rewrite(question, complete_names(question, history, (), "de")) == rewritten


@pytest.mark.parametrize(
    ("question", "history"),
    [
        ("Gab es damals Wasser?", ["Im Sommer Wasser sparen. Das Wasser ist knapp."]),
        ("Wie alt ist die Brücke?", ["Die Alte Brücke steht."]),
        ("Wie weit ist Mars entfernt?", ["Mars ist ein Planet. Die Sonde Mars Express flog hin."]),
        ("Wann wurde Weber gewählt?", ["Der Weber kam vorbei. Anna Weber auch."]),
        ("Was kostet der Eintritt?", ["Neil Armstrong"]),
    ],
)
def test_in_doubt_a_name_is_left(question: str, history: list[str]) -> None:
    assert complete_names(question, history, (), "de") == ()


def test_a_name_that_may_be_two_is_left_and_both_are_named() -> None:
    (grounding,) = complete_names("Was spielte Armstrong?", ["Mit Neil Armstrong und Louis Armstrong"], (), "de")
    assert grounding.replaced_span is None
    assert "Louis Armstrong" in grounding.grounded.reason


_TEXTS = (
    "Die Schlacht bei Hastings fand am 14. Oktober 1066 statt. Der Zweite Weltkrieg begann 1939. "
    "Apollo 11 startete am 16. Juli 1969. Nach der Challenger-Katastrophe am 28. Januar 1986 ruhte das Programm."
)


@pytest.mark.parametrize(
    ("question", "name", "date"),
    [
        ("Wer gewann die Schlacht bei Hastings?", "Schlacht bei Hastings", PartialDate(1066, 10, 14)),
        ("Wann begann der Zweite Weltkrieg?", "Zweite Weltkrieg", PartialDate(1939)),
        ("Was löste die Finanzkrise von 2008 aus?", "Finanzkrise von 2008", PartialDate(2008)),
        ("Was zerstörte das Hochwasser 2013?", "Hochwasser 2013", PartialDate(2013)),
        ("Wer flog mit Apollo 11?", "Apollo 11", PartialDate(1969, 7)),
        ("Was folgte auf die Challenger-Katastrophe?", "Challenger-Katastrophe", PartialDate(1986, 1, 28)),
        ("Wann brach die Französische Revolution aus?", "Französische Revolution", None),
    ],
)
def test_a_named_event_has_the_date_that_the_sources_agree_on(
    question: str, name: str, date: PartialDate | None
) -> None:
    assert find_related_event(question, (), (_TEXTS,), "de") == RelatedEvent(name, date)


@pytest.mark.parametrize("question", ["Wie weit ist der Mars?", "Was ist Windows 11?", "Was kostet das Schwimmbad?"])
def test_other_questions_name_no_event(question: str) -> None:
    assert find_related_event(question, (), (_TEXTS,), "de") is None
