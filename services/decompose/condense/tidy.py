"""Tidies an assembled question: leading "and", final punctuation, repeated words, capital. No I/O of its own."""

from collections.abc import Sequence
from functools import lru_cache

import regex

from libs.text.tokens import Token, stem, tokenize
from services.decompose.plan.sentences import body_of, small_first_letter

_SPACES = regex.compile(r"\s+")
_MARKS = ".?!…"
_INITIAL = 2  # characters of an initial with its full stop
_MAX_DOUBLE = 4
"""Length in words of the longest repetition to look for (taste)."""
_MAX_DOUBLES = 10
"""Most repetitions that are removed, because each makes the text be read again (taste)."""


@lru_cache(maxsize=256)  # taste; the wordings of a turn are compared with one another, each several times
def tidy(question: str, language: str) -> str:
    """Return the question as it goes to the index: one line, without conversational lead-ins."""
    plain = _SPACES.sub(" ", body_of(question, language)).strip(" ,;")
    return small_first_letter(_without_doubles(plain, language), language)


def as_question(question: str) -> str:
    """Return a question on one line, with an initial capital and final punctuation."""
    plain = " ".join(question.split())
    if not plain:
        return plain
    return plain[0].upper() + plain[1:] + ("" if plain[-1] in _MARKS else "?")


def _without_doubles(text: str, language: str) -> str:
    """The text with runs of words that are repeated in a row reduced to one."""
    for _ in range(_MAX_DOUBLES):
        double = _find_double(text, language)
        if double is None:
            break
        text = text[: double[0]] + text[double[1] :]
    return text


def _find_double(text: str, language: str) -> tuple[int, int] | None:
    """The span of the first of the longest runs of words that are repeated at once; None without one."""
    tokens = tokenize(text)
    stems = [stem(token.text, language) for token in tokens]
    if len(set(stems)) == len(stems):
        return None
    for length in range(min(_MAX_DOUBLE, len(tokens) // 2), 0, -1):
        for start in range(len(tokens) - 2 * length + 1):
            middle, end = start + length, start + 2 * length
            if stems[start:middle] == stems[middle:end] and _has_word(tokens[start:middle]):
                return tokens[start].start, tokens[middle].start
    return None


def _has_word(tokens: Sequence[Token]) -> bool:
    """Whether there is more than initials: `E. E.` is not a repetition."""
    return any(len(token.text) > _INITIAL for token in tokens)
