"""One event told by many sources is on the timeline once, with all who tell it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from libs.chronology.similarity import alike, signatures_of
from services.timeline.duplicates import DUPLICATE, are_compatible, merge_duplicates
from services.timeline.extraction.events import EventCandidate
from tests.unit.timeline.evidence_making import events_of, when

BASE = ["Viking 1", "Viking 2", "Mars 3", "The probe"]
DID = ["landed on Mars", "entered orbit round Mars", "was launched"]
WHEN = ["in 1976", "in July 1976", "on 20 July 1976", "on 3 September 1976", "in the 1970s"]
STATEMENTS = st.lists(st.tuples(st.sampled_from(BASE), st.sampled_from(DID), st.sampled_from(WHEN)), max_size=12)


def merged_events(*texts: str) -> list[EventCandidate]:
    events = events_of(*texts)
    return [
        event
        for event, _ in merge_duplicates(events, signatures_of([event.description for event in events], language="en"))
    ]


def test_of_equally_precise_ones_the_one_that_more_documents_tell_is_kept() -> None:
    events = merged_events(
        "Viking 1 landed on Mars in July 1976.",
        "Viking 1 landed on Mars in 1976.",
        "Viking 1 landed on Mars in June 1976.",
        "In June 1976 Viking 1 landed on Mars.",
    )
    assert [(when(event), len(event.sources)) for event in events] == [("1976-07", 1), ("1976-06", 3)]


def test_on_one_day_fewer_words_need_to_agree() -> None:
    texts = ("Apollo 11 landed on the Moon {}.", "Apollo 11 landed safely on the grey Moon {}.")
    assert len(merged_events(*(text.format("on 20 July 1969") for text in texts))) == 1
    assert len(merged_events(*(text.format("in 1969") for text in texts))) == 2


def test_other_names_or_numbers_or_deeds_are_other_events() -> None:
    texts = (
        "Mars 2 was launched from Baikonur on a Proton rocket in May 1971.",
        "Mars 3 was launched from Baikonur on a Proton rocket in May 1971.",
        "Kosmos was launched from Baikonur on a Proton rocket in May 1971.",
        "Kosmos was destroyed at Baikonur on a Proton rocket in May 1971.",
    )
    assert len(merged_events(*texts)) == 4


def test_the_same_statement_of_one_sentence_is_cited_once() -> None:
    (event,) = merged_events("In 1976, on 20 July 1976, Viking 1 landed.")
    assert len(event.sources) == 1


@settings(deadline=None, max_examples=50)
@given(STATEMENTS)
def test_no_telling_is_lost_and_no_two_events_resemble_each_other(statements: list[tuple[str, str, str]]) -> None:
    texts = [f"{who} {did} {date}." for who, did, date in statements]
    events = merged_events(*texts)
    assert {source.document_id for event in events for source in event.sources} == {
        f"d{number}" for number in range(1, len(texts) + 1)
    }
    pairs = list(alike(signatures_of([event.description for event in events], language="en"), DUPLICATE))
    assert not [pair for pair in pairs if are_compatible(events[pair[0]], events[pair[1]])]


@settings(deadline=None, max_examples=50)
@given(STATEMENTS, st.sampled_from([0.5, 0.7, 0.9, 1.0]))
def test_looking_at_rare_words_first_misses_no_pair(statements: list[tuple[str, str, str]], least: float) -> None:
    events = events_of(*(f"{who} {did} {date}." for who, did, date in statements))
    signatures = signatures_of([event.description for event in events], language="en")
    positions = range(len(signatures))
    expected = [
        (first, second)
        for first in positions
        for second in positions[first + 1 :]
        if signatures[first].cosine(signatures[second]) >= least
        and not signatures[first].contradicts(signatures[second])
    ]
    assert [(first, second) for first, second, _ in alike(signatures, least)] == expected


def test_two_documents_that_word_one_event_of_a_day_unlike_tell_one() -> None:
    events = merged_events(
        "On 12 June 1987 a barge struck the second pier.",
        "1987-06-12: barge hits second pier of the river bridge.",
    )
    assert [len(event.sources) for event in events] == [2]


def test_what_shares_but_its_subject_and_day_stays_two() -> None:
    events = merged_events(
        "On 16 July 1969 the rocket with Apollo 11 was launched in Florida.",
        "On 16 July 1969 Apollo 11 left its orbit round the Earth.",
    )
    assert len(events) == 2
