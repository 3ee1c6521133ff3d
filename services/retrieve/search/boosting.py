"""Boosts passages that match the time a question names but does not insist on."""

from libs.contracts.evidence import Passage
from libs.language.known import ENGLISH
from libs.text.dates import DateMention, find_dates
from libs.text.memoize import memoized
from services.retrieve.corpus.dates import Seconds, seconds_of_date

DATED, MENTIONED = 1.0, 0.7
"""How well a passage matches a range: its document is dated in it, or its text mentions a date in it."""


def belonging(passage: Passage, period: Seconds) -> float:
    """How well a passage matches a time range, in [0, 1]."""
    if passage.date and seconds_of_date(passage.date).overlaps(period):
        return DATED
    stretches = _stretches(f"{passage.title}\n{passage.text}", passage.language or ENGLISH)
    return MENTIONED if any(stretch.overlaps(period) for stretch in stretches) else 0.0


@memoized(texts=2048, longest=4096)
def _stretches(text: str, language: str) -> tuple[Seconds, ...]:
    """The time ranges of the dates in a text."""
    return tuple(_stretch(mention) for mention in find_dates(text, language=language))


def _stretch(mention: DateMention) -> Seconds:
    return Seconds(seconds_of_date(str(mention.first)).first, seconds_of_date(str(mention.last)).last)
