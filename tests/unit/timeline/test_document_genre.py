"""What a document is to its dates."""

import pytest

from services.timeline.reading.document_genre import DocumentGenre, absolute_dates, genre_of
from services.timeline.reading.merged_passages import merge_passages
from tests.unit.timeline.evidence_making import day, documents

DAY = "2023-04-11"


def account(text: str, date: str = "") -> DocumentGenre:
    (merged_passages,) = merge_passages(documents(text, date=date))
    sentence_dates = [
        [(sentence, absolute_dates(sentence.text, language="en")) for sentence in merged_passage.sentences]
        for merged_passage in merged_passages
    ]
    return genre_of(merged_passages, sentence_dates)


@pytest.mark.parametrize("text", ["A ferry sank yesterday.", "It sank on Friday.", "Last week it sank."])
def test_who_tells_of_the_week_writes_news(text: str) -> None:
    assert account(text, DAY) == DocumentGenre(day(DAY), reports=True, is_news=True)


@pytest.mark.parametrize("text", ["Good Friday is a feast.", "It sank on Friday, 3 May 1990.", "It sank."])
def test_who_names_a_feast_or_a_whole_date_does_not(text: str) -> None:
    assert not account(text, DAY).is_news


def test_a_document_whose_years_are_its_own_reports_its_own_days() -> None:
    assert account("It sank in March 2023.", DAY).reports
    assert not account("It sank in March 1990.", DAY).reports
    assert account("It sank in March 1990 and was raised last month.", DAY).reports


def test_without_a_day_of_its_own_it_reports_none() -> None:
    assert account("A ferry sank yesterday.") == DocumentGenre(None, reports=False, is_news=False)
    assert not account("A ferry sank yesterday.", "2023-04").is_news


def test_the_date_may_stand_in_a_line_at_the_beginning() -> None:
    assert account("Ferry lost\nTuesday, April 11, 2023\n\nIt sank yesterday.").date == day(DAY)
    assert account("Ferry lost\nOn April 11, 2023 it sank.\n").date is None
