"""Words of politeness before a question."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class Pleasantries(Topic):
    """Politeness at the start of a turn."""

    opening: re.Pattern[str]
    """One piece of politeness, with what separates it from the rest: `Thanks!`, or a polite request."""
