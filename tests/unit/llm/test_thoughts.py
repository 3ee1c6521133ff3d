"""Thoughts of a model, taken out of its answer wherever the stream is cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.llm.thoughts import ThoughtFilter, without_thoughts

SAID = [
    ("In July 1969.", "In July 1969."),
    ("<think>When? 1969 < 1970.</think>In July.", "In July."),
    ("\n<think>\nWhen?\n</think>\n\nIn July.", "In July."),
    ("<think></think><think>\n</think>\nIn July.", "In July."),
    ("<think>Never </think closed", ""),
    ("<think>", ""),
    ("<thi", "<thi"),
    ("<thinner> is no tag", "<thinner> is no tag"),
    ("  indented", "  indented"),
    ("A tag <think>later</think> stays", "A tag <think>later</think> stays"),
    ("<think>a</think> b </think> c", "b </think> c"),
    ("", ""),
    (" \n", " \n"),
]


def in_pieces(text: str, cuts: list[int]) -> str:
    thoughts = ThoughtFilter()
    shown = [thoughts.feed(text[first:last]) for first, last in pairwise([0, *sorted(cuts), len(text)])]
    return "".join(shown) + thoughts.finish()


@pytest.mark.parametrize(("said", "answer"), SAID)
def test_an_answer_is_what_comes_after_the_thoughts_at_its_beginning(said: str, answer: str) -> None:
    assert without_thoughts(said) == answer


@pytest.mark.parametrize(("said", "answer"), SAID)
def test_it_is_the_same_wherever_it_is_cut(said: str, answer: str) -> None:
    for first in range(len(said) + 1):
        for second in range(first, len(said) + 1):
            assert in_pieces(said, [first, second]) == answer


@given(st.text(st.sampled_from("<>/think \na"), max_size=40), st.lists(st.integers(0, 40), max_size=8))
def test_any_text_is_the_same_in_pieces_as_whole(text: str, cuts: list[int]) -> None:
    assert in_pieces(text, [min(cut, len(text)) for cut in cuts]) == without_thoughts(text)


def test_text_that_can_be_no_tag_is_not_held_back() -> None:
    thoughts = ThoughtFilter()
    assert [thoughts.feed(piece) for piece in ("In ", "<", "July")] == ["In ", "<", "July"]


def test_a_first_piece_that_may_be_a_tag_is_held_until_that_is_known() -> None:
    thoughts = ThoughtFilter()
    assert [thoughts.feed(piece) for piece in ("<", "th", "ree")] == ["", "", "<three"]
