"""Words around four bare digits that tell whether they are a year."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class YearContext(Topic):
    """Words around numbers in a language; lower-cased."""

    prepositions: frozenset[str]
    """Words before a year."""
    quantifiers: frozenset[str]
    """Words before a quantity: `over`."""
    numbered: frozenset[str]
    """Words before a number that identifies something: `page`."""
    counted: frozenset[str]
    """Nouns that follow a count."""
    things: re.Pattern[str]
    """A whole word that is a noun in the plural when it follows a number."""
    never_units: frozenset[str]
    """Words that are not units after a number, though they look like one: `in`."""
