"""Tokens, stems, and the words that carry content."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from libs.text.tokens import (
    content_stems,
    content_words,
    is_stop_word,
    stem,
    tokenize,
    words,
)


def test_words_numbers_and_compounds_are_one_token_each() -> None:
    tokens = tokenize("The U.S. Navy's well-known COVID-19 team didn’t pay 1,500.50 on the 3rd.")
    assert [t.text for t in tokens] == [
        *("The", "U.S.", "Navy's", "well-known", "COVID-19", "team", "didn’t", "pay", "1,500.50", "on", "the", "3rd"),
    ]
    assert [t.text for t in tokens if t.is_number] == ["1,500.50"]
    assert [t.text for t in tokens if t.is_capitalised] == ["The", "U.S.", "Navy's", "COVID-19"]


def test_scripts_without_spaces_give_one_token_a_character() -> None:
    assert [t.text for t in tokenize("月面 landing")] == ["月", "面", "landing"]


def test_content_words_leave_out_function_words_and_compare_well() -> None:
    assert content_words("What did the U.S. Navy's well-known team do in 1,969 days?", language="en") == [
        *("u.s.", "navy", "well", "known", "team", "1969", "days"),
    ]
    assert content_words("Is the US a member?", language="en") == ["u.s.", "member"]
    assert content_words("Will it be the same?", language="en") == []


def test_stems_bring_the_forms_of_a_word_together() -> None:
    assert stem("Landings", language="en") == stem("landed", language="en") == "land"
    assert content_stems("The landers landed", language="en") == ["lander", "land"]


def test_stemming_is_right_from_many_threads_at_once() -> None:
    names = [f"{root}{ending}" for root in ("land", "orbit", "explor", "observ") for ending in ("ing", "ed", "s", "er")]
    stem.cache_clear()
    expected = [stem.__wrapped__(name, "en") for name in names]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(partial(stem.__wrapped__, language="en"), names * 20)) == expected * 20


def test_stop_words_count_in_any_case_and_with_any_apostrophe() -> None:
    assert is_stop_word("Didn’t", "en")
    assert is_stop_word("THE", language="en")
    assert not is_stop_word("moon", language="en")


@given(st.text(max_size=60))
def test_tokens_stand_in_order_and_content_is_a_part_of_all_words(text: str) -> None:
    position = 0
    for token in tokenize(text):
        assert token.text == text[token.start : token.end] != ""
        assert position <= token.start
        position = token.end
    assert content_words(text, language="en") == [
        word for word in words(text, language="en") if not is_stop_word(word, language="en")
    ]
    assert len(content_stems(text, language="en")) == len(content_words(text, language="en"))
