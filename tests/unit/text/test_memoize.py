"""What is remembered of texts, and what is not."""

import pytest

from libs.text.memoize import memoized


@pytest.mark.parametrize(("text", "times"), [("short", 1), ("rather long", 2)])
def test_a_short_text_is_read_once_and_a_long_one_each_time(text: str, times: int) -> None:
    texts: list[str] = []

    @memoized(texts=2, longest=5)
    def length(text: str) -> int:
        texts.append(text)
        return len(text)

    assert length(text) == length(text) == len(text)
    assert len(texts) == times


def test_only_the_last_few_are_remembered() -> None:
    texts: list[str] = []
    length = memoized(texts=2, longest=5)(texts.append)
    for text in ("a", "b", "a", "c", "b"):
        length(text)
    assert texts == ["a", "b", "c", "b"]


def test_what_is_read_depends_on_all_that_is_given() -> None:
    @memoized(texts=2, longest=5)
    def cut(text: str, start: int = 0) -> str:
        return text[start:]

    assert (cut("abc"), cut("abc", 1), cut("abc", start=2)) == ("abc", "bc", "c")
