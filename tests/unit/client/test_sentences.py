"""Where a model's sentences end, and what each cites."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from parley.client.evaluation.sentences import Sentence, read_sentences


def test_each_sentence_comes_with_its_numbers_and_without_its_markers() -> None:
    text = "Phoenix landed in 2008 [1]. It dug [2, 3] for ice.[1] Nobody knows why."
    assert read_sentences(text) == [
        Sentence("Phoenix landed in 2008.", (1,)),
        Sentence("It dug for ice.", (2, 3, 1)),
        Sentence("Nobody knows why.", (), ends=True),
    ]


def test_a_line_of_its_own_is_a_sentence_and_ends_a_paragraph() -> None:
    assert read_sentences("The landers:\n- Viking 1 [2]\n\nBoth worked.") == [
        Sentence("The landers:", (), ends=True),
        Sentence("Viking 1", (2,), ends=True),
        Sentence("Both worked.", (), ends=True),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Smith flew with J. F. Kennedy to St. Louis.",
        "The mirror measures 2.5 metres, i.e. No. 3 of its kind.",
        "It cost approx. 3 million.",
        "The U.S. Navy picked it up.",
    ],
)
def test_a_full_stop_within_a_sentence_does_not_end_it(text: str) -> None:
    assert [sentence.text for sentence in read_sentences(text)] == [text]


@pytest.mark.parametrize("text", ["", "  \n ", "[1] [2]", "###"])
def test_what_says_nothing_is_no_sentence(text: str) -> None:
    assert read_sentences(text) == []


@given(st.text(alphabet="aB1 .!?[]\n", max_size=60))
@example("a[1[1]]")
def test_no_word_is_lost_and_no_marker_stays(text: str) -> None:
    sentences = read_sentences(text)
    assert all("[1]" not in sentence.text for sentence in sentences)
    letters = [c for c in text if c in "aB"]
    assert [c for sentence in sentences for c in sentence.text if c in "aB"] == letters
