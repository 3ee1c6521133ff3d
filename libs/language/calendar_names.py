"""Names of months in any language, from the Unicode locale data, which Babel reads from its files on first use."""

from collections.abc import Sequence
from functools import lru_cache

from babel import Locale, UnknownLocaleError


def month_names(language: str) -> frozenset[str]:
    """The full and short names of the months, lower-cased and without a full stop; empty for an unknown language."""
    return _month_names(language, ("wide", "abbreviated"))


def full_month_names(language: str) -> frozenset[str]:
    """The full names of the months, lower-cased; short ones are also other words (`Jan`, `Mar`)."""
    return _month_names(language, ("wide",))


@lru_cache(maxsize=128)  # taste
def _month_names(language: str, widths: Sequence[str]) -> frozenset[str]:
    try:
        names = Locale.parse(language).months["format"]
    except (UnknownLocaleError, ValueError):
        return frozenset()
    return frozenset(name.lower().rstrip(".") for width in widths for name in names[width].values())
