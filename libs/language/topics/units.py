"""Words for units of measurement."""

from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class Units(Topic):
    """Units in a language, besides the symbols that all languages share (`libs.text.units`)."""

    spellings: Mapping[str, tuple[str, ...]]
    """The words of each unit, by its canonical name; lower-cased, except those of up to three letters."""
    one: Mapping[str, str]
    """The word for one unit, by its canonical name, where that is not shown itself: `Tag` for `day`."""
    several: Mapping[str, str]
    """The word for several units: `days`."""
    per: tuple[str, ...]
    """Words between a distance and a time: `kilometres per hour`."""
    temperature_scales: Mapping[str, tuple[str, ...]]
    """Words after degrees, by unit: `celsius` for `°C`."""
