"""Which sentences have the date of something told before them."""

import pytest

from libs.text.dates import find_dates
from services.timeline.carried_dates import continues_previous, dates_sentence_below, day_to_carry
from tests.unit.timeline.evidence_making import day

REPORT = day("2023-04-11")


@pytest.mark.parametrize("sentence", ["Eighteen people drowned.", "The port has been closed.", "The crew jumped."])
def test_a_report_goes_on_with_what_happened(sentence: str) -> None:
    assert continues_previous(sentence, language="en")


@pytest.mark.parametrize(
    "sentence", ["“We failed.”", "The port had closed.", "The port will be closed.", "Who closed it?", "It is a port."]
)
def test_it_does_not_with_what_was_said_stood_before_or_is_to_come(sentence: str) -> None:
    assert not continues_previous(sentence, language="en")


@pytest.mark.parametrize(
    ("sentence", "goes_on_on"),
    [
        ("It sank on 6 April 2023.", "2023-04-06"),
        ("It sank on 6 April 2023 and rose on 8 April 2023.", "2023-04-08"),
        ("It sank in 1990.", "2023-04-11"),
        ("It was built on 1 May 1990.", "2023-04-11"),
        ("It will sail on 1 May 2023.", "2023-04-11"),
        ('He said: "Today, 6 April 2023, is a bad day."', "2023-04-11"),
        ("It sank.", "2023-04-11"),
    ],
)
def test_it_goes_on_from_the_day_told_last_if_that_is_recent_and_its_own(sentence: str, goes_on_on: str) -> None:
    assert day_to_carry(REPORT, REPORT, sentence, find_dates(sentence, language="en"), language="en") == day(goes_on_on)


@pytest.mark.parametrize(
    ("sentence", "opens_item", "language", "is_event"),
    [
        ("Faster search", True, "en", True),
        ("The old theme was removed.", False, "en", True),
        ("The theme is a file.", False, "en", False),
        ("Das alte Thema fiel weg.", False, "de", True),
        ("Who removed the theme?", True, "en", False),
        ("Contributors", True, "en", False),
    ],
)
def test_below_a_dated_heading_items_and_happenings_are_told(
    sentence: str, opens_item: bool, language: str, is_event: bool
) -> None:
    assert dates_sentence_below(sentence, opens_item, language) is is_event
