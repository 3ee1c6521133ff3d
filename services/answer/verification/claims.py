"""Extracts the checkable claims of a sentence: numbers, dates, names and denials. Pure functions with caches."""

import re
from dataclasses import dataclass
from functools import lru_cache

from libs.text.dates.document_dates import DateMention, find_dates
from libs.text.names import Name, find_names
from libs.text.numbers.finder import Number, find_numbers
from services.answer.lexicon.words import stems_of
from services.answer.verification.alignment import StemOccurrence, stem_occurrences
from services.answer.verification.denials import Denial, find_denials

MAX_CHARACTERS = 4000
"""Longer text is not a sentence; the rest is ignored (taste)."""
_SPACED = re.compile(r"(?<!\s)\s++(?=[,.;:!?)\]](?:\s|\Z))|(?<=[(\[])\s++")


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of one sentence or of several adjacent ones."""

    text: str
    stems: frozenset[str]
    name_stems: frozenset[str]
    """The stems of its names."""
    undated_stems: frozenset[str]
    """The stems outside of dates, which are checked separately; all stems if there are no others."""
    unnamed_stems: frozenset[str]
    """The stems outside of dates and names; all stems if there are no others."""
    quantities: tuple[Number, ...]
    """Numbers outside of dates and numbered names."""
    all_numbers: tuple[Number, ...]
    dates: tuple[DateMention, ...]
    names: tuple[Name, ...]
    """Those that surely are names."""
    denials: tuple[Denial, ...]
    occurrences: tuple[StemOccurrence, ...]
    language: str
    """ISO 639-1."""


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
    stems = frozenset(occurrence.stem for occurrence in occurrences)
    name_stems = frozenset(stems_of(" ".join(name.text for name in names), language))
    in_dates = {offset for date in dates for offset in range(date.start, date.end)}
    undated_stems = frozenset(each.stem for each in occurrences if each.start not in in_dates) or stems
    return Claims(
        text,
        stems,
        name_stems,
        undated_stems,
        undated_stems - name_stems or stems,
        tuple(each for each in numbers if not any(start < each.end and each.start < end for start, end in spans)),
        numbers,
        dates,
        names,
        tuple(find_denials(text, language)),
        occurrences,
        language,
    )
