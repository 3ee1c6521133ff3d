from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.retrieve.chunking import split

SENTENCES = "The probe left Earth in May. It reached the planet in July. A lander touched down in August."


def passages(text: str, size: int = 350, overlap: float = 0.25) -> list[str]:
    return [span.of(text) for span in split(text, size, overlap)]


def test_a_short_text_is_one_passage() -> None:
    assert passages("  It flew.\n") == ["It flew."]


def test_passages_end_and_begin_at_sentences() -> None:
    assert passages(SENTENCES, size=64) == [
        "The probe left Earth in May. It reached the planet in July.",
        "It reached the planet in July. A lander touched down in August.",
    ]


def test_a_paragraph_is_a_better_cut_than_a_sentence() -> None:
    text = "One two three four. Five six seven.\n\nEight nine. Ten eleven twelve thirteen fourteen."
    assert passages(text, size=50, overlap=0)[0] == "One two three four. Five six seven."


def test_a_word_is_cut_only_when_it_is_longer_than_a_passage() -> None:
    assert passages("a" * 45, size=20, overlap=0) == ["a" * 20, "a" * 20, "a" * 5]


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_an_empty_text_gives_no_passage(text: str) -> None:
    assert passages(text) == []


@given(st.text(alphabet="ab .\n!é。", max_size=400), st.integers(20, 80), st.sampled_from([0, 0.25, 0.5]))
def test_passages_are_short_in_order_and_leave_out_nothing_but_white_space(
    text: str, size: int, overlap: float
) -> None:
    spans = split(text, size, overlap)
    assert all(0 < span.end - span.start <= size for span in spans)
    assert all(a.start < b.start and a.end <= b.end for a, b in pairwise(spans))
    covered = {position for span in spans for position in range(span.start, span.end)}
    assert all(text[position].isspace() for position in range(len(text)) if position not in covered)
    assert all(span.of(text) == span.of(text).strip() for span in spans)


def test_about_a_quarter_is_repeated() -> None:
    text = " ".join(f"This is sentence number {number} of a long text." for number in range(400))
    total = sum(span.end - span.start for span in split(text))
    assert 1.15 < total / len(text) < 1.45


@pytest.mark.parametrize(("size", "overlap"), [(19, 0.25), (350, -0.1), (350, 0.6)])
def test_sizes_and_overlaps_out_of_range_are_refused(size: int, overlap: float) -> None:
    with pytest.raises(ValueError, match="must be"):
        split("text", size, overlap)
