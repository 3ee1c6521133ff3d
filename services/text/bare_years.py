"""Years told by four bare digits: told apart from quantities and numbers of things by the words around them."""
# ruff: noqa: SIM905 - a list of words reads best as words

import re
from collections.abc import Iterator

from services.text.calendar_words import YEAR
from services.text.date_readings import PART, DateReading, part_of
from services.text.units import MONEY_SIGNS, unit_named
from services.vocabulary.dates import PartialDate, Precision

_YEAR = re.compile(
    rf"(?<![\w\-–—/.,'’:#+{MONEY_SIGNS}]){PART}(?<![{MONEY_SIGNS}]\s)"
    rf"(?P<year>{YEAR})(?:\s?[-–—/]\s?(?P<last>{YEAR}))?"
    r"(?!\w|[./,:]\d|[-–—]\d|-[^\W\d]|\s?[%°‰]|\s*(?:BC|B\.C\.|BCE)|\s+(?:million|billion|thousand)\b)"
)
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
"""Earlier years need a preposition or brackets: `1200 knights` are more often counted than dated."""


def find_bare_years(text: str) -> Iterator[tuple[int, int, DateReading]]:
    """Start, end and reading of each bare year or range of years with a dash."""
    for match in _YEAR.finditer(text):
        year, last = int(match["year"]), int(match["last"] or match["year"])
        if last >= year and (part_of(match) or _is_year(text, match.start("year"), match.end(), year)):
            reading = DateReading(PartialDate(year), PartialDate(last), Precision.YEAR, part_of(match))
            yield match.start(), match.end(), reading


def _is_year(text: str, start: int, end: int, year: int) -> bool:
    preceding = _PRECEDING.search(text, max(0, start - 24), start)
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
    bracketed = text[start - 1 : start] in ("(", "[") and start > 0
    return not counts_things and (bracketed or year >= _SURE_FROM)
