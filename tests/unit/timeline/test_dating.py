"""Which days the sentences of a document speak of."""

import pytest

from services.timeline.reading.dating import date_document
from services.timeline.reading.merged_passages import merge_passages
from tests.unit.timeline.evidence_making import documents


def dates_of(text: str, date: str = "", language: str = "en") -> dict[str, str]:
    """Each date's words with what they say, `first/last` for a stretch of days."""
    (merged_passages,) = merge_passages(documents(text, date=date, language=language))
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


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("Police arrested a man last night.", {"last night": "2023-07-09"}),
        ("Police arrested a man this afternoon.", {"this afternoon": "2023-07-10"}),
        ("Police arrested a man the day before yesterday.", {"the day before yesterday": "2023-07-08"}),
        ("Police arrested a man over the weekend.", {"over the weekend": "2023-07-08/2023-07-09"}),
        ("Police arrested a man on Thursday last week.", {"Thursday last week": "2023-07-06"}),
        ("Police arrested a man in May last year.", {"May last year": "2022-05"}),
        ("Police arrested a man last summer.", {"last summer": "2022-06/2022-08"}),
        ("Police arrested a man on Christmas Day.", {"Christmas Day": "2022-12-25"}),
        ("Police arrested a man at the end of June.", {"June": "2023-06"}),
        (
            "Police arrested ten men between Wednesday and Friday.",
            {"between Wednesday and Friday": "2023-07-05/2023-07-07"},
        ),
        ("Police arrested ten men from July 3 to July 6.", {"from July 3 to July 6": "2023-07-03/2023-07-06"}),
        ("They were arrested on July 3–6.", {"July 3–6": "2023-07-03/2023-07-06"}),
        ("They were arrested between 3 and 6 July.", {"between 3 and 6 July": "2023-07-03/2023-07-06"}),
        ("He was arrested on July 5. He died later that day.", {"that day": "2023-07-05"}),
        ("He was arrested on July 5. He had fled the day before.", {"the day before": "2023-07-04"}),
        ("In March 2019 he was arrested. He was released in June.", {"June": "2019-06"}),
        ("In March 2019 he was arrested. He was released in June that year.", {"June that year": "2019-06"}),
        ("He was arrested on 3 May 2019 and died the next day.", {"the next day": "2019-05-04"}),
        ("The court will hear the case in March.", {"March": "2024-03"}),
        ("The union called a strike for July 20.", {"July 20": "2023-07-20"}),
    ],
)
def test_news_of_a_monday_in_july_tell_days_as_people_say_them(text: str, dates: dict[str, str]) -> None:
    assert dates.items() <= dates_of(f"It was quiet on Sunday. {text}", date="2023-07-10").items()


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("Er wurde am Wochenende verhaftet.", {"am Wochenende": "2023-07-08/2023-07-09"}),
        ("Er wurde im vergangenen Sommer verhaftet.", {"vergangenen Sommer": "2022-06/2022-08"}),
        ("Er wurde im Mai letzten Jahres verhaftet.", {"Mai letzten Jahres": "2022-05"}),
        ("Er wurde an Weihnachten verhaftet.", {"Weihnachten": "2022-12-25"}),
        ("Sie wurden vom 3. bis 6. Juli verhaftet.", {"vom 3. bis 6. Juli": "2023-07-03/2023-07-06"}),
        ("Er wurde am 5. Juli verhaftet. Er starb am selben Abend.", {"am selben Abend": "2023-07-05"}),
        ("Er wurde im März 2019 verhaftet. Er kam im Juni frei.", {"Juni": "2019-06"}),
        ("Das Gericht wird am Donnerstag verhandeln.", {"Donnerstag": "2023-07-13"}),
    ],
)
def test_german_news_do_so_too(text: str, dates: dict[str, str]) -> None:
    assert dates.items() <= dates_of(f"Am Sonntag war es ruhig. {text}", date="2023-07-10", language="de").items()


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
