"""Choose the units to quote: those with most of the question's rare words, from the best-ranked passages.

A unit's score is BM25 over the query's search terms, with the whole collection's rarities, plus its passage's fused
score. Terms that occur only in its headings, its table's header or the item above count in part. Vectors of sentences
brought no gain (docsqa, our questions on documents, ten corpora), nor did terms of the line that introduces a list.
Numbers that name no source are chosen by hand. Pure functions.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from libs.contracts.options import Length
from libs.contracts.query import SearchedTerm
from libs.language.quantities import asks_quantity, asks_time, tells_number
from services.answer.questions.answer_types import holds_answer_type
from services.answer.questions.question import ParsedQuestion, read_question
from services.answer.quoting.standing import DEPENDS
from services.answer.quoting.terms import QuotingQuery
from services.answer.quoting.units import Unit
from services.answer.quoting.whole_units import WholeUnits, whole_units_by_place

WORDS: Final[Mapping[Length, int]] = {Length.SHORT: 40, Length.MEDIUM: 110, Length.LONG: 220}
"""Maximum words of an answer without headings; the best unit is kept even if longer (docsqa at 100: whole answers .882
in 105 words for standalone questions; at 60 .83, at 150 .89)."""
OPENED: Final = 1.28
"""Factor for the words of an answer with the beginnings of paragraphs.

docsqa: whole answers .831 in 125 words; at 1.25 .827 in 124, at 1.3 .831 in 125.
"""
PASSAGES: Final = 5
"""How many of the best-ranked passages units are taken from (3: .802 in sessions, 5: .814, 8: .810)."""
UNIT_WEIGHT: Final = 0.5
"""Weight of a unit's own terms relative to its passage's score (a plateau from .35 to .7)."""
INHERITED: Final = 0.8
"""Factor for a term that occurs only around a unit (.6: .008 less in sessions; 1: .004 less)."""
TELLING: Final = 0.2
"""Bonus for a unit with a number, if the question asks for a number or a time (.1 to .3: the same)."""
TYPED: Final = 0.2
"""Bonus for a unit with something of the type asked for: a date, number, place, person or name (fitted on the questions
of the other corpora; whole answers of strangers' follow-ups .74 to .78, of ours the same)."""
WORTH: Final = 0.45
"""Units that score this much less than the best are not added (.42: .006 less, .5: two words more without gain)."""
HALF: Final = 0.2
"""How much less than the best a unit may score that leans on what no passage has (.1, .2: the same; any: one whole
answer less; none: eleven less)."""
K1, B, USUAL_LENGTH = 1.2, 0.3, 15
"""BM25 parameters; the average length is in terms."""
_Units: TypeAlias = dict[tuple[str, int, int], Unit]
"""Units by their places."""


@dataclass(frozen=True, slots=True)
class ScoredUnit:
    """A unit with its score as an answer."""

    unit: Unit
    score: float


def score_units(query: QuotingQuery, passages: Sequence[Sequence[Unit]]) -> list[ScoredUnit]:
    """Return the units of passages, the best-ranked first, with their scores; ties keep rank and text order."""
    number = asks_quantity(query.question, query.language) or asks_time(query.question, query.language)
    question = read_question(query.question, query.language)
    scored_units: list[ScoredUnit] = []
    for units in passages:
        scores = [_lexical_score(query.terms, unit) + unit.reference.evidence.scores.fused for unit in units]
        if number:
            scores = [score + _quantity_bonus(unit, query.question) for score, unit in zip(scores, units, strict=True)]
        scores = [score + TYPED * type_fit(question, unit) for score, unit in zip(scores, units, strict=True)]
        scored_units += map(ScoredUnit, units, scores)
    return sorted(scored_units, key=lambda scored_unit: -scored_unit.score)


def choose_units(scored_units: Sequence[ScoredUnit], words: int) -> list[Unit]:
    """Return the best units, each with what it is shown with, up to about `words` words, none twice.

    The best unit comes first and is included even if it is longer. A sentence comes with its paragraph from the
    beginning, for which there is room for `OPENED` times the words, or is left out.
    """
    whole_units = whole_units_by_place(each.unit for each in scored_units)
    selection: _Units = {}
    for unit in _best_units(scored_units, whole_units, words):
        opened = whole_units[unit.place].opened(unit)
        if _count(selection | _by_place(unit, opened)) <= words * OPENED:
            selection |= _by_place(unit, opened)
        elif not selection:
            selection = _by_place(unit, whole_units[unit.place].least(unit))
    return list(selection.values()) or [scored_unit.unit for scored_unit in scored_units[:1]]


def _best_units(
    scored_units: Sequence[ScoredUnit], whole_units: Mapping[tuple[str, int, int], WholeUnits], words: int
) -> Iterable[Unit]:
    selection: _Units = {}
    texts: set[str] = set()
    best = scored_units[0].score if scored_units else 0.0
    for candidate in scored_units:
        unit, together = candidate.unit, whole_units[candidate.unit.place]
        if candidate.score < best - WORTH or unit.text in texts:
            continue
        least = together.least(unit)
        for company in (together.whole(unit), least):
            count = _count(selection | _by_place(unit, company))
            if company and company[0].standing < DEPENDS and candidate.score < best - HALF:
                continue
            if company and (count <= words or (not selection and company == least)):
                selection |= _by_place(unit, company)
                texts.update(each.text for each in company)
                break
    return selection.values()


def _by_place(best: Unit, company: Sequence[Unit]) -> _Units:
    return {unit.place: unit for unit in (best, *company) if company}


def _count(units: _Units) -> int:
    return sum(unit.words for unit in units.values())


def _quantity_bonus(unit: Unit, question: str) -> float:
    return TELLING if tells_number(unit.text, unit.passage.language, question) else 0.0


def type_fit(question: ParsedQuestion, unit: Unit) -> float:
    """Return how well a unit fits the type that the question asks for, in [0, 1]; 0 if it asks for no known type."""
    return holds_answer_type(question, unit.text, unit.passage.language or question.language)


def _lexical_score(terms: Sequence[SearchedTerm], unit: Unit) -> float:
    counts = dict(unit.counts)
    norm = K1 * (1 - B + B * unit.length / USUAL_LENGTH)
    context_credit = INHERITED / (1 + K1)
    total = 0.0
    for term in terms:
        count = counts.get(term.term, 0)
        if count:
            total += term.weight * term.rarity * count / (count + norm)
        elif term.term in unit.context_terms:
            total += term.weight * term.rarity * context_credit
    return UNIT_WEIGHT * total
