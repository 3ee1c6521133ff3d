"""A short turn that is a weekday, number or code alone replaces its like in the previous question."""

import pytest

from services.decompose.condense.replacing import replace_like


@pytest.mark.parametrize(
    ("fragment", "frame", "language", "question"),
    [
        ("lesson three?", "How long is lesson 2?", "en", "How long is lesson three?"),
        ("and fridays", "Who is on duty on Tuesday?", "en", "Who is on duty on fridays?"),
        ("1998?", "Who won in 1994?", "en", "Who won in 1998?"),
        ("the T-12", "How tall is the T-9 beside rule 4?", "en", "How tall is the T-12 beside rule 4?"),
        ("for three?", "What is the price for 2 nights?", "en", "What is the price for three nights?"),
        ("Ctrl+K?", "What does Ctrl+J do?", "en", "What does Ctrl+K do?"),
        ("Und am Freitag?", "Wer hat am Montag Dienst?", "de", "Wer hat am Freitag Dienst?"),
        ("die T-12", "Wie hoch ist die T-9?", "de", "Wie hoch ist die T-12?"),
        ("Watzmann?", "How high is the Zugspitze?", "en", "How high is the Watzmann?"),
        ("and in New York?", "How long is the leave in Oregon?", "en", "How long is the leave in New York?"),
        ("what about France?", "How much wine is made in Germany?", "en", "How much wine is made in France?"),
        ("And Spirit?", "When did Phoenix land on Mars?", "en", "When did Spirit land on Mars?"),
        ("And on Venus?", "When did Venera land on Mars?", "en", "When did Venera land on Venus?"),
        ("And Pioneer 11?", "When was Voyager 2 launched?", "en", "When was Pioneer 11 launched?"),
        ("Und Kiel?", "Wer ist für Bremen zuständig?", "de", "Wer ist für Kiel zuständig?"),
    ],
)
def test_like_replaces_like(fragment: str, frame: str, language: str, question: str) -> None:
    assert replace_like(fragment, frame, language) == question


@pytest.mark.parametrize(
    "fragment",
    ["the lid of the T-12", "how tall is the T-12", "is it 12?", "and in Hamburg?", "in 1998", "T-9", ""],
)
def test_what_names_more_or_nothing_alike_replaces_nothing(fragment: str) -> None:
    assert replace_like(fragment, "How tall is the T-9?", "en") is None


@pytest.mark.parametrize(
    "fragment", ["Who is Bo?", "Why Bo?", "Bo", "Is it Bo?", "and Bo's dog?", "and Bo or Cy?", "Ada?"]
)
def test_a_name_in_another_question_or_statement_replaces_none(fragment: str) -> None:
    assert replace_like(fragment, "Who taught Ada?", "en") is None
