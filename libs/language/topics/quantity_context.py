"""Words around a number that qualify it, or tell what it counts."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class QuantityContext(Topic):
    """Words around numbers in a language."""

    hedge: re.Pattern[str]
    """At the end of the text before a number: it is approximate or a bound."""
    late_unit: re.Pattern[str]
    """A unit after an adjective, as the group `unit`, at the end of a number: `ninety Martian days`."""
    end: re.Pattern[str]
    """What ends the words that may name the thing counted."""
