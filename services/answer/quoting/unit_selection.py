"""Choose the units to quote: those with most of the question's rare words, from the best-ranked passages.

A unit's score is BM25 over the query's search terms, with the whole collection's rarities, plus its passage's fused
score. Terms that occur only in its headings, table header or introducing line count in part. Answer types and sentence
vectors brought no further gain (docsqa, our questions on documents, ten corpora). Numbers that name no source are
chosen by hand. Pure functions.
"""

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.options import Length
from libs.contracts.query import SearchedTerm
from libs.contracts.structure import BlockKind
from libs.language.quantities import asks_quantity, asks_time, tells_number
from services.answer.quoting.terms import QuotingQuery
from services.answer.quoting.units import Unit

WORDS: Final[Mapping[Length, int]] = {Length.SHORT: 40, Length.MEDIUM: 100, Length.LONG: 220}
"""Maximum words of an answer without headings; the best unit is kept even if longer (docsqa at 100: whole answers .882
in 105 words for standalone questions; at 60 .83, at 150 .89)."""
PASSAGES: Final = 5
"""How many of the best-ranked passages units are taken from (3: .802 in sessions, 5: .814, 8: .810)."""
UNIT_WEIGHT: Final = 0.5
"""Weight of a unit's own terms relative to its passage's score (a plateau from .35 to .7)."""
INHERITED: Final = 0.8
"""Factor for a term that occurs only around a unit (.6: .008 less in sessions; 1: .004 less)."""
TELLING: Final = 0.2
"""Bonus for a unit with a number, if the question asks for a number or a time (.1 to .3: the same)."""
WORTH: Final = 0.5
"""Units that score this much less than the best are not added (.35: .004 less, .7: six words more without gain)."""
ANNOUNCED: Final = 0.05
"""Announced units score this much less than the line that announces them (`do this:`)."""
SIBLING: Final = 0.1
"""Items of a short list score at most this much less than its best item."""
SHORT_LIST: Final = 100
"""Maximum words of a list, table or code block that is quoted whole."""
K1, B, USUAL_LENGTH = 1.2, 0.3, 15
"""BM25 parameters; the average length is in terms."""
_OUTER_MARKS: Final = string.punctuation + string.whitespace + "•·–—…"


@dataclass(frozen=True, slots=True)
class ScoredUnit:
    """A unit with its score as an answer."""

    unit: Unit
    score: float


def score_units(query: QuotingQuery, passages: Sequence[Sequence[Unit]]) -> list[ScoredUnit]:
    """Return the units with their scores, best first; ties keep rank and text order.

    Args:
        query: the question with its search terms.
        passages: the units of each passage, best-ranked passage first.
    """
    number = asks_quantity(query.question, query.language) or asks_time(query.question, query.language)
    scored_units: list[ScoredUnit] = []
    for units in passages:
        scores = [_lexical_score(query.terms, unit) + unit.reference.evidence.scores.fused for unit in units]
        if number:
            scores = [score + _quantity_bonus(unit, query.question) for score, unit in zip(scores, units, strict=True)]
        scored_units += map(ScoredUnit, units, _raise_related(units, scores))
    return sorted(scored_units, key=lambda scored_unit: -scored_unit.score)


def choose_units(scored_units: Sequence[ScoredUnit], words: int) -> list[ScoredUnit]:
    """Return the best units, without duplicates, up to about `words` words; the best unit is always included.

    A line that announces something (`do this:`) is added with what it announces, or not at all.
    """
    blocks = _blocks(scored_units)
    selection: list[ScoredUnit] = []
    texts: set[str] = set()
    count = 0
    for candidate in scored_units:
        additions = [
            scored_unit
            for scored_unit in (candidate, *_announced_units(candidate, blocks))
            if _wording(scored_unit.unit) not in texts
        ]
        length = sum(scored_unit.unit.words for scored_unit in additions)
        if selection and (count + length > words or candidate.score < selection[0].score - WORTH):
            continue
        if candidate in additions and (len(additions) > 1 or not candidate.unit.introduces or not selection):
            selection += additions
            texts.update(_wording(scored_unit.unit) for scored_unit in additions)
            count += length
    return selection


def _wording(unit: Unit) -> str:
    """Return a unit's text without its case and outer marks: one document has it as a list item, another in a text."""
    text = unit.text.casefold()
    return text.strip(_OUTER_MARKS) or text


def _blocks(scored_units: Sequence[ScoredUnit]) -> Mapping[tuple[str, int], Sequence[ScoredUnit]]:
    """Return the units of each block, in text order."""
    blocks: dict[tuple[str, int], list[ScoredUnit]] = {}
    for scored_unit in sorted(scored_units, key=lambda item: item.unit.span.start):
        blocks.setdefault((scored_unit.unit.passage.passage_id, scored_unit.unit.block), []).append(scored_unit)
    return blocks


def _announced_units(
    candidate: ScoredUnit, blocks: Mapping[tuple[str, int], Sequence[ScoredUnit]]
) -> Sequence[ScoredUnit]:
    unit = candidate.unit
    block = blocks.get((unit.passage.passage_id, unit.block + 1), ()) if unit.introduces else ()
    return [
        block[position] for position in _short_block([scored_unit.unit for scored_unit in block], range(len(block)))
    ]


def _quantity_bonus(unit: Unit, question: str) -> float:
    return TELLING if tells_number(unit.text, unit.passage.language, question) else 0.0


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


def _raise_related(units: Sequence[Unit], scores: Sequence[float]) -> list[float]:
    """Return the scores, raised for units that belong to a high-scoring one: announced blocks, sibling list items."""
    new_scores = list(scores)
    blocks: dict[int, list[int]] = {}
    for position, unit in enumerate(units):
        blocks.setdefault(unit.block, []).append(position)
    for position, unit in enumerate(units):
        if unit.introduces:
            for other in _short_block(units, blocks.get(unit.block + 1, ())):
                new_scores[other] = max(new_scores[other], new_scores[position] - ANNOUNCED)
    for positions in blocks.values():
        if units[positions[0]].kind in (BlockKind.LIST, BlockKind.DEFINITION):
            least = max(new_scores[position] for position in positions) - SIBLING
            for position in _short_block(units, positions):
                new_scores[position] = max(new_scores[position], least)
    return new_scores


def _short_block(units: Sequence[Unit], positions: Sequence[int]) -> Sequence[int]:
    """Return all positions of a short block, the item beginnings of a longer one, none if those are too long too."""
    for candidates in (positions, [position for position in positions if not units[position].continues]):
        if sum(units[position].words for position in candidates) <= SHORT_LIST:
            return candidates
    return ()
