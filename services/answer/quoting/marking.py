"""Which quoted unit is marked as the answer. A mark is a claim: without a likely answer nothing is marked.

The probability that a unit answers is a logistic function of four features. Their weights are fitted
(`python -m bench.fit mark`) and stored in `marking.json` beside this module, with what they were fitted on and what
that gave. Twenty-five further features, among them cosines of the units' own vectors, brought no gain. Pure functions,
but for the weights, which are read once.
"""

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final

from libs.contracts.query import SearchedTerm
from services.answer.question import AnswerKind, ParsedQuestion, read_question
from services.answer.quoting.doubt import UNSEEN, closeness
from services.answer.quoting.terms import QuotingQuery
from services.answer.quoting.unit_selection import ScoredUnit, type_fit
from services.answer.quoting.units import Unit

WEIGHTS: Final = "marking.json"
FEATURES: Final = ("margin", "coverage", "type", "closeness")
UNTYPED: Final = 0.6
"""The feature `type` where the question asks for no known type (fitted as a weight of its own)."""
ALONE: Final = 0.5
"""The margin of the only unit (taste)."""


def marked(query: QuotingQuery, scored_units: Sequence[ScoredUnit], selection: Sequence[Unit]) -> Unit | None:
    """Return the unit that answers the question, or None if none is likely enough to.

    Args:
        query: the question.
        scored_units: all units with their scores.
        selection: those that are quoted.
    """
    fitted = _fitted()
    best = max(
        ((_probability(each, fitted), unit) for unit, each in features(query, scored_units, selection)),
        key=lambda scored: scored[0],
        default=None,
    )
    return best[1] if best is not None and best[0] >= fitted["threshold"] else None


def features(
    query: QuotingQuery, scored_units: Sequence[ScoredUnit], selection: Sequence[Unit]
) -> list[tuple[Unit, Mapping[str, float]]]:
    """Return the quoted units that may answer, with their features.

    A unit that only introduces another one, or has nothing of the type asked for, does not answer. `margin` is how much
    better it scores than the others quoted; `coverage` the share of the rarity of the question's own words in it or
    around it, of those that any passage has; `type` how well it fits the type asked for; `closeness` its passage's.
    """
    question = read_question(query.question, query.language)
    scores = {scored_unit.unit.place: scored_unit.score for scored_unit in scored_units}
    units = [unit for unit in selection if unit.place in scores]
    return [
        (
            unit,
            {
                "margin": _margin(unit, units, scores),
                "coverage": _coverage(query.terms, unit),
                "type": fit,
                "closeness": closeness(unit.reference.evidence.scores),
            },
        )
        for unit in units
        if not unit.introduces and (fit := _fit(question, unit))
    ]


def _probability(unit_features: Mapping[str, float], fitted: Mapping[str, float]) -> float:
    logit = fitted["bias"] + sum(fitted[name] * unit_features[name] for name in FEATURES)
    return 1 / (1 + math.exp(-logit))


def _margin(unit: Unit, units: Sequence[Unit], scores: Mapping[tuple[str, int, int], float]) -> float:
    others = [scores[other.place] for other in units if other is not unit]
    return scores[unit.place] - max(others) if others else ALONE


def _coverage(terms: Sequence[SearchedTerm], unit: Unit) -> float:
    own = {term.term: term.rarity for term in terms if term.weight >= 1 and term.rarity < UNSEEN}
    found = sum(rarity for term, rarity in own.items() if term in unit.terms or term in unit.context_terms)
    return found / sum(own.values()) if own else 0.0


def _fit(question: ParsedQuestion, unit: Unit) -> float:
    return UNTYPED if question.kind is AnswerKind.STATEMENT else type_fit(question, unit)


@lru_cache(maxsize=1)
def _fitted() -> Mapping[str, float]:
    """Read the weights that are part of this package."""
    fitted = json.loads((files(__package__) / WEIGHTS).read_text(encoding="utf-8"))
    return {**fitted["weights"], "threshold": fitted["threshold"]}
