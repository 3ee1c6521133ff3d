"""What tells a short name (`Armstrong`) from other capitalised words, and where a full name begins."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class ShortNames(Topic):
    """Words in and around names."""

    particles: tuple[str, ...]
    """Lower-cased parts of names: `von`."""
    no_names: frozenset[str]
    """Capitalised words that are no part of a name, besides stop words, months and weekdays; lower-cased."""
    no_number_before: re.Pattern[str]
    """What follows digits that are no part of a name: `%`."""
    common_before: re.Pattern[str]
    """What precedes a common noun with a capital, or an initial of a longer name; ends where the word begins."""
    endings: frozenset[str]
    """Words that end a longer name, as written: `Inc`."""
    common_first: frozenset[str]
    """First words of names that are not shortened: `Mexico` never means `New Mexico`; lower-cased."""
    titles: frozenset[str]
    """Titles before names; lower-cased, without a full stop."""
