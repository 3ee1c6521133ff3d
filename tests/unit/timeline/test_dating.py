"""Which days the sentences of a document speak of."""

import pytest

from services.timeline.dating import date_document
from services.timeline.merged_passages import merge_passages
from tests.unit.timeline.evidence_making import documents


def dates_of(text: str, date: str = "") -> dict[str, str]:
    """Each date's words with what they say, `first/last` for a stretch of days."""
    (merged_passages,) = merge_passages(documents(text, date=date))
    mentions = [mention for date_result in date_document(merged_passages) for mention in date_result.mentions]
    return {m.text: str(m.first) if m.first == m.last else f"{m.first}/{m.last}" for m in mentions}


def test_a_dateline_dates_what_follows_and_is_no_event_itself() -> None:
    assert dates_of("Probe lost\nTuesday, July 11, 2023\n\nThe probe was lost yesterday.") == {
        "yesterday": "2023-07-10"
    }


@pytest.mark.parametrize(
    ("written", "text", "dates"),
    [
        ("2023-07-11", "The probe was lost yesterday.", {"yesterday": "2023-07-10"}),
        ("2023-07-11", "The probe was launched three years ago.", {"three years ago": "2020"}),
        ("2023-07-11", "The probe was launched last month.", {"last month": "2023-06"}),
        ("2023-07-11", "The agency met on Friday.", {"Friday": "2023-07-07"}),
        ("2023-07-11", "The probe was launched on 3 July.", {"3 July": "2023-07-03"}),
        ("2023-07-11", "The probe was launched in December.", {"December": "2022-12"}),
        (
            "2023-12-02",
            "It was launched on 16 July 1969. Three days later it entered orbit.",
            {"Three days later": "1969-07-19"},
        ),
        (
            "2023-12-02",
            "It landed on 4 December 1996. The next day the rover rolled out.",
            {"The next day": "1996-12-05"},
        ),
        (
            "2023-12-02",
            "It was approved in August 2012, and the launch came fifteen months later.",
            {"fifteen months later": "2013-11"},
        ),
        (
            "2023-12-02",
            "Luna 9 landed on 3 February 1966. Surveyor landed in the same year.",
            {"the same year": "1966"},
        ),
        ("2023-12-02", "It was launched on 3 May 1971. The lander failed on 12 May.", {"12 May": "1971-05-12"}),
        ("", "The probe was launched three years ago.", {}),
        ("", "The next day the rover rolled out.", {}),
        ("", "In the last year of its life it drove far.", {}),
        ("", "For the next month it sent pictures.", {}),
        ("", "It was launched on a Long March 5 rocket.", {}),
        ("", "It drove on the Fourth of nowhere.", {}),
        ("", "It was lost four weeks after the arrival.", {}),
        ("", "It weighed 1969 kilograms.", {}),
    ],
)
def test_a_report_counts_from_its_own_date_and_a_story_from_the_date_told_last(
    written: str, text: str, dates: dict[str, str]
) -> None:
    read = dates_of(text, date=written)
    assert dates.items() <= read.items()
    assert bool(dates) == bool(read)


def test_far_back_in_a_story_nothing_is_counted() -> None:
    text = (
        "It was launched on 16 July 1969. It was large. It was loud. It was white. Three days later it entered orbit."
    )
    assert "Three days later" not in dates_of(text)


def test_a_phrase_that_is_explained_by_a_date_is_that_date() -> None:
    text = "Luna 2 hit the Moon on 13 September 1959. Two days later, on 15 September 1959, Khrushchev brought a copy."
    assert dates_of(text) == {"13 September 1959": "1959-09-13", "15 September 1959": "1959-09-15"}


def test_a_bare_day_in_an_old_story_is_not_taken_for_one_of_the_documents_year() -> None:
    assert dates_of(
        "Apollo 8 flew in 1968. Apollo 11 flew in 1969.\n\n# Later\n\nIt landed.", date="2024-01-01"
    ).keys() == {
        "1968",
        "1969",
    }


def test_a_heading_is_no_event_but_what_stands_under_it_counts_from_its_date() -> None:
    assert dates_of("# 16 July 1969\n\nThe rocket lifted off. Three days later it entered orbit.") == {
        "Three days later": "1969-07-19"
    }
