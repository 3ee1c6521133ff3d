"""The table of units: their names, symbols and sizes, and conversion between units of one dimension.

Names are SI symbols where they exist (`km`, `kg`, `°C`), ISO 4217 codes for money (`USD`), `percent`, and singular
words for time (`day`, `year`). Money is never converted. Factors are those of the SI brochure (9th edition) and of NIST
Special Publication 811 for feet, miles, pounds and ounces; a month and a year are the Gregorian calendar's means,
30.436875 and 365.2425 days.
"""

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from libs.language.topics.numbers import Units

_FACTORS: Final[Mapping[str, Mapping[str, str]]] = {
    "length": {
        "nm": "1e-9", "mm": "0.001", "cm": "0.01", "m": "1", "km": "1000", "in": "0.0254", "ft": "0.3048",
        "yd": "0.9144", "mi": "1609.344", "au": "149597870700", "light-year": "9460730472580800",
    },
    "mass": {
        "mg": "0.000001", "g": "0.001", "kg": "1", "t": "1000", "lb": "0.45359237", "oz": "0.028349523125",
    },
    "time": {
        "millisecond": "0.001", "second": "1", "minute": "60", "hour": "3600", "day": "86400", "week": "604800",
        "month": "2629746", "year": "31556952", "decade": "315569520", "century": "3155695200",
    },
    "area": {"m²": "1", "km²": "1000000", "ha": "10000", "acre": "4046.8564224"},
    "volume": {"ml": "0.000001", "l": "0.001", "m³": "1", "gal": "0.003785411784"},
    "speed": {"m/s": "1", "km/s": "1000", "km/h": "0.2777777777777777777777777778", "mph": "0.44704"},
    "power": {"W": "1", "kW": "1000", "MW": "1000000", "GW": "1000000000"},
    "frequency": {"Hz": "1", "MHz": "1000000", "GHz": "1000000000"},
    "temperature": {"K": "9", "°C": "9", "°F": "5"},
    "data": {"kB": "1000", "MB": "1000000", "GB": "1000000000", "TB": "1000000000000"},
}  # fmt: skip
_UNSIZED: Final = "° kWh V ‰ USD EUR GBP JPY INR CNY CHF KRW"
_WORDS: Final = frozenset(("in", "au", "light-year", "acre", *_FACTORS["time"]))
"""Units that are written as words, which differ by language, and `in`, which is also a preposition."""
_OTHER: Final = {
    **{"US$": "USD", "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "RMB": "CNY"},
    **{"km2": "km²", "m2": "m²", "L": "l", "mL": "ml", "kmh": "km/h", "kph": "km/h", "KB": "kB", "AU": "au"},
    **{"%": "percent", "℃": "°C", "℉": "°F", "ms": "millisecond", "s": "second", "min": "minute", "h": "hour"},
}
_SIZES: Final = MappingProxyType(
    {unit: (dimension, Decimal(factor)) for dimension, units in _FACTORS.items() for unit, factor in units.items()}
)
"""The dimension of each unit, and its size in the dimension's base unit."""
SYMBOLS: Final[Mapping[str, str]] = MappingProxyType(
    {symbol: symbol for symbol in (*_SIZES, *_UNSIZED.split()) if symbol not in _WORDS} | _OTHER
)
"""The unit of each symbol that all languages share, as written."""
MONEY_SIGNS: Final = "$€£¥₹₩"
TEMPERATURES: Final = frozenset(_FACTORS["temperature"])
_ZEROS: Final = MappingProxyType({"°C": Decimal("2458.35"), "°F": Decimal("2298.35")})
"""What zero of a unit is in the base unit, where that is not zero; the base unit of temperature is a ninth of a K."""


@lru_cache(maxsize=64)  # taste
def unit_words(language: str) -> Mapping[str, str]:
    """The unit of each word and symbol in a language."""
    words = {word: unit for unit, spellings in Units.of(language).spellings.items() for word in spellings}
    return MappingProxyType({**SYMBOLS, **words})


def unit_named(spelling: str, language: str) -> str | None:
    """The unit of a symbol or word, or None; from four letters on in any case (`Days`), symbols as written (taste)."""
    units = unit_words(language)
    return units.get(spelling) or (units.get(spelling.lower()) if len(spelling) > 3 else None)


def dimension_of(unit: str | None) -> str | None:
    """Return what a unit measures, or None if it is not converted."""
    return _SIZES.get(unit or "", (None,))[0]


def convert_value(value: Decimal, unit: str | None, target: str | None) -> Decimal | None:
    """Return a value in another unit of its dimension; None if the dimensions differ or a unit is not converted."""
    if unit == target:
        return value
    of_unit, of_target = _SIZES.get(unit or ""), _SIZES.get(target or "")
    if of_unit is None or of_target is None or of_unit[0] != of_target[0]:
        return None
    offset = _ZEROS.get(unit or "", Decimal()) - _ZEROS.get(target or "", Decimal())
    return (value * of_unit[1] + offset) / of_target[1]
