"""Checks ordinals and units of time without a number: `the fourth`, `a tenth`, `for months`. Pure, with caches."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from libs.language.patterns import any_of
from libs.language.topics.calendar import Calendar, TimeSpans
from libs.language.topics.numbers import Numbers
from libs.text.numbers.finder import find_numbers


def missing_ordinal(claim: str, evidence: str, language: str) -> str | None:
    """Return the first ordinal of the claim that the source lacks, both as a word and in digits; None if it has all."""
    for match in TimeSpans.of(language).ordinal.finditer(claim):
        number = _ordinals(language).get(match["word"].lower())
        if number is not None and not _spellings(number, language).search(evidence):
            return match["word"]
    return None


@lru_cache(maxsize=64)  # taste
def _ordinals(language: str) -> Mapping[str, int]:
    return {**Calendar.of(language).ordinals, **TimeSpans.of(language).large_ordinals}


@lru_cache(maxsize=512)  # taste
def _spellings(number: int, language: str) -> re.Pattern[str]:
    """A number as an ordinal or cardinal, in words or digits."""
    numbers, ordinals = Numbers.of(language), _ordinals(language).items()
    cardinals = {**numbers.values, **numbers.multipliers, **numbers.scales}.items()
    words = {str(number), *(word for word, value in (*ordinals, *cardinals) if value == number)}
    endings = any_of(TimeSpans.of(language).ordinal_endings)
    return re.compile(rf"\b{any_of(words)}{endings}?\b", re.IGNORECASE)


def other_unit(claim: str, evidence: str, language: str) -> str | None:
    """Return the first unit of time without a number that the source replaces by another unit; None if none is."""
    return _other_rate(claim, evidence, language) or _other_bare_unit(claim, evidence, language)


def _other_rate(claim: str, evidence: str, language: str) -> str | None:
    """`metres per day` where the source has `metres per hour`."""
    rate, units = TimeSpans.of(language).rate, _units(language)
    for match in rate.finditer(claim):
        source_units = {other["unit"] for other in rate.finditer(evidence) if other["counted"] == match["counted"]}
        if source_units and match["unit"] in units and match["unit"] not in source_units:
            return claim[match.start() : match.end("unit")]
    return None


def _other_bare_unit(claim: str, evidence: str, language: str) -> str | None:
    spans, units = TimeSpans.of(language), _units(language)
    for match in (*spans.unit.finditer(claim), *_uncounted_units(claim, language)):
        unit = units[match["unit"].lower()]
        if not _has_unit(unit, evidence, language) and any(
            _has_unit(other, evidence, language) for other in spans.units if other != unit
        ):
            return match[0]
    return None


def _uncounted_units(text: str, language: str) -> Iterator[re.Match[str]]:
    """Plural units without a number: `days after the launch`, but not `three days after the launch`."""
    numbers = {number.end for number in find_numbers(text, language)}
    matches = TimeSpans.of(language).units_between.finditer(text)
    return (match for match in matches if match.end("unit") not in numbers)


@lru_cache(maxsize=64)  # taste
def _units(language: str) -> Mapping[str, str]:
    """The unit of each of its forms."""
    return {form: unit for unit, forms in TimeSpans.of(language).units.items() for form in forms}


def _has_unit(unit: str, text: str, language: str) -> bool:
    return _forms(unit, language).search(text) is not None


@lru_cache(maxsize=512)  # taste
def _forms(unit: str, language: str) -> re.Pattern[str]:
    return re.compile(rf"\b{any_of(TimeSpans.of(language).units[unit])}\b", re.IGNORECASE)
