"""A passage is embedded by windows of a few sentences, items, rows or lines."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.documents.markdown import parse_markdown
from libs.documents.rendering import plain_words
from services.retrieve.indexing.passage import MAX_WINDOWS, unit_means
from services.retrieve.indexing.passages import cut_passages
from services.retrieve.indexing.preparing import windows_of

SENTENCE = "The valve is opened by hand and closed by the clock."


def windows(text: str, size: int = 400) -> list[str]:
    """Of a text that is one passage."""
    return windows_of(text, parse_markdown(text).blocks, size, language="en")


def test_a_short_passage_is_one_window_of_plain_words() -> None:
    assert windows("Do **this**:\n\n- [one](https://example.org)\n- two") == ["Do this: - one - two"]


def test_a_passage_that_is_a_quarter_longer_stays_one() -> None:
    assert len(windows("a" * 125, 100)) == 1
    assert len(windows("a" * 126, 100)) == 2


def test_windows_are_of_whole_sentences() -> None:
    content = windows(" ".join([SENTENCE] * 20))
    assert all(window.startswith("The valve") and window.endswith("clock.") for window in content)
    assert all(300 < len(window) <= 400 for window in content[:-1])
    assert " ".join(content) == " ".join([SENTENCE] * 20)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("- {0}\n- {1}\n- {2}", ["- {0}", "- {1}", "- {2}"]),
        ("| A |\n| --- |\n| {0} |\n| {1} |\n| {2} |", ["A {0}", "{1}", "{2}"]),
        ("```\n{0}\n{1}\n{2}\n```", ["{0}", "{1}", "{2}"]),
    ],
)
def test_windows_are_of_whole_items_rows_and_lines(text: str, content: list[str]) -> None:
    words = [f"word{number} " + "x" * 70 for number in range(3)]
    assert windows(text.format(*words), 90) == [window.format(*words) for window in content]


def test_small_thoughts_share_a_window() -> None:
    assert windows("\n".join(f"- item {number}" for number in range(30)), 100)[0].count("item") > 5


def test_what_is_too_long_is_divided() -> None:
    content = windows("x" * 1000, 300)
    assert list(map(len, content)) == [300, 300, 300, 100]


def test_there_are_never_more_windows_than_a_key_can_tell() -> None:
    assert len(windows("x" * 100_000, 100)) == MAX_WINDOWS


def test_a_passage_whose_blocks_nobody_knows_is_one_window() -> None:
    assert windows_of("a " * 500, (), 100, language="en") == [("a " * 500).strip()]


BLOCKS = st.lists(st.integers(0, 99).map("word{}".format), min_size=1, max_size=60).flatmap(
    lambda words: st.sampled_from(
        [" ".join(words), "\n".join(f"- {w}" for w in words), "```\n" + "\n".join(words) + "\n```"]
    )
)


@given(st.lists(BLOCKS, min_size=1, max_size=4).map("\n\n".join), st.sampled_from([50, 100, 400]))
def test_windows_tell_all_words_of_the_passage_in_order(text: str, size: int) -> None:
    for passage in cut_passages(text, parse_markdown(text), language="en"):
        windows = windows_of(passage.of(text), passage.blocks, size, language="en")
        assert all(0 < len(window) <= 1.25 * size for window in windows)
        words = " ".join(windows).replace("- ", "").split()
        expected = plain_words(passage.of(text)).replace("- ", "").split()
        assert "".join(words) == "".join(expected)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), max_size=12))
def test_the_mean_of_an_owners_rows_is_a_unit_vector_and_zeros_without_rows(rows: list[tuple[int, int]]) -> None:
    rows = sorted(rows)
    owners = np.array([owner for owner, _ in rows], np.int64)
    vectors = np.eye(3, dtype=np.float32)[[axis for _, axis in rows]].reshape(len(rows), 3)
    means = unit_means(vectors, owners, 6)
    assert means.shape == (6, 3)
    for owner in range(6):
        own = vectors[owners == owner]
        expected = own.sum(axis=0) / np.linalg.norm(own.sum(axis=0)) if len(own) else np.zeros(3)
        np.testing.assert_allclose(means[owner], expected, rtol=1e-6)
