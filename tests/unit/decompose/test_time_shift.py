"""The previous question, asked of another time."""

import pytest

from services.decompose.condense.time_shift import ask_of_another_time

SHIFTED = [
    ("and yesterday?", "What did Ida do today?", "What did Ida do yesterday?"),
    ("And last month?", "Which letters did we send this month?", "Which letters did we send last month?"),
    ("and in June?", "sales in May 2026?", "sales in June 2026?"),
    ("June 2025", "How much was sold in May 2024?", "How much was sold in June 2025?"),
    ("4 May", "What was sold on 3 May?", "What was sold on 4 May?"),
    ("and on 4 May?", "What happened on 3 May 2026?", "What happened on 4 May 2026?"),
    ("and in 2023?", "What did the 2024 policy allow?", "What did the 2023 policy allow?"),
    ("What about 2023?", "Who approved trips in 2024?", "Who approved trips in 2023?"),
    ("And the year before?", "What was the limit in the 2024 policy?", "What was the limit in the 2023 policy?"),
    ("And the day before yesterday?", "What happened on Monday?", "What happened the day before yesterday?"),
    ("and in May?", "What did Ida make?", "What did Ida make in May?"),
    (
        "And the month before?",
        "Which letters did we send this month?",
        "Which letters did we send the month before this month?",
    ),
]


@pytest.mark.parametrize(("turn", "question", "shifted"), SHIFTED)
def test_the_time_of_the_turn_takes_the_place_of_the_questions_own(turn: str, question: str, shifted: str) -> None:
    assert ask_of_another_time(turn, question, "en", "en") == shifted


def test_question_and_turn_may_be_in_two_languages() -> None:
    assert ask_of_another_time("und letzte Woche?", "What was sold this week?", "de", "en") == (
        "What was sold letzte Woche?"
    )


def test_a_german_verb_after_the_time_keeps_its_place() -> None:
    question = "Was wurde im Mai 2025 verkauft?"
    assert ask_of_another_time("Und im Juni?", question, "de", "de") == "Was wurde im Juni 2025 verkauft?"


def test_a_german_adverb_counts_from_the_time_of_the_question() -> None:
    question = "Wie hoch war die Grenze im Jahr 2024?"
    assert ask_of_another_time("Und im Jahr davor?", question, "de", "de") == "Wie hoch war die Grenze im Jahr 2023?"


@pytest.mark.parametrize("turn", ["When did it fail last week?", "And Ida?", "What did Ida do yesterday?", "why?", ""])
def test_a_turn_that_says_more_than_a_time_is_no_other_time(turn: str) -> None:
    assert ask_of_another_time(turn, "What did Ida do today?", "en", "en") is None
