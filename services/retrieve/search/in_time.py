"""The time that a question asks for: a range, which is compared with dates and not searched as words. Pure functions.

"On 27 November 2026" shares two of three words with "27 November 2025", so the dates of a question are taken out of
its words, and the passages that tell of its time stand before all others.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

import numpy as np
from numpy.typing import NDArray

from libs.chronology.days import Days, days_of, parse_partial_date
from libs.chronology.told_days import WIDER, days_of_passage, time_fit
from libs.contracts.dates import TimeRange
from libs.contracts.evidence import Passage
from libs.contracts.query import WeightedQuery
from libs.contracts.usage import Degraded, Stage
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.text.date_readings import YEAR
from libs.text.dates import find_dates

READ: Final = 500
"""Candidates that are compared with a range; dates are read where its decade stands, .2 to .6 ms each, once (taste)."""
_YEAR: Final = re.compile(YEAR)
_SHORT_YEAR: Final = re.compile(r"\d\.\d\d(?!\d)")
_DECADES: Final = 5
"""Of a longer range, and of an open one, the dates of all candidates are read (taste)."""
MENTIONED: Final = 0.7
"""How much less a passage fits a range that tells of a day in it than one whose document is dated in it (by hand)."""
NEARBY: Final = 50
"""The best candidates, among which the nearest in time is named if none is of the range (taste)."""


@dataclass(frozen=True, slots=True)
class TimeFit:
    """How well the first passages of a list fit a range, in [0, 1], and what to say if none of them does."""

    levels: NDArray[np.float64]
    degraded: Degraded | None = None


def without_dates(query: WeightedQuery) -> WeightedQuery:
    """The query without the dates in its wordings, for a search by a range; a wording of dates alone is left."""
    variants = tuple(replace(variant, text=_without_dates(variant.text)) for variant in query.variants)
    texts = tuple(replace(text, text=_without_dates(text.text)) for text in query.texts)
    terms = tuple(term for term in query.terms if not _YEAR.fullmatch(term.term))
    return replace(query, text=_without_dates(query.text), variants=variants, texts=texts, terms=terms)


def _without_dates(text: str) -> str:
    rest = text
    for mention in reversed(find_dates(text, language=reading_language(text, usual=ENGLISH))):
        rest = rest[: mention.start] + rest[mention.end :]
    return rest if any(map(str.isalpha, rest)) else text


def fit_of(passages: Sequence[Passage | None], wanted: TimeRange) -> TimeFit:
    """How well ranked passages fit a range; None is one that was deleted, and fits none.

    Where nothing has a date there is nothing to say.
    """
    dates, decades = [_document_days(passage) for passage in passages], _decades(wanted)
    told = [days_of_passage(passage) if passage and _may_tell(passage, decades) else () for passage in passages]
    levels = [
        max(time_fit(dated, wanted), MENTIONED * time_fit(days, wanted))
        for dated, days in zip(dates, told, strict=True)
    ]
    is_found = max(levels, default=0.0) > WIDER
    return TimeFit(np.array(levels, np.float64), None if is_found else _nothing(passages, wanted))


def _document_days(passage: Passage | None) -> tuple[Days, ...]:
    day = parse_partial_date(passage.date) if passage and passage.date else None
    return (days_of(day),) if day else ()


def _decades(wanted: TimeRange) -> tuple[str, ...]:
    """The first three digits of a range's years; none if they are too many."""
    first, last = (bound.year // 10 if bound else None for bound in (wanted.start, wanted.end))
    if first is None or last is None or last - first >= _DECADES:
        return ()
    return tuple(f"{decade:03d}" for decade in range(first, last + 1))


def _may_tell(passage: Passage, decades: Sequence[str]) -> bool:
    """Whether a year of the decades may stand in a passage or above it; reading its dates takes longer."""
    text = "\n".join((passage.title, *passage.headings, passage.text))
    return not decades or any(decade in text for decade in decades) or _SHORT_YEAR.search(text) is not None


def _nothing(passages: Sequence[Passage | None], wanted: TimeRange) -> Degraded | None:
    """That nothing is dated in a range, and when the nearest of the best is from; None if they have no dates."""
    nearby = [passage for passage in passages[:NEARBY] if passage]
    others = [days for passage in nearby for days in days_of_passage(passage) or _document_days(passage)]
    if not others:
        return None
    first = wanted.start.date() if wanted.start else date.min
    last = (wanted.end - timedelta(seconds=1)).date() if wanted.end else date.max
    nearest = min(others, key=lambda days: max(days.first - last, first - days.last))
    effect = f"Nothing dated {_in_words(wanted, first, last)} was found; the nearest is from {_span(nearest)}."
    return Degraded(Stage.RETRIEVE, "NOTHING_FOUND", effect)


def _in_words(wanted: TimeRange, first: date, last: date) -> str:
    if wanted.start is None:
        return f"up to {last}"
    return _span(Days(first, last)) if wanted.end else f"from {first} on"


def _span(days: Days) -> str:
    return f"{days.first}" if days.first == days.last else f"{days.first} to {days.last}"
