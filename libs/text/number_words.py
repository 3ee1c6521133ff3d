"""Parses numbers in English words: `twenty-one`, `two hundred and fifty`, `half a million`, `a dozen`."""

from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType

_UP_TO_NINETEEN = (
    "zero one two three four five six seven eight nine ten eleven twelve "
    "thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL: Mapping[str, int] = {
    **{word: value for value, word in enumerate(_UP_TO_NINETEEN.split())},
    **{word: 10 * value for value, word in enumerate(_TENS.split(), start=2)},
    "dozen": 12,
}
_SCALES: Mapping[str, int] = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
MAGNITUDES: Mapping[str, int] = MappingProxyType(
    {**_SCALES, "mn": 10**6, "bn": 10**9, "tn": 10**12, "k": 1000, "m": 10**6, "b": 10**9}
)
"""Words after digits that multiply them; short scale, as in English news."""

NUMBER_WORDS = frozenset(_SMALL) | frozenset(_SCALES)


def value_of_words(phrase: str) -> Decimal:
    """The value of a phrase made of number words, `and`, `a` and `half a`, in any case.

    Raises:
        KeyError: the phrase contains another word.
    """
    total, group = 0, 0
    words = phrase.lower().replace("-", " ").split()
    half = words[:2] == ["half", "a"]
    for word in words[2:] if half else words:
        if word == "a":
            group = 1
        elif word == "hundred" or word == "dozen":
            group = max(group, 1) * (_SCALES.get(word) or _SMALL[word])
        elif word in _SCALES:
            total, group = total + max(group, 1) * _SCALES[word], 0
        elif word != "and":
            group += _SMALL[word]
    value = Decimal(total + group)
    return value / 2 if half else value


def small_number(word: str) -> int | None:
    """A count in digits, or up to 99 in one word (`3`, `three`, `twenty-one`, `a`, `dozen`); else None."""
    lower = word.lower()
    if lower in ("a", "an"):
        return 1
    if lower.isdecimal():
        return int(lower)
    parts = lower.split("-")
    return sum(_SMALL[part] for part in parts) if all(part in _SMALL for part in parts) else None
