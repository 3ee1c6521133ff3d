"""Spellings of units in English texts, and the canonical name of each unit.

Names are SI symbols where they exist (`km`, `kg`, `°C`), ISO 4217 codes for money (`USD`), `percent`, and singular
words for time (`day`, `year`). Nothing is converted: 5 miles stay 5 `mi`.
"""

from collections.abc import Mapping
from types import MappingProxyType

_SPELLINGS: Mapping[str, str] = {
    "percent": "% percent pct",
    "‰": "‰ permille",
    "percentage point": "pp",
    "km": "km kilometre kilometres kilometer kilometers",
    "m": "m metre metres meter meters",
    "cm": "cm centimetre centimetres centimeter centimeters",
    "mm": "mm millimetre millimetres millimeter millimeters",
    "nm": "nm nanometre nanometres nanometer nanometers",
    "mi": "mi mile miles",
    "ft": "ft foot feet",
    "in": "inch inches",
    "yd": "yd yard yards",
    "au": "AU",
    "light-year": "light-year light-years ly",
    "kg": "kg kilogram kilograms kilo kilos kilogramme kilogrammes",
    "g": "g gram grams gramme grammes",
    "mg": "mg milligram milligrams",
    "t": "t tonne tonnes ton tons",
    "lb": "lb lbs pound-weight",
    "oz": "oz ounce ounces",
    "l": "l L litre litres liter liters",
    "ml": "ml mL millilitre millilitres milliliter milliliters",
    "gal": "gal gallon gallons",
    "ha": "ha hectare hectares",
    "acre": "acre acres",
    "km²": "km² km2",
    "m²": "m² m2",
    "m³": "m³ m3",
    "km/h": "km/h kmh kph",
    "m/s": "m/s",
    "km/s": "km/s",
    "mph": "mph",
    "°C": "°C ℃",
    "°F": "°F ℉",
    "°": "° degree degrees",
    "K": "K kelvin kelvins",
    "W": "W watt watts",
    "kW": "kW kilowatt kilowatts",
    "MW": "MW megawatt megawatts",
    "GW": "GW gigawatt gigawatts",
    "kWh": "kWh",
    "V": "V volt volts",
    "Hz": "Hz hertz",
    "MHz": "MHz megahertz",
    "GHz": "GHz gigahertz",
    "kB": "kB KB kilobyte kilobytes",
    "MB": "MB megabyte megabytes",
    "GB": "GB gigabyte gigabytes",
    "TB": "TB terabyte terabytes",
    "millisecond": "ms millisecond milliseconds",
    "second": "s sec secs second seconds",
    "minute": "min mins minute minutes",
    "hour": "h hr hrs hour hours",
    "day": "day days",
    "week": "week weeks",
    "month": "month months",
    "year": "yr yrs year years",
    "decade": "decade decades",
    "century": "century centuries",
    "USD": "US$ $ USD dollar dollars",
    "EUR": "€ EUR euro euros",
    "GBP": "£ GBP pound pounds",
    "JPY": "¥ JPY yen",
    "INR": "₹ INR rupee rupees",
    "CNY": "CNY RMB yuan",
    "CHF": "CHF franc francs",
    "KRW": "₩ KRW won",
}

UNIT_OF: Mapping[str, str] = MappingProxyType(
    {spelling: unit for unit, spellings in _SPELLINGS.items() for spelling in spellings.split()}
)
"""The unit name of each spelling; words in lower case, symbols as written."""

MONEY_SIGNS = "$€£¥₹₩"


def unit_named(spelling: str) -> str | None:
    """The unit of a symbol or word, or None; words match in any case (`Days`), symbols as written."""
    return UNIT_OF.get(spelling) or (UNIT_OF.get(spelling.lower()) if len(spelling) > 3 else None)
