"""Patterns of a language take linear time, whatever a stranger writes or a document holds."""

import time

import pytest

from libs.language.patterns import MAX_WAYS, NEVER, PatternError, any_of, check_bounded, compile_pattern


def _resolve(name: str) -> str:
    return {"months": any_of(["May", "June"])}[name]


def test_lists_are_referred_to_by_name_longest_first() -> None:
    pattern = compile_pattern(r"\b{months}\b", _resolve)
    assert [match[0] for match in pattern.finditer("In May or June, maybe.")] == ["May", "June"]
    assert any_of(["a", "abc", "ab"]) == "(?:abc|ab|a)"


def test_a_space_of_a_phrase_is_any_white_space() -> None:
    assert compile_pattern(any_of(["how many"]), _resolve).search("how \n many")


def test_line_breaks_are_dropped() -> None:
    assert compile_pattern("a\n  |b\n", _resolve).pattern == "a|b"


def test_no_words_match_nothing() -> None:
    assert any_of([]) == f"(?:{NEVER})"
    assert compile_pattern(any_of([]), _resolve).search("anything") is None


@pytest.mark.parametrize("pattern", [r"\w+", r"a*", r"(?:ab)+c", r"a{2,}", r"[^x]+?", r"\s*,"])
def test_a_repeat_without_bound_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError, match="no upper bound"):
        check_bounded(pattern)


@pytest.mark.parametrize("pattern", [r"\w{0,30}", r"a?b", r"[*+]", r"\*\+", r"x{3}", r"(?:a{0,9}b){0,3}", r"a{1,4}+"])
def test_bounded_repeats_pass(pattern: str) -> None:
    check_bounded(pattern)


def test_nested_bounds_multiply() -> None:
    with pytest.raises(PatternError, match=f"at most {MAX_WAYS}"):
        check_bounded(r"(?:(?:a{0,50}b){0,50}c){0,50}")


def test_wrong_syntax_is_named() -> None:
    with pytest.raises(PatternError, match=r"unterminated|missing"):
        compile_pattern("(a", _resolve)


def test_time_grows_with_the_length_alone() -> None:
    pattern = compile_pattern(r"\b(?:\w{1,40} ){0,3}end\b", _resolve)

    def seconds(length: int) -> float:
        start = time.process_time()
        pattern.search("a " * length)
        return time.process_time() - start

    seconds(1000)
    assert seconds(40_000) < 8 * max(seconds(10_000), 1e-3)
