"""German sentences about events: verbs, roles of dates, and descriptions of the same event."""

import pytest

from libs.chronology.eventfulness import eventfulness, verbs_in
from libs.chronology.similarity import EventDescription, signatures_of
from libs.contracts.dates import Precision


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
