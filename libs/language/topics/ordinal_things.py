"""Things that ordinals tell apart: the second well is not the first one."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.calendar import Calendar


@dataclass(frozen=True)
class OrdinalThings(Topic):
    """Ordinals before nouns."""

    uses = (Calendar,)

    nth: re.Pattern[str]
    """An ordinal, or `last`."""
    row: re.Pattern[str]
    """One or several as the group `nths` before a noun, the group `thing`: `the first and the second well`."""
