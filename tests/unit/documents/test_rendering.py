"""CommonMark in plain words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.documents.rendering import plain_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("## Tides and **moons**", "Tides and moons"),
        ("[the guide](https://example.org/a_(b)?c=1) says", "the guide says"),
        ('![A probe](probe.png "A title") flies', "A probe flies"),
        ("[![Build](https://x.org/b.svg)](https://x.org) works", "Build works"),
        ("> said\n> twice", "said\ntwice"),
        ("| A | B |\n| --- | :-: |\n| 1 \\| 2 | 3 |", "A B \n\n 1 | 2 3"),
        ("```python\nhandlers[name](event)\n```", "handlers[name](event)"),
        ("请参阅[指南](https://example.org)。", "请参阅指南。"),
        ("`snake_case` and *em_phasis* of 2*3", "snake_case and em_phasis of 2*3"),
        ("a \\* star and a \\# hash", "a * star and a # hash"),
        ("one\ntwo  three", "one\ntwo three"),
    ],
)
def test_marks_and_addresses_are_no_words(text: str, words: str) -> None:
    assert plain_words(text) == words


@given(st.lists(st.text(alphabet="abcé7", min_size=1, max_size=5), max_size=8))
def test_plain_words_stay_as_they_are(words: list[str]) -> None:
    assert plain_words(" ".join(words)) == " ".join(words)
