"""Extracts the checkable claims of a sentence: numbers, dates, names, denials and words that have an opposite."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from libs.text.dates import DateMention, find_dates
from libs.text.numbers import Number, find_numbers
from libs.text.tokens import tokenize
from libs.text.units import unit_named
from services.answer.lexicon.words import stems_of
from services.answer.verification.alignment import StemOccurrence, stem_occurrences
from services.answer.verification.denials import Denial, find_denials
from services.answer.verification.month_days import MonthDay, find_month_days
from services.answer.verification.naming import Name, find_names

MOST_CHARACTERS = 4000
"""Longer text is not a sentence; the rest is ignored."""
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
_IN_CODE = re.compile(r"\([a-z]\)|[kK]\b")
_LEAST_CODE = 100
"""`401(k)` and `401k` are names of rules, `5k` is a number."""
_LATE_UNIT = re.compile(
    r" (?:[A-Z][a-z]+|lunar|solar|full|whole|more|calendar|consecutive|further) (?P<unit>[a-z]{3,})\b"
)
_CLAUSE_END = re.compile(r"[,;:.()–—]|\b(?:and|but|or|while|than|of|was|were|is|are|has|had)\b")

_Mention = TypeVar("_Mention", Number, DateMention, MonthDay, Name)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its hedge."""

    number: Number
    hedged: bool
    text: str
    direction: int = 0
    """1 for `more than`, -1 for `less than` or `nearly`."""
    thing: str | None = None
    """The stem of what a number without a unit counts: the next content word in its clause."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of one sentence or of several adjacent ones."""

    text: str
    stems: frozenset[str]
    quantities: tuple[Quantity, ...]
    """Numbers outside of dates and numbered names."""
    all_numbers: tuple[Number, ...]
    dates: tuple[DateMention, ...]
    month_days: tuple[MonthDay, ...]
    """Months without a year, outside of full dates."""
    names: tuple[Name, ...]
    denials: tuple[Denial, ...]
    occurrences: tuple[StemOccurrence, ...]

    @property
    def text_without_dates(self) -> str:
        """The text with its dates replaced by spaces."""
        text = self.text
        for date in self.dates:
            text = text[: date.start] + " " * (date.end - date.start) + text[date.end :]
        return text

    @property
    def name_stems(self) -> frozenset[str]:
        """The stems of its names."""
        return frozenset(stems_of(" ".join(name.text for name in self.names)))


def unspaced(text: str) -> str:
    """Remove the spaces around punctuation marks that some corpora have: `( 510 mm ) .`."""
    return _SPACED.sub("", text)


@lru_cache(maxsize=2048)
def read_claims(text: str) -> Claims:
    """Parse a sentence; cached because sources are compared with many sentences."""
    text = unspaced(text[:MOST_CHARACTERS])
    dates = find_dates(text)
    numbers = find_numbers(text)
    in_numbers = {offset for number in numbers for offset in range(number.start + 1, number.end)}
    tokens = tokenize(text)
    # The `C` of `5 °C` is not a name.
    words = tuple(word for word in tokens if word.start not in in_numbers)
    names = tuple(find_names(text, words))
    month_days = tuple(find_month_days(text, dates))
    mentions: tuple[DateMention | Name | MonthDay, ...] = (*dates, *names, *month_days)
    spans = [(mention.start, mention.end) for mention in mentions]
    occurrences = stem_occurrences(tokens)
    return Claims(
        text,
        frozenset(occurrence.stem for occurrence in occurrences),
        tuple(_quantities(text, numbers, spans, occurrences)),
        numbers,
        dates,
        month_days,
        names,
        tuple(find_denials(text)),
        occurrences,
    )


@lru_cache(maxsize=2048)
def join_claims(texts: tuple[str, ...]) -> Claims:
    """Return the claims of several consecutive sentences, joined by a space."""
    claims = read_claims(texts[0])
    for text in texts[1:]:
        claims = _append(claims, read_claims(text))
    return claims


def _append(first: Claims, second: Claims) -> Claims:
    offset = len(first.text) + 1
    return Claims(
        f"{first.text} {second.text}",
        first.stems | second.stems,
        first.quantities
        + tuple(replace(quantity, number=_shift(quantity.number, offset)) for quantity in second.quantities),
        first.all_numbers + tuple(_shift(number, offset) for number in second.all_numbers),
        first.dates + tuple(_shift(date, offset) for date in second.dates),
        first.month_days + tuple(_shift(day, offset) for day in second.month_days),
        first.names + tuple(_shift(name, offset) for name in second.names),
        first.denials + tuple(replace(denial, start=denial.start + offset) for denial in second.denials),
        first.occurrences
        + tuple(StemOccurrence(occurrence.stem, occurrence.start + offset) for occurrence in second.occurrences),
    )


def _shift(mention: _Mention, offset: int) -> _Mention:
    return replace(mention, start=mention.start + offset, end=mention.end + offset)


def _quantities(
    text: str, numbers: Sequence[Number], spans: Sequence[tuple[int, int]], occurrences: Sequence[StemOccurrence]
) -> Iterator[Quantity]:
    for number in numbers:
        code = number.value >= _LEAST_CODE and _IN_CODE.match(text, number.end)
        if not (code or any(start < number.end and number.start < end for start, end in spans)):
            before = text[max(0, number.start - _LONGEST_HEDGE) : number.start]
            hedged = _HEDGE.search(before) is not None
            direction = 1 if _UP.search(before) else -1 if _DOWN.search(before) else 0
            words = text[number.start : number.end]
            if number.unit is None and (unit := _LATE_UNIT.match(text, number.end)):
                # `ninety Martian days`
                unit_name = unit_named(unit["unit"])
                number = replace(number, unit=unit_name, end=unit.end()) if unit_name else number
            thing = None if number.unit else _counted_thing(text, number, occurrences)
            yield Quantity(number, hedged, words, direction, thing)


def _counted_thing(text: str, number: Number, occurrences: Sequence[StemOccurrence]) -> str | None:
    end = _CLAUSE_END.search(text, number.end)
    limit = end.start() if end else len(text)
    following = next((occurrence for occurrence in occurrences if occurrence.start >= number.end), None)
    in_clause = following is not None and following.start < limit and not following.stem[0].isdigit()
    return following.stem if following and in_clause else None
