"""The sentences of the evidence that tell when something happened, and their ranking."""

import pytest

from libs.chronology.eventfulness import eventfulness
from libs.contracts.dates import Precision
from services.timeline.extraction.events import find_events
from tests.unit.timeline.evidence_making import draw_timeline, events_of, evidence, passage, when

NAMES = ("sails", "masts", "ropes", "decks", "pumps", "lamps", "doors", "bells", "charts", "flags", "anchors", "rails")
TEXT = "Luna 9 was small. Luna 9 landed on 3 February 1966. Its signal ended on 6 February 1966 [4]."


def test_a_dated_sentence_is_an_event_with_its_words_and_the_span_that_shows_them() -> None:
    event = events_of(TEXT)[0]
    assert (event.text, when(event), event.date_text) == (
        "Luna 9 landed on 3 February 1966.",
        "1966-02-03",
        "3 February 1966",
    )
    (source,) = event.sources
    assert source.span.of(TEXT) == source.quote == "Luna 9 landed on 3 February 1966."


def test_the_text_is_trimmed_of_citations_and_the_quote_is_not() -> None:
    event = events_of(TEXT)[1]
    assert event.text == "Its signal ended on 6 February 1966."
    assert event.sources[0].quote == "Its signal ended on 6 February 1966 [4]."


def test_a_date_in_passing_is_no_event_beside_one_that_is() -> None:
    events = events_of("In January 2015 pictures showed Beagle 2, missing since December 2003.")
    assert [when(event) for event in events] == ["2015-01"]


def test_what_the_question_asks_for_comes_before_the_rest() -> None:
    events = events_of(
        "Mariner 9 entered orbit round Mars on 14 November 1971.",
        "Viking 1 landed on Mars on 20 July 1976.",
        "Luna 9 landed on the Moon on 3 February 1966.",
        question="What is the history of Mars landings?",
    )
    best = sorted(events, key=lambda event: -event.score)
    assert [event.text.split()[0] for event in best] == ["Viking", "Mariner", "Luna"]
    assert best[-1].relevance < 0.2, "another world than the one asked about"


def test_a_document_about_the_thing_lends_its_name_to_its_sentences() -> None:
    lander = passage("The lander touched the ground on 20 July 1976.", "viking", title="Viking 1 on Mars")
    probe = passage("The lander touched the ground on 3 February 1966.", "luna", title="Luna 9 on the Moon")
    viking, luna = find_events("When did probes touch Mars?", evidence(lander, probe))
    assert viking.relevance > 3 * luna.relevance


def test_a_name_with_a_number_is_one_name() -> None:
    events = events_of(
        "Apollo 11 landed on 20 July 1969.",
        "Apollo 13 came home on 17 April 1970.",
        question="What happened on Apollo 11?",
    )
    assert events[0].relevance > 3 * events[1].relevance


def test_a_question_about_nothing_in_particular_takes_everything() -> None:
    assert {event.relevance for event in events_of(TEXT, question="What happened when?")} == {1.0}


def test_of_several_dates_in_a_sentence_the_one_beside_the_words_asked_for_counts_most() -> None:
    text = "The probe passed Venus on 26 April 1998, the Earth on 18 August 1999 and Jupiter on 30 December 2000."
    events = events_of(text, question="When was Jupiter passed?")
    assert when(max(events, key=lambda event: event.score)) == "2000-12-30"


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("The probe landed and sent pictures.", "The probe was a heavy machine."),
        ("1969: Apollo 11 lands", "The probe is large."),
        ("The probe landed.", "When was it that the probe landed?"),
    ],
)
def test_more_happens_in_one_sentence_than_in_another(more: str, less: str) -> None:
    assert eventfulness(more, Precision.DAY, language="en") > eventfulness(less, Precision.DAY, language="en")


def test_an_exact_date_stands_with_an_event_more_than_a_vague_one() -> None:
    scores = [eventfulness("The probe landed.", precision, language="en") for precision in Precision]
    assert scores == sorted(scores, reverse=True)


def test_plans_rank_below_what_happened() -> None:
    plan, landing = events_of(
        "Rosalind is to land on Mars in 2030.", "Viking landed on Mars in 1976.", date="2024-01-01"
    )
    assert plan.score < landing.score
    assert not plan.happened


def test_a_rocket_of_the_planets_name_is_not_the_planet() -> None:
    events = events_of(
        "Cassini reached Saturn on 1 July 2004, and Saturn has rings.",
        "The Saturn V with Apollo 11 lifted off on 16 July 1969.",
        question="What happened at Saturn?",
    )
    relevance = {event.text.split()[0]: event.relevance for event in events}
    assert relevance["Cassini"] > 0.5
    assert relevance["The"] == 0


def test_a_name_that_mostly_has_a_number_is_meant_without_it_and_a_series_has_its_members() -> None:
    war = events_of("World War II began on 1 September 1939.", question="What happened in the World War?")
    series = events_of("Apollo 11 landed on 20 July 1969.", question="What happened in the Apollo programme?")
    assert min(event.relevance for event in (*war, *series)) > 0.3


def test_of_a_list_of_releases_every_entry_is_told() -> None:
    entries = "".join(f"## {n}.0 (20{n}-03-01)\n\n- Repairs the {name}.\n\n" for n, name in enumerate(NAMES, 10))
    news = passage("Kelp 10.0 was released on 1 March 2010, said the makers of Kelp.", "news", title="Kelp released")
    sources = evidence(news, passage(f"# Releases of Kelp\n\n{entries}", title="Releases of Kelp"))
    timeline = draw_timeline(find_events("What are the releases of Kelp?", sources), 0)
    assert {f"20{n}-03-01" for n, _ in enumerate(NAMES, 10)} <= {when(event) for event in timeline.events}


def test_the_many_changes_of_one_release_leave_room_for_the_others() -> None:
    changes = [f"- Repairs the {name} of the {other}." for name in NAMES for other in NAMES]
    entries = "".join(f"## {n}.0 (20{n}-03-01)\n\n" + "\n".join(changes) + "\n\n" for n in (10, 11, 12, 13))
    text = passage(f"# Releases of Kelp\n\n{entries}", title="Releases of Kelp")
    timeline = draw_timeline(find_events("What are the releases of Kelp?", evidence(text)), 8)
    assert {when(event) for event in timeline.events} == {"2010-03-01", "2011-03-01", "2012-03-01", "2013-03-01"}
