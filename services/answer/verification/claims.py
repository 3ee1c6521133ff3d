"""Extracts the checkable claims of a sentence: numbers, dates, names, denials and words that have an opposite.

A month or day without a year (`on 21 April`, `in July`) is of a year given before, or of any year. Pure functions with
caches.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from libs.language.known import language_of
from libs.language.topics.calendar import Calendar, TimeSpans
from libs.text.dates.document_dates import DateMention, find_dates
from libs.text.names import Name, find_names
from libs.text.numbers.finder import Number, find_numbers
from libs.text.numbers.units import unit_named
from libs.text.tokens import tokenize
from services.answer.lexicon.words import stems_of
from services.answer.verification.alignment import StemOccurrence, stem_occurrences
from services.answer.verification.denials import Denial, find_denials


@dataclass(frozen=True, slots=True)
class MonthDay:
    """A month, with a day or 0 for none."""

    month: int
    day: int
    text: str
    start: int
    end: int


def find_month_days(text: str, dates: Sequence[DateMention], language: str) -> Iterator[MonthDay]:
    """Yield the month mentions outside of full dates, in order."""
    calendar = Calendar.of(language)
    spans = [(date.start, date.end) for date in dates]
    for match in calendar.month_day.finditer(text):
        if any(start < match.end() and match.start() < end for start, end in spans):
            continue
        groups = match.groupdict()  # a language may write the day at one side alone
        day = int(groups.get("before") or groups.get("after") or 0)
        may_be_word = match["month"] in calendar.months_too
        is_month = day or not may_be_word or calendar.before_month.search(text[: match.start()])
        if is_month and day <= 31:
            yield MonthDay(calendar.months[match["month"].lower()], day, match[0], match.start(), match.end())


def is_month_day_supported(claim: MonthDay, dates: Sequence[DateMention], month_days: Sequence[MonthDay]) -> bool:
    """Whether the source has the month, and the day if one is claimed, with or without a year."""
    source_days = {(day.month, day.day) for day in month_days}
    source_days |= {(end.month or 0, end.day or 0) for date in dates for end in (date.first, date.last)}
    if claim.day:
        return (claim.month, claim.day) in source_days
    within = any((date.first.month or 13) <= claim.month <= (date.last.month or 0) for date in dates)  # 13, 0: none
    return within or any(month == claim.month for month, _ in source_days)


MAX_CHARACTERS = 4000
"""Longer text is not a sentence; the rest is ignored (taste)."""
_MAX_HEDGE = 20
"""Characters before a number that are searched for a hedge such as `about` (taste)."""
_SPACED = re.compile(r"(?<!\s)\s++(?=[,.;:!?)\]](?:\s|\Z))|(?<=[(\[])\s++")
_IN_CODE = re.compile(r"\([a-z]\)|[kK]\b")
_MIN_CODE = 100
"""`401(k)` and `401k` are names of rules, `5k` is a number (taste)."""

_Mention = TypeVar("_Mention", Number, DateMention, MonthDay, Name)


@dataclass(frozen=True, slots=True)
class ClaimQuantity:
    """A number with its hedge."""

    number: Number
    hedged: bool
    text: str
    thing: str | None = None
    """The stem of what a number without a unit counts: the next content word in its clause."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of one sentence or of several adjacent ones."""

    text: str
    stems: frozenset[str]
    quantities: tuple[ClaimQuantity, ...]
    """Numbers outside of dates and numbered names."""
    all_numbers: tuple[Number, ...]
    dates: tuple[DateMention, ...]
    month_days: tuple[MonthDay, ...]
    """Months without a year, outside of full dates."""
    names: tuple[Name, ...]
    denials: tuple[Denial, ...]
    occurrences: tuple[StemOccurrence, ...]
    language: str
    """ISO 639-1."""

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
        return frozenset(stems_of(" ".join(name.text for name in self.names), self.language))


def written_names(text: str, language: str) -> tuple[Name, ...]:
    """The names of a sentence; doubtful ones only where not every noun has a capital."""
    may_be_doubtful = not language_of(language).capitalises_nouns
    return tuple(name for name in find_names(text, language) if name.is_sure or may_be_doubtful)


def unspaced(text: str) -> str:
    """Remove the spaces around punctuation marks that some corpora have: `( 510 mm ) .`."""
    return _SPACED.sub("", text)


@lru_cache(maxsize=2048)  # taste
def read_claims(text: str, language: str) -> Claims:
    """Parse a sentence of a language (ISO 639-1); cached because sources are compared with many sentences."""
    text = unspaced(text[:MAX_CHARACTERS])
    dates = find_dates(text, language=language)
    numbers = find_numbers(text, language)
    tokens = tokenize(text)
    # The `Celsius` of `5 degrees Celsius` is not a name.
    in_numbers = {offset for number in numbers for offset in range(number.start + 1, number.end)}
    names = tuple(name for name in written_names(text, language) if name.start not in in_numbers)
    month_days = tuple(find_month_days(text, dates, language))
    mentions: tuple[DateMention | Name | MonthDay, ...] = (*dates, *names, *month_days)
    spans = [(mention.start, mention.end) for mention in mentions]
    occurrences = stem_occurrences(tokens, language)
    return Claims(
        text,
        frozenset(occurrence.stem for occurrence in occurrences),
        tuple(_quantities(text, numbers, spans, occurrences, language)),
        numbers,
        dates,
        month_days,
        names,
        tuple(find_denials(text, language)),
        occurrences,
        language,
    )


@lru_cache(maxsize=2048)  # taste
def join_claims(texts: tuple[str, ...], language: str) -> Claims:
    """Return the claims of several consecutive sentences, joined by a space."""
    claims = read_claims(texts[0], language)
    for text in texts[1:]:
        claims = _append(claims, read_claims(text, language))
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
        first.language,
    )


def _shift(mention: _Mention, offset: int) -> _Mention:
    return replace(mention, start=mention.start + offset, end=mention.end + offset)


def _quantities(
    text: str,
    numbers: Sequence[Number],
    spans: Sequence[tuple[int, int]],
    occurrences: Sequence[StemOccurrence],
    language: str,
) -> Iterator[ClaimQuantity]:
    context = TimeSpans.of(language)
    for number in numbers:
        code = number.value >= _MIN_CODE and _IN_CODE.match(text, number.end)
        if not (code or any(start < number.end and number.start < end for start, end in spans)):
            before = text[max(0, number.start - _MAX_HEDGE) : number.start]
            words = text[number.start : number.end]
            number = _with_late_unit(number, text, language)
            thing = None if number.unit else _counted_thing(text, number, occurrences, context)
            hedged = context.hedge.search(before) is not None
            yield ClaimQuantity(number, hedged, words, thing)


def _with_late_unit(number: Number, text: str, language: str) -> Number:
    """The number with the unit after the next word, if it has none: `ninety Martian days`."""
    unit = TimeSpans.of(language).late_unit.match(text, number.end) if number.unit is None else None
    name = unit_named(unit["unit"], language) if unit else None
    return replace(number, unit=name, end=unit.end()) if unit and name else number


def _counted_thing(text: str, number: Number, occurrences: Sequence[StemOccurrence], context: TimeSpans) -> str | None:
    end = context.end.search(text, number.end)
    limit = end.start() if end else len(text)
    following = next((occurrence for occurrence in occurrences if occurrence.start >= number.end), None)
    in_clause = following is not None and following.start < limit and not following.stem[0].isdigit()
    return following.stem if following and in_clause else None
