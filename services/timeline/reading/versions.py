"""Versions of a document: documents whose titles differ only in a date, such as the policies of several years."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from libs.contracts.evidence import Passage
from libs.language.known import ENGLISH
from libs.text.dates.document_dates import DateMention, find_dates


def dates_of_versions(passages: Sequence[Passage]) -> list[DateMention | None]:
    """Return the date in the title of each document, given by a passage of it; None if it is no version of another."""
    readings = [_part(passage) for passage in passages]
    counts = Counter(rest for rest, _ in readings)
    return [date if date and counts[rest] > 1 else None for rest, date in readings]


def _part(passage: Passage) -> tuple[str, DateMention | None]:
    """The title without its date, and the date, as one that is not in the text; None unless there is exactly one."""
    mentions = find_dates(passage.title, language=passage.language or ENGLISH)
    if len(mentions) != 1:
        return passage.title, None
    (date,) = mentions
    rest = passage.title[: date.start] + passage.title[date.end :]
    return rest, replace(date, text="", start=0, end=0)
