"""Headings that date the text below: `1912`, `May 1849`, `3.11.0 / 2026-04-02`, `Version 1.6 (April 2024)`. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from libs.chronology.roles import Role, role_of
from libs.contracts.dates import PartialDate, Precision
from libs.language.topics.timelines import TimeAnchors
from libs.text.dates.document_dates import DateMention, find_dates

_HEADING_PRECISIONS: Final = (Precision.DAY, Precision.MONTH, Precision.YEAR)
_SEPARATED: Final = re.compile(r"(?:\A|[^\w\s])\s*\Z")
"""The text before a year in a heading: nothing, or a mark. `Rust 2021` is a name."""
_MARKS: Final = " \t,;:/|·•–—-()[]"


@dataclass(frozen=True, slots=True)
class HeadingDate:
    """The date given by the headings above a sentence."""

    date: DateMention
    """The date with an empty text at offset 0, since it is not in the sentence."""
    words: str = ""
    """The text of the heading without its date: `Version 1.6.0`."""


@lru_cache(maxsize=1024)  # taste
def date_of_headings(headings: Sequence[str], language: str) -> HeadingDate | None:
    """Return the day, month or year given by headings, outermost first: below `1912`, `October` is in that year.

    A heading that names a subject and not a date (`Rust 2021`, `Since 2015`, `The election of 1912`) gives none.
    """
    heading_date: HeadingDate | None = None
    for heading in headings:
        context = heading_date.date.first if heading_date else None
        heading_date = _date_of_heading(heading, context, language) or heading_date
    return heading_date


def _date_of_heading(heading: str, context: PartialDate | None, language: str) -> HeadingDate | None:
    lead = TimeAnchors.of(language).heading_lead if context else ""
    text = lead + heading
    mentions = find_dates(text, context, language=language)
    if len(mentions) != 1 or not _dates(text, len(lead), mentions[0], language):
        return None
    mention = mentions[0]
    words = [part.strip(_MARKS) for part in (text[len(lead) : mention.start], text[mention.end :])]
    return HeadingDate(replace(mention, text="", start=0, end=0), " ".join(word for word in words if word))


def _dates(text: str, lead: int, mention: DateMention, language: str) -> bool:
    """Whether events below a heading happened on its date; the heading begins at `lead`."""
    if mention.first != mention.last or mention.precision not in _HEADING_PRECISIONS:
        return False
    is_separate = _SEPARATED.search(text[lead : mention.start]) is not None
    return is_separate or (
        mention.precision is not Precision.YEAR and role_of(text, mention, language=language) is Role.EVENT
    )
