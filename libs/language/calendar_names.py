"""Names of months in any language, from the Unicode locale data, which Babel reads from its files on first use."""

from functools import lru_cache

from babel import Locale, UnknownLocaleError


@lru_cache(maxsize=128)  # taste
def month_names(language: str) -> frozenset[str]:
    """The full and short names of the months, lower-cased and without a full stop; empty for an unknown language."""
    try:
        names = Locale.parse(language).months["format"]
    except (UnknownLocaleError, ValueError):
        return frozenset()
    return frozenset(name.lower().rstrip(".") for width in ("wide", "abbreviated") for name in names[width].values())
