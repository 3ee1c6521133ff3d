"""German sentences about events: verbs, roles of dates, recurrence, and descriptions of the same event."""

import pytest

from libs.chronology.contradictions import recurs
from libs.chronology.eventfulness import eventfulness, verbs_in
from libs.chronology.roles import Role, role_of
from libs.chronology.similarity import EventDescription, signatures_of
from libs.contracts.dates import PartialDate, Precision
from libs.text.dates import DateMention


def role(text: str, year: int = 1971) -> Role:
    start = text.index(str(year))
    day = PartialDate(year)
    return role_of(text, DateMention(str(year), start, start + 4, day, day, Precision.YEAR), language="de")


@pytest.mark.parametrize(
    ("sentence", "verbs"),
    [
        ("Die Brücke stürzte ein und begrub zwei Autos.", ("stürzte",)),
        ("Das Schiff sank, und die Besatzung wurde gerettet.", ("sank", "gerettet")),
        ("Der Vertrag wurde unterzeichnet.", ("unterzeichnet",)),
        ("Die Sonde wurde gestartet.", ("gestartet",)),
        ("Die heutige Stadt ist heute bekannt.", ()),
        ("Die letzte alte Mühle gehört der Gemeinde.", ()),
    ],
)
def test_past_tenses_and_participles_are_verbs_of_events(sentence: str, verbs: tuple[str, ...]) -> None:
    assert verbs_in(sentence, "de") == verbs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1971 landete die Sonde.", Role.EVENT),
        ("Die Sonde, die 1971 landete, sendet noch.", Role.EVENT),
        ("Die 1971 gestartete Sonde sendet noch.", Role.ASIDE),
        ("Das Hochwasser von 1971 war schlimmer.", Role.ASIDE),
        ("Im Sommer des Jahres 1971 sank das Boot.", Role.EVENT),
        ("Die Linie fuhr bis 1971.", Role.BOUND),
        ("Es regnete mehr als im Jahr 1971.", Role.ASIDE),
        ("Die Bahn soll 1971 eröffnet werden.", Role.PLANNED),
        ("Wie geplant wurde die Bahn 1971 eröffnet.", Role.EVENT),
        ("Johannes Kepler (1971) schrieb es.", Role.ASIDE),
    ],
)
def test_the_role_of_a_date_shows_in_the_words_around_it(text: str, expected: Role) -> None:
    assert role(text) is expected


@pytest.mark.parametrize(("text", "expected"), [("Das Fest findet jährlich statt.", True), ("Er kam an.", False)])
def test_recurring_events_are_recognised(text: str, expected: bool) -> None:
    assert recurs(text, "de") is expected


def test_nouns_are_no_names_that_tell_events_apart() -> None:
    first, second = signatures_of(
        [
            EventDescription("Bei einem Brand in der Fabrik starben drei Arbeiter", "a"),
            EventDescription("Drei Arbeiter starben bei einem Feuer in der Fabrik", "b"),
        ],
        "de",
    )
    assert not first.contradicts(second)


def test_without_known_verbs_a_dated_sentence_counts_as_an_event() -> None:
    assert eventfulness("Silta romahti vuonna 1971.", Precision.YEAR, language="xx") == eventfulness(
        "The bridge collapsed in 1971.", Precision.YEAR, language="en"
    )
