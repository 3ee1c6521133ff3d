"""What a command complains of reads as a sentence."""

import pytest

from cli.view.output import sentence


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the question is empty", "The question is empty."),
        ("There is none.", "There is none."),
        ("notes/a.txt: is empty", "notes/a.txt: is empty."),
        ("--vectors needs a file", "--vectors needs a file."),
        ("two\nlines", "Two lines."),
        ("问题是空的。", "问题是空的。"),
    ],
)
def test_a_sentence_has_a_capital_and_a_stop_and_names_stay_as_they_are(text: str, expected: str) -> None:
    assert sentence(text) == expected
