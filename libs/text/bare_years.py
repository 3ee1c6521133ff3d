"""Finds years written as four bare digits; surrounding words distinguish them from quantities and identifiers."""
# ruff: noqa: SIM905 - a list of words reads best as words

import re
from collections.abc import Iterator, Set

from libs.contracts.dates import PartialDate, Precision
from libs.text.calendar_words import YEAR
from libs.text.date_readings import PART, DateReading, part_of
from libs.text.units import MONEY_SIGNS, unit_named

_YEAR = re.compile(
    rf"(?<!\w)(?P<year>{YEAR})(?:\s?[-–—/]\s?(?P<last>{YEAR}))?"
    r"(?!\w|[./,:]\d|[-–—]\d|-[^\W\d]|\s?[%°‰]|\s*(?:BC|B\.C\.|BCE)|\s+(?:million|billion|thousand)\b)"
)
_PART = re.compile(rf"(?<!\w){PART}\Z")
_PART_OF_A_NUMBER = re.compile(rf"[-–—/.,'’:#+{MONEY_SIGNS}]\Z|[{MONEY_SIGNS}]\s\Z")
_REACH = 24
_PRECEDING = re.compile(r"([^\W\d_]+)\.?[\s(\[“\"'‘-]*\Z")
_FOLLOWING = re.compile(r"[ \u00a0]([^\W\d_]+)")
_PREPOSITIONS = frozenset(
    "in since by until till during before after from between circa ca c year through late".split()
)
_QUANTIFIERS = frozenset(
    "over nearly almost approximately exactly only least most than another additional up total some roughly per".split()
)
_NUMBERED = frozenset(
    "rfc iso din no nos number model page pages pp p room route highway flight version chapter line vol item windows "
    "boeing part article section figure fig table unit size channel port error building lot gate level".split()
)
_COUNTED = frozenset("people men women children sheep square cubic tons".split())
_SURE_FROM = 1500
"""Earlier numbers need a preposition or brackets to count as years: `1200 knights` is more often a count."""


def find_bare_years(text: str, date_ends: Set[int]) -> Iterator[tuple[int, int, DateReading]]:
    """Start, end and reading of each bare year or dashed range of years that is not the end of a known date."""
    for match in _YEAR.finditer(text):
        if match.end() in date_ends:
            continue
        year, last = int(match["year"]), int(match["last"] or match["year"])
        part = _PART.search(text, max(0, match.start() - _REACH), match.start())
        has_part = part is not None and part_of(part) != ""
        if last >= year and (has_part or _is_year(text, match.start(), match.end(), year)):
            start = part.start() if part and has_part else match.start()
            reading = DateReading(PartialDate(year), PartialDate(last), Precision.YEAR, part_of(part) if part else "")
            yield start, match.end(), reading


def _is_year(text: str, start: int, end: int, year: int) -> bool:
    if _PART_OF_A_NUMBER.search(text, max(0, start - 2), start):
        return False
    preceding = _PRECEDING.search(text, max(0, start - _REACH), start)
    following = _FOLLOWING.match(text, end)
    before = preceding[1].lower() if preceding else ""
    after = following[1] if following else ""
    if before in _QUANTIFIERS or before in _NUMBERED:
        return False
    if after.lower() in _COUNTED or (unit_named(after) and after not in ("in", "a")):
        return False
    if before in _PREPOSITIONS:
        return True
    counts_things = after.islower() and after.endswith("s") and after not in ("was", "is", "has", "as", "its", "this")
    in_brackets = text[start - 1 : start] in ("(", "[") and start > 0
    return not counts_things and (in_brackets or year >= _SURE_FROM)
