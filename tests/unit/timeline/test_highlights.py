"""The few events that a question is about, and the words in them to set off."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from services.timeline.events import find_events
from services.timeline.highlights import highlight, words_of
from tests.unit.timeline.evidence_making import documents

QUESTION = "What is the history of Mars landings?"
TOLD = (
    "Viking 1 landed on Mars on 20 July 1976.",
    "Mariner 4 passed Mars on 15 July 1965.",
    "Mars 3 made the first soft landing on Mars on 2 December 1971.",
)


def test_the_few_that_tell_all_that_is_asked_have_their_words_set_off() -> None:
    statements = find_events(QUESTION, documents(*TOLD))
    spans = highlight(statements.query, statements.events)
    assert [[span.of(event.text) for span in of] for event, of in zip(statements.events, spans, strict=True)] == [
        ["landed", "Mars"],
        [],
        ["Mars", "landing", "Mars"],
    ]


def test_they_are_a_fifth_and_at_least_three() -> None:
    statements = find_events(
        QUESTION, documents(*(f"Probe {n} landed on Mars on {n} July 1999." for n in range(1, 31)))
    )
    assert sum(bool(spans) for spans in highlight(statements.query, statements.events)) == 6


def test_neighbouring_words_are_one_span() -> None:
    statements = find_events("Mars landings", documents(*TOLD))
    text = "The Mars lander came."
    assert [span.of(text) for span in words_of(statements.query, text)] == ["Mars lander"]


def test_words_of_dates_are_set_off_only_where_there_are_no_others() -> None:
    statements = find_events("Mars landings in July 1976", documents(*TOLD))
    texts = ("A Mars probe landed in July 1976.", "It happened in July 1976.")
    assert [[span.of(text) for span in words_of(statements.query, text)] for text in texts] == [
        ["Mars", "landed"],
        ["July 1976"],
    ]


def test_a_question_about_nothing_in_particular_sets_nothing_off() -> None:
    statements = find_events("What happened when?", documents(*TOLD))
    assert highlight(statements.query, statements.events) == [(), (), ()]


@given(st.text(alphabet="Mars land 19\n.", max_size=60))
def test_spans_lie_in_the_text_in_order_and_apart(text: str) -> None:
    query = find_events(QUESTION, documents(*TOLD)).query
    spans = words_of(query, text)
    assert all(a.end < b.start for a, b in pairwise(spans))
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
