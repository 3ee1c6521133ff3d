"""Carrying: which sentences have the date of something told before them.

Below a heading that is a date, these are the items of lists and what tells of a happening. News tell a date once, and
what follows happened on it: on the day told last, if that was not long before the report, else on the report's own.
"""

import re
from collections.abc import Sequence
from typing import Final

from libs.chronology.days import first_day
from libs.chronology.eventfulness import verbs_in
from libs.chronology.roles import is_told, plans
from libs.contracts.dates import PartialDate
from libs.language.known import ENGLISH
from libs.text.dates import DateMention
from libs.text.tokens import content_stems
from services.timeline.clauses import is_open

_CARRIED_OVER: Final = 40
"""Days before a report from which on a date told in it is carried to what follows (TimeSET: 3 is worse, 20 alike)."""
_SPOKEN: Final = re.compile(r"\s*[\"“‘']|[^\"“”]*[\"“][^\"“”]*\Z|[^\"“”]*”")
"""Begins with quoted words, or holds one half of a quotation: somebody speaks."""
_BEFORE_THAT: Final = re.compile(r"\bhad\b")
"""`The port had closed`. What `has closed` is news: TimeSET's pairs in order are .41 with it, .35 without."""
_FEWEST_WORDS: Final = 2
"""Content words of an event; less is a number or a mark."""


def is_told_below(sentence: str, opens_item: bool, language: str) -> bool:
    """Whether a sentence below a dated heading tells something of that date.

    Args:
        sentence: the sentence.
        opens_item: whether an item of a list begins with it; what follows in the item explains it.
        language: ISO 639-1, empty when unknown; only English verbs are known, in another language any sentence counts.
    """
    if sentence.rstrip().endswith("?") or len(content_stems(sentence)) < _FEWEST_WORDS:
        return False
    return opens_item or language not in ("", ENGLISH) or bool(verbs_in(sentence))


def goes_on(sentence: str) -> bool:
    """Whether something happened in it by the report's own account, not before what was told last."""
    is_spoken = _SPOKEN.match(sentence) or sentence.rstrip().endswith("?")
    return bool(verbs_in(sentence)) and not (is_spoken or _BEFORE_THAT.search(sentence) or plans(sentence))


def goes_on_from(
    day: PartialDate, document: PartialDate, sentence: str, mentions: Sequence[DateMention]
) -> PartialDate:
    """The day told last, not long before the report: what follows happened on it; without one it is still `day`.

    A day that somebody names in quoted words is none that the report goes on from.
    """
    days = [m.first for m in mentions if m.first.day and is_told(sentence, m) and is_open(sentence, m.start)]
    recent = [date for date in days if 0 <= days_between(date, document) <= _CARRIED_OVER]
    return recent[-1] if recent else day


def days_between(first: PartialDate, second: PartialDate) -> int:
    """Days from one date to another, each its first day."""
    return (first_day(second) - first_day(first)).days
