from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from libs.contracts.evidence import Passage
from services.retrieve.search.versions import asks_about_now, side_by_side

NOW = datetime(2026, 11, 27, 20, tzinfo=UTC)


def outdated(passages: Sequence[Passage | None], now: datetime) -> list[int]:
    """What a question about now leaves out."""
    shown = side_by_side(passages, "What is the current rate?", now)
    return [position for position in range(len(passages)) if position not in shown]


def ordered(passages: Sequence[Passage | None], question: str) -> list[int]:
    return side_by_side(passages, question, NOW)


def rate(year: int, amount: int = 0, title: str = "Travel policy") -> Passage:
    """What a year's policy says about meals."""
    text = f"Meals: EUR {amount or year - 1990} for each full day away"
    return Passage(f"{title}-{year}#0", f"{title}-{year}", text, title=f"{title} {year}")


@pytest.mark.parametrize(
    "question",
    [
        "How much meal money do I get per day now?",
        "What's the current rate?",
        "what is the newest policy on meals",
        "Wie hoch ist das Essensgeld derzeit?",
        "Was sagt die aktuelle Richtlinie?",
    ],
)
def test_a_question_may_ask_about_now(question: str) -> None:
    assert asks_about_now(question)


@pytest.mark.parametrize(
    "question",
    [
        "How much was it back then?",
        "What carries the alternating current?",
        "Is it well-known?",
        "Wie hoch war der Satz?",
    ],
)
def test_most_questions_do_not(question: str) -> None:
    assert not asks_about_now(question)


def test_the_newest_version_that_is_not_of_the_future_holds() -> None:
    assert outdated([rate(2024), rate(2025), rate(2023), rate(2027)], NOW) == [0, 2, 3]
    assert outdated([rate(2027), rate(2028)], NOW) == []


def test_documents_of_another_title_or_without_a_date_are_no_versions() -> None:
    undated = Passage("notes#0", "notes", rate(2024).text, title="Travel policy")
    untitled = [Passage(f"{year}#0", f"{year}", rate(2024).text, date=f"{year}") for year in (2020, 2021)]
    assert outdated([rate(2024), rate(2025, title="Holiday policy"), undated, None, *untitled], NOW) == []


def test_entries_of_a_series_that_say_something_else_stay() -> None:
    minutes = ["The rent of the warehouse rises", "Leni is taken on after her exam"]
    entries = [Passage(f"{n}#0", f"{n}", text, title=f"Minutes of {n + 1} May 2026") for n, text in enumerate(minutes)]
    assert outdated(entries, NOW) == []


def test_the_date_of_a_document_counts_where_its_title_has_none() -> None:
    def dated(year: int) -> Passage:
        return Passage(f"{year}#0", f"{year}", f"The limit is EUR {year}.", title="Limits", date=f"{year}-01-01")

    assert outdated([dated(2020), dated(2021)], NOW) == [0]


def test_versions_stand_together_the_newest_first() -> None:
    other = Passage("pumps#0", "pumps", "Pumps are heavy.", title="Pumps")
    assert ordered([rate(2022), rate(2025), other, None, rate(2023)], "How much for meals?") == [1, 4, 0, 2, 3]


def test_a_version_that_does_not_hold_yet_comes_after_those_that_do() -> None:
    assert ordered([rate(2022), rate(2027), rate(2025)], "How much for meals?") == [2, 0, 1]


def test_a_version_that_the_question_names_comes_before_the_newest() -> None:
    assert ordered([rate(2022), rate(2025), rate(2023)], "How much for meals in 2023?") == [2, 1, 0]


def test_versions_are_also_told_apart_by_numbers() -> None:
    def guide(number: str) -> Passage:
        return Passage(f"{number}#0", number, f"Call run() of {number} to start the server.", title=f"Guide {number}")

    guides = [guide("3.9"), guide("v3.11"), guide("3.10")]
    assert ordered(guides, "How do I start it?") == [1, 2, 0]
    assert ordered(guides, "How do I start it in 3.9?") == [0, 1, 2]


def test_passages_of_one_document_or_of_other_words_stay_where_they_are() -> None:
    same = [rate(2022), rate(2022)]
    others = [rate(2022), Passage("t#0", "t", "Trains are booked by the office.", title="Travel policy 2025")]
    assert ordered(same, "meals?") == ordered(others, "meals?") == [0, 1]
