"""Sources that give different dates for one event are shown, not settled in silence."""

from datetime import date, timedelta
from random import Random

import pytest

from libs.chronology.similarity import signatures_of
from libs.contracts.timeline import Timeline
from services.timeline.conflicts import find_conflicts
from services.timeline.extraction.events import find_events
from tests.unit.timeline.evidence_making import corpus_in_passages, documents, draw_timeline, events_of


def conflicts(*texts: str) -> list[tuple[str, str]]:
    events = events_of(*texts, date="2024-01-01")
    return [
        (events[conflict.first].date_text, events[conflict.second].date_text)
        for conflict in find_conflicts(events, signatures_of([event.description for event in events], language="en"))
    ]


@pytest.mark.parametrize(
    "texts",
    [
        ("Luna 9 landed on the Moon in 1966.", "Luna 13 landed on the Moon in December 1966."),
        (
            "The congress met in Paris in 1958.",
            "The congress met in Paris in 1958 and the congress met in Paris in 1963.",
        ),
        (
            "Viking 1 landed on 20 July 1976.",
            "Viking 1 was planned and landed only on paper; it was to land on 4 July 1976.",
        ),
    ],
)
def test_what_may_both_be_true_is_no_conflict(texts: tuple[str, str]) -> None:
    assert conflicts(*texts) == []


def test_sentences_about_the_thing_of_their_document_are_compared_as_such() -> None:
    pathfinder = "Mars Pathfinder was cheap. It was launched on 4 December 1996 with a Delta rocket."
    phoenix = "Phoenix was cheap. It was launched on 4 August 2007 with a Delta rocket."
    sources = documents(pathfinder, phoenix)
    assert draw_timeline(find_events("timeline", sources), 10).conflicts == ()


def test_a_planted_conflict_is_found_among_the_samples_and_no_other() -> None:
    conflict_documents = documents(
        "Akatsuki was launched on 18 May 2010, universal time, from Tanegashima with an H-IIA rocket."
    )
    statements = find_events("timeline", [*corpus_in_passages(), *conflict_documents])
    timeline = draw_timeline(statements, 1000)
    (conflict,) = timeline.conflicts
    dates = {event.event_id: str(event.start) for event in timeline.events}
    assert [dates[event_id] for event_id in conflict.event_ids] == ["2010-05-18", "2010-05-20"]


DOCUMENTS = 200
SHIPS = ("Aurora", "Borealis", "Cormorant", "Dunlin", "Egret", "Fulmar", "Gannet", "Heron", "Ibis", "Kestrel")
PORTS = ("Narvik", "Tallinn", "Gdynia", "Malmo", "Turku", "Vigo", "Cadiz", "Genoa", "Piraeus", "Varna")
DEEDS = (
    "The freighter {ship} left {port} {when} with a cargo of timber.",
    "The freighter {ship} reached {port} {when} with a cargo of timber.",
    "{When} the freighter {ship} was repaired at {port} after a storm.",
    "The freighter {ship} ran aground off {port} {when} and was pulled free by two tugs.",
    "A fire broke out on the freighter {ship} at {port} {when} and was put out by its crew.",
)
RECURRING = "Every spring the freighter {ship} was painted at {port}; this happened {when}."
PLANNED = "The freighter {ship} was to leave {port} {when} with a cargo of timber."


def day_in_words(day: date, form: int) -> str:
    """To the day, the month or the year."""
    return (f"on {day.day} {day:%B %Y}", f"in {day:%B %Y}", f"in {day.year}")[form]


def tell(template: str, ship: str, port: str, when: str) -> str:
    """A sentence, and one beside it that tells no date."""
    text = template.format(ship=ship, port=port, when=when, When=when[0].upper() + when[1:])
    return f"{text} Its owner was satisfied."


def near_alike(random: Random) -> list[str]:
    """Each event (a deed, a ship, a port) has one day, told by one document or several, more or less exactly.

    Some are said to recur and some were only planned, on any day.
    """
    days: dict[tuple[str, str, str], date] = {}
    texts = []
    for _ in range(DOCUMENTS - 2):
        event = (random.choice(DEEDS), random.choice(SHIPS), random.choice(PORTS))
        any_day = date(1950, 1, 1) + timedelta(days=random.randrange(18_000))
        if random.random() < 0.1:
            texts.append(tell(random.choice((RECURRING, PLANNED)), *event[1:], day_in_words(any_day, 0)))
        else:
            texts.append(tell(*event, day_in_words(days.setdefault(event, any_day), random.choice((0, 0, 1, 2)))))
    return texts


def timeline_of(texts: list[str]) -> Timeline:
    """All that the documents tell."""
    return draw_timeline(find_events("What happened when?", documents(*texts)), 500)


@pytest.mark.parametrize("seed", range(5))
def test_a_planted_conflict_is_found_and_no_false_one(seed: int) -> None:
    random = Random(100 + seed)
    template, first = random.choice(DEEDS), date(1990, 3, 1) + timedelta(days=random.randrange(3000))
    second = first + timedelta(days=random.choice((1, 2, 31, 365)))
    texts = near_alike(random)
    for day in (first, second):
        texts.insert(random.randrange(len(texts)), tell(template, "Waldemar", "Riga", day_in_words(day, 0)))
    timeline = timeline_of(texts)
    (conflict,) = timeline.conflicts
    events = {event.event_id: event for event in timeline.events}
    assert [str(events[event_id].start) for event_id in conflict.event_ids] == [str(first), str(second)]
    assert all("Waldemar" in events[event_id].sources[0].quote for event_id in conflict.event_ids)
