"""Spellings of units, and the canonical name of each unit.

Names are SI symbols where they exist (`km`, `kg`, `°C`), ISO 4217 codes for money (`USD`), `percent`, and singular
words for time (`day`, `year`). Nothing is converted: 5 miles stay 5 `mi`.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from libs.language.topics.numbers import Units

_CANONICAL: Final = """
km m cm mm nm mi ft yd kg g mg t lb oz l ml gal ha km² m² m³ km/h m/s km/s mph °C °F ° K W kW MW GW kWh V Hz MHz GHz
kB MB GB TB ‰ USD EUR GBP JPY INR CNY CHF KRW
"""
_OTHER: Final = {
    **{"US$": "USD", "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "RMB": "CNY"},
    **{"km2": "km²", "m2": "m²", "L": "l", "mL": "ml", "kmh": "km/h", "kph": "km/h", "KB": "kB", "AU": "au"},
    **{"%": "percent", "℃": "°C", "℉": "°F", "ms": "millisecond", "s": "second", "min": "minute", "h": "hour"},
}
SYMBOLS: Final[Mapping[str, str]] = MappingProxyType({symbol: symbol for symbol in _CANONICAL.split()} | _OTHER)
"""The unit of each symbol that all languages share, as written."""
MONEY_SIGNS: Final = "$€£¥₹₩"


@lru_cache(maxsize=64)  # taste
def unit_words(language: str) -> Mapping[str, str]:
    """The unit of each word and symbol in a language."""
    words = {word: unit for unit, spellings in Units.of(language).spellings.items() for word in spellings}
    return MappingProxyType({**SYMBOLS, **words})


def unit_named(spelling: str, language: str) -> str | None:
    """The unit of a symbol or word, or None; from four letters on in any case (`Days`), symbols as written (taste)."""
    units = unit_words(language)
    return units.get(spelling) or (units.get(spelling.lower()) if len(spelling) > 3 else None)
