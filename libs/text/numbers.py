"""Finds numbers with their values and units: `1,500 km`, `3.5 million`, `$2.4bn`, `12 %`, `twenty-one days`.

As in English texts, commas, thin spaces and no-break spaces separate thousands, and the point separates decimals.
Numbers inside words and codes (`COVID-19`, `x86`, `1.2.3`) are ignored, as is a bare `one`, which is mostly a pronoun.
Digits of dates are found too; callers that don't want them exclude the spans of `libs.text.dates`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import zip_longest

from libs.text.memoize import memoized
from libs.text.number_words import MAGNITUDES, NUMBER_WORDS, value_of_words
from libs.text.units import MONEY_SIGNS, UNIT_OF, unit_named

_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_SPELLED = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_SCALE = "(?:dozen|hundred|thousand|million|billion|trillion)"
_AND = r"(?:(?<=hundred)|(?<=thousand)|(?<=million))[ ]and[ ]"
_SYMBOLS = "|".join(re.escape(s) for s in sorted(UNIT_OF, key=len, reverse=True) if not s.isalpha())
_MAGNITUDE = r"(?P<magnitude>(?i:hundred|thousand|million|billion|trillion|mn|bn|tn|k|m|b)(?![\w]))"

_RATE = r"[ -](?i:an?|per|each|every)[ -](?:hour|second)\b"
_TEMPERATURE = r"[ ](?i:celsius|centigrade|fahrenheit)\b"
_RATES = {("km", "hour"): "km/h", ("mi", "hour"): "mph", ("m", "second"): "m/s", ("km", "second"): "km/s"}

_NUMBER = re.compile(
    rf"""
    (?P<money>(?:US|A|C)?[{MONEY_SIGNS}]\s?)?
    (?:
      (?<![\w.,/:\-–]) (?P<sign>[-−+](?=[\d.])|(?i:minus)[ ](?=[\d.]))?
      (?P<digits>{_DIGITS}) (?!\d|[.,/:]\d|-\d+-\d|-[^\W\d_]+\d)
    | (?<=\d[-–—]) (?<!\d-\d\d-) (?P<range_end>{_DIGITS}) (?!\d|[.,/:\-–]\d)
    | (?<![\w\-]) (?P<half>(?i:half[ ]an?))(?=[ ][^\W\d_]+) (?![ ]{_SCALE})
    | (?<![\w\-])
      (?P<words>(?i:(?:(?:half[ ])?a[ ](?={_SCALE}))?(?:{_SPELLED})(?:(?:[ -]|{_AND})(?:{_SPELLED}))*)) (?!\w)
    )
    (?:[ \u00a0-]?{_MAGNITUDE})?
    (?:[ \u00a0-]?(?P<unit>(?:{_SYMBOLS})(?!\w)|(?i:per[ ]cent)\b|[^\W\d_]+(?:-years?)?)
      (?P<rate>{_RATE})?(?P<scale>{_TEMPERATURE})?)?
    """,
    re.VERBOSE,
)
_DIGIT, _WORD, _DIGIT_OR_WORD = re.compile(r"\d"), re.compile(r"[^\W\d_]+"), re.compile(r"\d|[^\W\d_]+")
_CLUE_WORDS = NUMBER_WORDS | {"half"}
_BEFORE_CLUE = 12
"""Most characters of a number before its first digit or number word: `US$ minus 5`."""
_RANGE_TO = re.compile(r"\s?(?:[-–—]|to|and|or)\s?\Z")


@dataclass(frozen=True, slots=True)
class Number:
    """A quantity with its span, which includes the unit and currency sign."""

    value: Decimal
    unit: str | None
    """A unit name of `libs.text.units`; None for a bare count."""
    start: int
    end: int


@memoized(texts=2048, longest=1000)
def find_numbers(text: str) -> tuple[Number, ...]:
    """The numbers of a text, in order and without overlaps.

    In a range (`10-20 km`, `five to ten days`) the first number takes the second one's unit.
    """
    if not _DIGIT.search(text) and _CLUE_WORDS.isdisjoint(_WORD.findall(text.lower())):
        return ()
    return tuple(_with_shared_units(text, list(_read_all(text))))


def _read_all(text: str) -> Iterator[Number]:
    """Search only near digits and number words, since the pattern is slow."""
    position, clues = 0, _clues(text)
    while (clue := next((place for place in clues if place >= position), None)) is not None:
        match = _NUMBER.search(text, max(position, clue - _BEFORE_CLUE))
        if match is None:
            break
        number = _read_number(match)
        # A following word that is not a unit may be the next number: `Voyager 2 nine degrees`.
        position = number.end if number else _end_of_value(match)
        if number:
            yield number


def _clues(text: str) -> Iterator[int]:
    for clue in _DIGIT_OR_WORD.finditer(text):
        if clue[0].isdecimal() or clue[0].lower() in _CLUE_WORDS:
            yield clue.start()


def _read_number(match: re.Match[str]) -> Number | None:
    value = _value(match)
    unit = unit_named(re.sub("(?i)per cent", "percent", match["unit"])) if match["unit"] else None
    end = match.end("unit") if unit else _end_of_value(match)
    if match["scale"] and unit == "°":
        unit, end = ("°F" if match["scale"].strip().lower() == "fahrenheit" else "°C"), match.end("scale")
    if match["rate"] and (rate := _RATES.get((unit or "", re.split("[ -]", match["rate"])[-1]))):
        unit, end = rate, match.end("rate")
    magnitude = match["magnitude"]
    if magnitude and len(magnitude) == 1 and not match["money"]:
        # `5 m` is metres and `5 k` has no known unit, while `$5m` is millions.
        unit, end = unit_named(magnitude), match.end("magnitude")
        magnitude, end = None, end if unit else _end_of_digits(match)
    if magnitude:
        value *= MAGNITUDES[magnitude.lower()]
    if match["money"]:
        unit, end = unit_named(match["money"].strip()[-1]), _end_of_value(match)
    if (match["half"] or (match["words"] or "").lower() == "one") and not (unit or magnitude):
        return None
    return Number(value, unit, match.start(), end)


def _value(match: re.Match[str]) -> Decimal:
    if match["half"]:
        return Decimal("0.5")
    if match["words"]:
        return value_of_words(match["words"])
    digits = re.sub(r"[,\s]", "", match["digits"] or match["range_end"])
    value = Decimal(digits)
    return -value if match["sign"] and match["sign"] != "+" else value


def _end_of_value(match: re.Match[str]) -> int:
    return max(match.end("magnitude"), _end_of_digits(match))


def _end_of_digits(match: re.Match[str]) -> int:
    return max(match.end(group) for group in ("digits", "range_end", "words", "half"))


def _with_shared_units(text: str, numbers: list[Number]) -> Iterator[Number]:
    for number, following in zip_longest(numbers, numbers[1:]):
        gap = text[number.end : following.start] if following else ""
        if following and number.unit is None and following.unit and _RANGE_TO.match(gap):
            yield Number(number.value, following.unit, number.start, number.end)
        else:
            yield number
