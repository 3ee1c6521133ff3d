"""On which of its dates that happened which a sentence tells."""

from services.timeline.extraction.event_extraction import MAX_DATES
from tests.unit.timeline.evidence_making import events_of, when

DAY = "2023-04-11"  # a Tuesday


def test_a_sentence_of_two_events_is_two_each_with_its_words_and_its_quote() -> None:
    events = events_of("Luna 17 was launched on 10 November 1970 and landed on 17 November 1970.")
    assert [(when(event), event.text) for event in events] == [
        ("1970-11-10", "Luna 17 was launched on 10 November 1970"),
        ("1970-11-17", "Luna 17 … landed on 17 November 1970."),
    ]
    assert events[1].sources[0].quote == "landed on 17 November 1970."


def test_in_news_what_happened_on_one_day_is_several_events() -> None:
    events = events_of("On Thursday a ferry sank and a pier collapsed. It was raised yesterday.", date=DAY)
    assert [(event.text, when(event)) for event in events][:2] == [
        ("On Thursday a ferry sank and a pier collapsed.", "2023-04-06"),
        ("It was raised yesterday.", "2023-04-10"),
    ]
    (sank, escape, _) = events_of("On Thursday a gunman shot a guard and fled. He died yesterday.", date=DAY)
    assert (sank.text, escape.text) == ("On Thursday a gunman shot a guard", "A gunman … fled.")
    assert (when(escape), escape.carried) == (when(sank), True)


def test_what_was_before_is_an_event_of_its_own_and_stands_before() -> None:
    events = events_of("On Thursday radar lost the plane, ten minutes after it left the island.", date=DAY)
    assert [(event.text, when(event)) for event in events] == [
        ("It left the island.", "2023-04-06"),
        ("On Thursday radar lost the plane", "2023-04-06"),
    ]
    assert len(events_of("On Thursday radar lost the plane after leaving the island it passed.", date=DAY)) == 1


def test_a_clause_goes_on_from_the_date_told_before_it_in_its_sentence() -> None:
    events = events_of("A ferry was sold in May 2001 and painted white. It sank on Thursday.", date=DAY)
    assert [when(event) for event in events] == ["2001-05", "2001-05", "2023-04-06"]


def test_of_dates_on_which_nothing_happened_the_nearest_to_that_is_told() -> None:
    (event,) = events_of("It has been missing since December 2003, unlike in 1990.")
    assert when(event) == "2003-12"


def test_a_sentence_tells_only_so_many_events() -> None:
    text = ", ".join(f"in {year} a port opened" for year in range(1990, 2000))
    assert len(events_of(f"As is known, {text}.")) == MAX_DATES


def test_the_year_of_a_named_source_dates_nothing() -> None:
    assert events_of("The craters were dated by Smith et al. (2004).") == []
    assert events_of("The craters are old (Hartmann and Neukum, 2001).") == []
