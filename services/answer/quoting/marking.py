"""Which quoted unit is marked as the answer. A mark is a claim: without a likely answer nothing is marked.

The probability that a unit answers is a logistic function of three features. Their weights are fitted
(`python -m bench.fit mark`) and stored in `marking.json` beside this module, with what they were fitted on and what
that gave. Fifty further features brought no gain, nor did forests of them: among them the question's words in the
unit, its passage's rank and closeness, cosines of the unit's own vector, the margin over units with another value, how
many tell the same number. Pure functions, but for the weights, which are read once.
"""

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final

from libs.contracts.structure import BlockKind
from services.answer.questions.question import AnswerKind, ParsedQuestion, read_question
from services.answer.quoting.terms import QuotingQuery
from services.answer.quoting.unit_selection import ScoredUnit, type_fit
from services.answer.quoting.units import Unit

WEIGHTS: Final = "marking.json"
FEATURES: Final = ("margin", "type", "doubt")
UNTYPED: Final = 0.6
"""The feature `type` where the question asks for no known type (fitted as a weight of its own)."""
ALONE: Final = 0.5
"""The margin of the only unit (taste)."""


def marked(
    query: QuotingQuery, scored_units: Sequence[ScoredUnit], selection: Sequence[Unit], doubt: float
) -> Unit | None:
    """Return the unit of a selection that answers the question, or None if none is likely enough to.

    `scored_units` are all units, `doubt`, in [0, 1], says that the evidence has no answer.
    """
    fitted = _fitted()
    chances = [(_probability(each, fitted), unit) for unit, each in features(query, scored_units, selection, doubt)]
    chance, best = max(chances, key=lambda scored: scored[0], default=(0.0, None))
    return best if chance >= fitted["threshold"] else None


def features(
    query: QuotingQuery, scored_units: Sequence[ScoredUnit], selection: Sequence[Unit], doubt: float
) -> list[tuple[Unit, Mapping[str, float]]]:
    """Return the quoted units that may answer, with their features.

    Code, a unit that only introduces another one, or one with nothing of the type asked for, does not answer. `margin`
    is how much better it scores than the others quoted; `type` how well it fits the type asked for.
    """
    question = read_question(query.question, query.language)
    scores = {scored_unit.unit.place: scored_unit.score for scored_unit in scored_units}
    units = [unit for unit in selection if unit.place in scores]
    return [
        (unit, {"margin": _margin(unit, units, scores), "type": fit, "doubt": doubt})
        for unit in units
        if unit.kind is not BlockKind.CODE and not unit.introduces and (fit := _fit(question, unit))
    ]


def _probability(unit_features: Mapping[str, float], fitted: Mapping[str, float]) -> float:
    logit = fitted["bias"] + sum(fitted[name] * unit_features[name] for name in FEATURES)
    return (1 + math.tanh(logit / 2)) / 2  # the logistic function, without overflow


def _margin(unit: Unit, units: Sequence[Unit], scores: Mapping[tuple[str, int, int], float]) -> float:
    others = [scores[other.place] for other in units if other is not unit]
    return scores[unit.place] - max(others) if others else ALONE


def _fit(question: ParsedQuestion, unit: Unit) -> float:
    return UNTYPED if question.kind is AnswerKind.STATEMENT else type_fit(question, unit)


@lru_cache(maxsize=1)
def _fitted() -> Mapping[str, float]:
    """Read the weights that are part of this package."""
    fitted = json.loads((files(__package__) / WEIGHTS).read_text(encoding="utf-8"))
    return {**fitted["weights"], "threshold": fitted["threshold"]}
