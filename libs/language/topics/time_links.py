"""Words that connect times to ranges and bound them."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.time_words import TimeWords


@dataclass(frozen=True)
class TimeLinks(Topic):
    """Words around times in a language."""

    uses = (TimeWords,)

    opening: re.Pattern[str]
    """The text before a range: `from`, or the group `between`. It ends with `\\Z`, as do `connector` and `bound`."""
    connector: re.Pattern[str]
    """The text between the ends of a range: `to`, or the group `and` after `between`."""
    bound: re.Pattern[str]
    """The text before a time that is the bound of a range; the group `word` is one of `TimeWords.bounds`."""
    onward: re.Pattern[str]
    """The text after a time that only begins a range: `onwards`."""
    side_of: re.Pattern[str]
    """The beginning of a phrase for a part of a period: `the end of`."""
