"""What a sentence claims that can be checked: numbers, dates, names, what it denies, words that have an opposite."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from services.answer.lexicon.words import stems_of
from services.answer.verification.alignment import PlacedStem, placed_stems
from services.answer.verification.denials import Denial, find_denials
from services.answer.verification.naming import Name, find_names
from services.text.dates import DateMention, find_dates
from services.text.numbers import Number, find_numbers
from services.text.tokens import tokenize

MOST_CHARACTERS = 4000
"""What is longer is no sentence; the rest of it is left unread."""
_LONGEST_HEDGE = 20
_HEDGE = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|approximately|some|over|under|more than|less than|at least|at most|up to"
    r"|fewer than|just|only about|close to)\s*\Z",
    re.IGNORECASE,
)
_UP = re.compile(
    r"\b(?:over|more than|at least|above|exceed\w*|longer than|larger than|higher than)\s*\Z", re.IGNORECASE
)
_DOWN = re.compile(
    r"\b(?:under|less than|fewer than|at most|below|up to|nearly|almost|shorter than|smaller than|lower than)\s*\Z",
    re.IGNORECASE,
)
_SPACED = re.compile(r"\s+(?=[,.;:!?)\]](?:\s|\Z))|(?<=[(\[])\s+")
"""The spaces round punctuation marks that some corpora have."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with what softens it."""

    number: Number
    hedged: bool
    text: str
    direction: int = 0
    """1 for `more than`, -1 for `less than` or `nearly`."""


@dataclass(frozen=True, slots=True)
class Claims:
    """A sentence, taken apart."""

    text: str
    stems: frozenset[str]
    quantities: tuple[Quantity, ...]
    """Outside of dates and of numbered names."""
    all_numbers: tuple[Number, ...]
    dates: tuple[DateMention, ...]
    names: tuple[Name, ...]
    denied: tuple[Denial, ...]
    placed: tuple[PlacedStem, ...]


@lru_cache(maxsize=2048)
def read_claims(text: str) -> Claims:
    """Take a sentence apart; remembered, because sources are compared with many sentences."""
    text = _SPACED.sub("", text[:MOST_CHARACTERS])
    dates = find_dates(text)
    numbers = find_numbers(text)
    in_numbers = {place for number in numbers for place in range(number.start + 1, number.end)}
    # The `C` of `5 °C` is no name.
    words = tuple(word for word in tokenize(text) if word.start not in in_numbers)
    names = tuple(find_names(text, words))
    return Claims(
        text,
        frozenset(stems_of(text)),
        tuple(_quantities(text, numbers, dates, names)),
        numbers,
        dates,
        names,
        tuple(find_denials(text)),
        placed_stems(text),
    )


def _quantities(
    text: str, numbers: tuple[Number, ...], dates: tuple[DateMention, ...], names: tuple[Name, ...]
) -> Iterator[Quantity]:
    taken = [*((date.start, date.end) for date in dates), *((name.start, name.end) for name in names)]
    for number in numbers:
        if not any(start < number.end and number.start < end for start, end in taken):
            before = text[max(0, number.start - _LONGEST_HEDGE) : number.start]
            hedged = _HEDGE.search(before) is not None
            direction = 1 if _UP.search(before) else -1 if _DOWN.search(before) else 0
            yield Quantity(number, hedged, text[number.start : number.end], direction)
