"""Prefer the units of the time that a question asks for to those of other times. Pure functions.

A unit is of the days that it names, or of the dated heading, title or document above it. A sentence without a date is
of the time of the one before it in its paragraph. A question that asks when something was gives the time of something
else (`When did the rover launched in 2011 land?`), so sentences of any time may answer it.
"""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Final

from libs.chronology.days import Days
from libs.chronology.told_days import WIDER, anchor_of, days_above, days_in, days_of_document, days_told, time_fit
from libs.contracts.dates import TimeRange
from libs.contracts.stages.answer import WriteRequest
from libs.contracts.structure import BlockKind
from libs.contracts.understanding import RangeUse
from libs.language.known import ENGLISH
from libs.language.quantities import asks_time
from services.answer.quoting.unit_selection import ScoredUnit
from services.answer.quoting.units import Unit

PASSAGES_IN_TIME: Final = 20
"""How many passages are read for a time: each entry of a log is one (all that a search gives; taste)."""
UNCERTAIN: Final = 0.5
"""How much less a unit without a date, or of a longer time, counts: none is added that fits the question less."""


class TimeFit(Enum):
    """Which time units are of: the one that is asked for, a longer one or none, or another one."""

    WANTED = auto()
    UNCERTAIN = auto()
    OTHER = auto()


def wanted_time(request: WriteRequest, language: str) -> TimeRange | None:
    """The time that the quotations have to be of; None for any."""
    understanding = request.understanding
    if understanding is None or understanding.time_range is None:
        return None
    is_of_something_else = understanding.range_use is RangeUse.BOOST and asks_time(request.question, language)
    return None if is_of_something_else else understanding.time_range


def of_time(
    scored_units: Sequence[ScoredUnit], passages: Sequence[Sequence[Unit]], wanted: TimeRange
) -> tuple[TimeFit, list[ScoredUnit]]:
    """Return the units without those of other times, best first, and how they fit.

    If none is of the time, those of a longer time or of none are left when the best one is such; else all are returned.
    """
    days = {unit.place: told for units in passages for unit, told in _days_of_units(units)}
    fits = [(each, *_fit(each.unit, days[each.unit.place], wanted)) for each in scored_units]
    if fits[0][2] and not any(fit for _, fit, _ in fits):
        return TimeFit.OTHER, list(scored_units)
    kept = [
        ScoredUnit(each.unit, each.score - UNCERTAIN * (fit < 1)) for each, fit, is_dated in fits if fit or not is_dated
    ]
    ordered = sorted(kept, key=lambda scored_unit: -scored_unit.score)
    return TimeFit.WANTED if any(fit == 1 for _, fit, _ in fits) else TimeFit.UNCERTAIN, ordered


def _fit(unit: Unit, told: Sequence[Days], wanted: TimeRange) -> tuple[float, bool]:
    """How well a unit fits a range, and whether it is dated; what a document dated in it tells may be of any time."""
    written = days_of_document(unit.passage)
    return (time_fit(told, wanted), True) if told else (WIDER * time_fit(written, wanted), bool(written))


def _days_of_units(units: Sequence[Unit]) -> Iterator[tuple[Unit, Sequence[Days]]]:
    """Yield the units of one passage with the days that they tell of."""
    if not units:
        return
    passage = units[0].passage
    anchor, above = anchor_of(passage), days_above(passage)
    before, block = tuple[Days, ...](), -1
    for unit in units:
        header = unit.header.of(passage.text) if unit.header else ""
        own = days_in(f"{header}\n{unit.quote}".strip(), anchor, language=passage.language or ENGLISH)
        goes_on = unit.kind is BlockKind.PARAGRAPH and unit.block == block
        before, block = own or (before if goes_on else ()), unit.block
        yield unit, days_told(before, above)
