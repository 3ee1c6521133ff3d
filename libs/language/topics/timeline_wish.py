"""Words with which a question asks for a timeline."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class TimelineWish(Topic):
    """A wish for a timeline."""

    wish: re.Pattern[str]
    """`timeline of …`, `history of …`, `what happened when`."""
    other: re.Pattern[str]
    """Another sense of the same words: `browser history`."""
