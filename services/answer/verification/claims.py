"""Extracts the checkable claims of a sentence: numbers, dates, names and denials. Pure functions with caches."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from libs.language.topics.calendar import TimeSpans
from libs.text.dates.document_dates import DateMention, find_dates
from libs.text.names import Name, find_names
from libs.text.numbers.finder import Number, find_numbers
from libs.text.numbers.units import unit_named
from services.answer.lexicon.words import stems_of
from services.answer.verification.alignment import StemOccurrence, stem_occurrences
from services.answer.verification.denials import Denial, find_denials

MAX_CHARACTERS = 4000
"""Longer text is not a sentence; the rest is ignored (taste)."""
_MAX_HEDGE = 20
"""Characters before a number that are searched for a hedge such as `about` (taste)."""
_SPACED = re.compile(r"(?<!\s)\s++(?=[,.;:!?)\]](?:\s|\Z))|(?<=[(\[])\s++")


@dataclass(frozen=True, slots=True)
class ClaimQuantity:
    """A number with its hedge."""

    number: Number
    hedged: bool
    text: str


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of one sentence or of several adjacent ones."""

    text: str
    stems: frozenset[str]
    quantities: tuple[ClaimQuantity, ...]
    """Numbers outside of dates and numbered names."""
    all_numbers: tuple[Number, ...]
    dates: tuple[DateMention, ...]
    names: tuple[Name, ...]
    """Those that surely are names."""
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


def unspaced(text: str) -> str:
    """Remove the spaces around punctuation marks that some corpora have: `( 510 mm ) .`."""
    return _SPACED.sub("", text)


@lru_cache(maxsize=2048)  # taste
def read_claims(text: str, language: str) -> Claims:
    """Parse a sentence of a language (ISO 639-1); cached because sources are compared with many sentences."""
    text = unspaced(text[:MAX_CHARACTERS])
    dates = find_dates(text, language=language)
    numbers = find_numbers(text, language)
    # The `Celsius` of `5 degrees Celsius` is not a name.
    in_numbers = {offset for number in numbers for offset in range(number.start + 1, number.end)}
    names = tuple(name for name in find_names(text, language) if name.is_sure and name.start not in in_numbers)
    spans = [*((date.start, date.end) for date in dates), *((name.start, name.end) for name in names)]
    occurrences = stem_occurrences(text, language, dates)
    return Claims(
        text,
        frozenset(occurrence.stem for occurrence in occurrences),
        tuple(_quantities(text, numbers, spans, language)),
        numbers,
        dates,
        names,
        tuple(find_denials(text, language)),
        occurrences,
        language,
    )


def _quantities(
    text: str, numbers: Sequence[Number], spans: Sequence[tuple[int, int]], language: str
) -> Iterator[ClaimQuantity]:
    """Yield the numbers outside of some spans."""
    hedge = TimeSpans.of(language).hedge
    for number in numbers:
        if not any(start < number.end and number.start < end for start, end in spans):
            before = text[max(0, number.start - _MAX_HEDGE) : number.start]
            words = text[number.start : number.end]
            yield ClaimQuantity(_with_late_unit(number, text, language), hedge.search(before) is not None, words)


def _with_late_unit(number: Number, text: str, language: str) -> Number:
    """The number with the unit after the next word, if it has none: `ninety Martian days`."""
    unit = TimeSpans.of(language).late_unit.match(text, number.end) if number.unit is None else None
    name = unit_named(unit["unit"], language) if unit else None
    return replace(number, unit=name, end=unit.end()) if unit and name else number
