"""The time that a question asks for: a range, which is compared with dates and not searched as words. Pure functions.

"On 27 November 2026" shares two of three words with "27 November 2025", so the dates of a question are taken out of
its words, and the passages that tell of its time are lifted above others that fit its words as well.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from libs.chronology.days import Days
from libs.chronology.told_days import WIDER, days_in, days_of_document, days_of_passage, time_fit
from libs.contracts.dates import PartialDate, TimeRange
from libs.contracts.evidence import Passage
from libs.contracts.query import WeightedQuery
from libs.contracts.usage import Degraded, Stage
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.text.dates.document_dates import find_dates
from libs.text.dates.readings import YEAR

READ: Final = 500
"""Candidates that are compared with a range; reading their dates takes .1 to .5 ms each, once (taste)."""
_YEAR: Final = re.compile(YEAR)
_BARE_YEAR: Final = re.compile(rf"(?<!\w){YEAR}(?!\w)")
DATED, MENTIONED, BESIDE = 0.75, 0.7, 0.2
"""How well a passage fits a range: without dates in a document dated in it, telling of a day in it, or telling of other
days alone in such a document (by hand)."""
_HALF_DAY: Final = timedelta(hours=12)
_FIRST_NOON: Final = datetime.min.replace(tzinfo=UTC) + _HALF_DAY
_LAST_NOON: Final = datetime.max.replace(tzinfo=UTC) - _HALF_DAY
NEARBY: Final = 50
"""The best candidates, among which the nearest in time is named if none is of the range (taste)."""


def without_dates(query: WeightedQuery) -> WeightedQuery:
    """The query without the dates in its wordings, for a search by a range; a wording of dates alone is left."""
    variants = tuple(replace(variant, text=text_without_dates(variant.text)) for variant in query.variants)
    texts = tuple(replace(text, text=text_without_dates(text.text)) for text in query.texts)
    terms = tuple(term for term in query.terms if not _YEAR.fullmatch(term.term))
    turn, text = text_without_dates(query.turn), text_without_dates(query.text)
    return replace(query, text=text, variants=variants, texts=texts, terms=terms, turn=turn)


def text_without_dates(text: str) -> str:
    """A text without the dates in it; one of dates alone is left."""
    rest = text
    for mention in reversed(find_dates(text, language=reading_language(text, usual=ENGLISH))):
        rest = rest[: mention.start] + rest[mention.end :]
    return rest if any(map(str.isalpha, rest)) else text


def fit_of(passages: Sequence[Passage | None], wanted: TimeRange) -> tuple[NDArray[np.float64], Degraded | None]:
    """How well ranked passages fit a range, in [0, 1], and what to say if none of them does.

    None is a passage that was deleted, and fits none. Where nothing has a date there is nothing to say.
    """
    levels = [_level(passage, wanted) if passage else 0.0 for passage in passages]
    is_dated = any(passage and time_fit(days_of_document(passage), wanted) == 1 for passage in passages)
    is_found = is_dated or max(levels, default=0.0) > WIDER
    return np.array(levels, np.float64), None if is_found else _nothing(passages, wanted)


def _level(passage: Passage, wanted: TimeRange) -> float:
    told = _days_told(passage.text, passage.title, passage.headings, passage.language)
    dated = time_fit(days_of_document(passage), wanted)
    if told is None and not passage.date:
        return MENTIONED * time_fit(_days_of_every_year(passage, wanted), wanted)
    return DATED * dated if told is None else max(MENTIONED * time_fit(told, wanted), BESIDE * dated)


def _days_of_every_year(passage: Passage, wanted: TimeRange) -> tuple[Days, ...]:
    """The days without a year that a passage names ("4 January"), in the years of a range's start and end."""
    if wanted.start is None:
        return ()
    first, last = _days_of(wanted)
    years = {first.year, last.year if wanted.end else first.year}
    language = passage.language or ENGLISH
    return tuple(days for year in years for days in days_in(passage.text, PartialDate(year), language=language))


@lru_cache(maxsize=4096)  # taste
def _days_told(text: str, title: str, headings: tuple[str, ...], language: str) -> tuple[Days, ...] | None:
    """The days that a passage with this text tells of; None if no year stands in it or above it, either."""
    told = days_of_passage(Passage("", "", text, title=title, headings=headings, language=language))
    return told if told or _BARE_YEAR.search("\n".join((title, *headings, text))) else None


def _nothing(passages: Sequence[Passage | None], wanted: TimeRange) -> Degraded | None:
    """That nothing is dated in a range, and when the nearest of the best is from; None if they have no dates."""
    nearby = [passage for passage in passages[:NEARBY] if passage]
    others = [days for passage in nearby for days in days_of_passage(passage) or days_of_document(passage)]
    if not others:
        return None
    first, last = _days_of(wanted)
    nearest = min(others, key=lambda days: max(days.first - last, first - days.last))
    time = f"up to {last}" if wanted.start is None else f"from {first} on" if wanted.end is None else _span(first, last)
    effect = f"Nothing dated {time} was found; the nearest is from {_span(nearest.first, nearest.last)}."
    return Degraded(Stage.RETRIEVE, "NOTHING_FOUND", effect)


def _days_of(wanted: TimeRange) -> tuple[date, date]:
    """The first and the last day of a range, the calendar's where it is open.

    At noon a day has the same date in nearly every zone; a range has come without its own.
    """
    first = (min(wanted.start, _LAST_NOON) + _HALF_DAY).date() if wanted.start else date.min
    last = (max(wanted.end, _FIRST_NOON) - _HALF_DAY).date() if wanted.end else date.max
    return first, last


def _span(first: date, last: date) -> str:
    return f"{first}" if first == last else f"{first} to {last}"
