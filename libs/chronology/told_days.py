"""The days that a passage, or a line of it, tells of: those it names, and those of the dated heading or title above it.

`27 November: the pump failed` below `2026` is of that day; a line without a date is of its heading's. Pure functions.
"""

from collections.abc import Sequence
from typing import Final

from libs.chronology.date_headings import date_of_headings
from libs.chronology.days import Days, days_of, lies_within, meets, parse_partial_date
from libs.contracts.dates import PartialDate, TimeRange
from libs.contracts.evidence import Passage
from libs.language.known import ENGLISH
from libs.text.dates.document_dates import find_dates
from libs.text.memoize import memoized

WIDER: Final = 0.5
"""How well a longer time fits (taste)."""


@memoized(texts=8192, longest=2048)  # characters; passages have some 800 (taste)
def days_in(text: str, anchor: PartialDate | None = None, *, language: str) -> tuple[Days, ...]:
    """The days that a text names; `anchor` is what dates without a year are counted from."""
    return tuple(days_of(mention.first, mention.last) for mention in find_dates(text, anchor, language=language))


def anchor_of(passage: Passage) -> PartialDate | None:
    """The date that the headings above a passage give it; None if they give none."""
    heading_date = date_of_headings((passage.title, *passage.headings), passage.language or ENGLISH)
    return heading_date.date.first if heading_date else None


def days_above(passage: Passage) -> tuple[Days, ...]:
    """The days of the innermost dated heading above a passage; of its title if no heading is dated."""
    language = passage.language or ENGLISH
    if (heading_date := date_of_headings((passage.title, *passage.headings), language)) is not None:
        return (days_of(heading_date.date.first, heading_date.date.last),)
    places = (days_in(place, language=language) for place in (*reversed(passage.headings), passage.title))
    return next((days for days in places if days), ())


def days_of_document(passage: Passage) -> tuple[Days, ...]:
    """The date of a passage's document; empty if it has none."""
    date = parse_partial_date(passage.date)
    return (days_of(date),) if date else ()


def days_told(own: Sequence[Days], above: Sequence[Days]) -> tuple[Days, ...]:
    """The days of a line that names `own` ones below `above`: both, or its own if they say more exactly which."""
    refines = any(inner in outer for inner in own for outer in above)
    return tuple(own) if refines else (*own, *above)


def time_fit(days: Sequence[Days], wanted: TimeRange) -> float:
    """How well days fit a range: 1 if some lie in it, WIDER if some only meet it (2026 for a day of it), else 0."""
    meeting = [each for each in days if meets(each, wanted)]
    return 1.0 if any(lies_within(each, wanted) for each in meeting) else WIDER * bool(meeting)


def days_of_passage(passage: Passage) -> tuple[Days, ...]:
    """All days that a passage tells of."""
    own = days_in(passage.text, anchor_of(passage), language=passage.language or ENGLISH)
    return days_told(own, days_above(passage))
