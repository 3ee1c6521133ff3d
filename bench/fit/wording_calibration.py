"""Fits the calibration of the tagger: ridge logistic regressions, by Newton's method, and the thresholds of decisions.

Thresholds are fitted apart for histories with and without answers. The pair is taken for which the F1 of the carried
words is greatest, added up over both kinds of history, since what is long must not be given up for what is easy, less
the price of turns that need nothing and get something.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bench.fit.wording_rows import OTHER_TOPIC, Row, stems
from services.decompose.wording.calibration import terms, turn_terms
from services.decompose.wording.inputs import Inputs
from services.decompose.wording.tagger import Needed, read_needed

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
PRICE = 0.25
"""Of F1, if all turns that need nothing got something, or all that change the topic did. By hand: a word that isn't
needed is shown to the user, one that is missing is mostly found by the weighted history."""
CHANGES = 0.2
"""How many changes of topic the need is fitted to, for each other turn. By hand."""
LEAST_WORDS = 0.7605
"""Mean F1 of all content words."""
MOST_TAKEN_FOR_OTHER_TOPICS = 0.01
"""Share of the turns that need something."""
_LIKELIEST = 6
_WORDS = np.arange(0.16, 0.47, 0.02)
_NEEDS = np.arange(0.0, 0.92, 0.04)
_PENALTY = 3.3
_STEPS = 25
_HOPELESS = -5.0
"""Log-odds below which a word says nothing about the others: it is left out of the fit."""
_ANY_THRESHOLDS = np.zeros((2, 3), np.float32)


@dataclass(frozen=True)
class Scored:
    """What the networks say of a row."""

    row: Row
    inputs: Inputs
    scores: Floats
    need: float

    @cached_property
    def gold(self) -> frozenset[str]:
        """The stems that it needs."""
        return self.row.gold

    def needed(self, calibration: dict[str, Floats]) -> Needed:
        """Calibrated."""
        return read_needed(self.inputs, self.scores, self.need, calibration)


def fit_calibration(own: Sequence[Scored], made: Sequence[Scored]) -> dict[str, Floats]:
    """The arrays that `read_needed` takes, for terms as they are.

    `own` says what is needed, `made` what a change of topic looks like; the thresholds are those of `own` of weight 1
    and of the changes of topic.
    """
    own = [case for case in own if case.inputs.stems]
    switched = [case for case in made if case.inputs.stems and case.row.kind == OTHER_TOPIC]
    x = np.concatenate([terms(case.inputs, case.scores, case.need) for case in own]).astype(np.float64)
    y = np.array([stem in case.gold for case in own for stem in case.inputs.stems], np.float64)
    hopeful = x[:, 0] > _HOPELESS
    weight, bias = _logistic(x[hopeful], y[hopeful], np.ones(int(hopeful.sum())))
    of_turns = np.array([_of_turn(case, weight, bias) for case in (*own, *switched)], np.float64)
    is_switch = np.array([False] * len(own) + [True] * len(switched), np.float64)
    needs_any = np.array([bool(case.gold) for case in own] + [False] * len(switched), np.float64)
    shares = np.where(is_switch, CHANGES * len(own) / max(len(switched), 1), 1.0)
    need = _logistic(of_turns, needs_any, shares)
    other_topic = _logistic(of_turns, is_switch, np.ones(len(of_turns)))
    turn_weight, turn_bias = (np.stack(parts) for parts in zip(need, other_topic, strict=True))
    result = {"weight": weight, "bias": bias, "turn_weight": turn_weight, "turn_bias": turn_bias}
    needs = [case.needed(result | {"thresholds": _ANY_THRESHOLDS}) for case in (*own, *switched)]
    return result | {"thresholds": fit_thresholds([case.row for case in (*own, *switched)], needs)}


def _of_turn(case: Scored, weight: Floats, bias: Floats) -> Floats:
    return turn_terms(case.inputs, terms(case.inputs, case.scores, case.need) @ weight + bias, case.need)


def _logistic(x: Doubles, y: Doubles, shares: Doubles) -> tuple[Floats, Floats]:
    """Weight and bias; each row counts by its share."""
    mean, deviation = x.mean(0), x.std(0) + 1e-9
    z = np.column_stack([(x - mean) / deviation, np.ones(len(x))])
    penalty = np.diag([_PENALTY] * x.shape[1] + [0.0])
    weights = np.zeros(z.shape[1])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-(z @ weights)))
        curvature = (z * (shares * p * (1 - p))[:, None]).T @ z + penalty
        weights -= np.linalg.solve(curvature, z.T @ (shares * (p - y)) + penalty @ weights)
    weight = weights[:-1] / deviation
    return weight.astype(np.float32), np.array(weights[-1] - weight @ mean, np.float32)


@dataclass(frozen=True, slots=True)
class _Counts:
    """For each pair of thresholds, over rows of one kind."""

    right: Doubles
    wrong: Doubles
    missed: Doubles
    needless: Doubles
    words: Doubles

    def f1(self) -> Doubles:
        result: Doubles = 2 * self.right / np.maximum(2 * self.right + self.wrong + self.missed, 1)
        return result


def fit_thresholds(rows: Sequence[Row], needs: Sequence[Needed]) -> Floats:
    """(need, word, other topic), for histories without and with answers; of rows of weight 1, and changes of topic."""
    switched = [(row, needed) for row, needed in zip(rows, needs, strict=True) if row.kind == OTHER_TOPIC]
    pairs = [(row, needed) for row, needed in zip(rows, needs, strict=True) if row.weight == 1]
    other_topic = np.quantile(
        [needed.other_topic for row, needed in pairs if row.gold], 1 - MOST_TAKEN_FOR_OTHER_TOPICS
    )
    own, others = (
        [_counts([p for p in part if p[0].has_answers == kind], float(other_topic)) for kind in (False, True)]
        for part in (pairs, switched)
    )
    needless = _of_both(*(counts.needless for counts in own)) / max(sum(not row.gold for row, _ in pairs), 1)
    needless += _of_both(*(counts.needless for counts in others)) / max(len(switched), 1)
    is_poor = _of_both(*(counts.words for counts in own)) < LEAST_WORDS * len(pairs)
    score = _of_both(*(counts.f1() for counts in own)) - PRICE * needless - 9.0 * is_poor
    best = np.unravel_index(int(score.argmax()), score.shape)
    return np.array([[*_grid()[place], other_topic] for place in best], np.float32)


def _of_both(without: Doubles, with_answers: Doubles) -> Doubles:
    """For each pair of thresholds without and with answers."""
    return without[:, None] + with_answers[None]


def _grid() -> list[tuple[float, float]]:
    return [(float(need), float(word)) for need in _NEEDS for word in _WORDS]


def _counts(pairs: Sequence[tuple[Row, Needed]], other_topic: float) -> _Counts:
    likely = np.zeros((len(pairs), _LIKELIEST))
    wanted = np.zeros((len(pairs), _LIKELIEST), bool)
    for place, (row, needed) in enumerate(pairs):
        best = sorted(needed.probabilities.items(), key=lambda item: -item[1])[:_LIKELIEST]
        likely[place, : len(best)] = [probability for _, probability in best]
        wanted[place, : len(best)] = [stem in row.gold for stem, _ in best]
    likely[[needed.other_topic > other_topic for _, needed in pairs]] = 0.0
    need = np.array([needed.need for _, needed in pairs])
    gold = np.array([len(row.gold) for row, _ in pairs])
    common = np.array([len(stems(row.rewrite) & stems(row.turn)) for row, _ in pairs])
    length = np.array([len(stems(row.rewrite)) + len(stems(row.turn)) for row, _ in pairs])
    columns = []
    for least_need, least in _grid():
        taken = (likely > least) & (need >= least_need)[:, None]
        right, wrong = (taken & wanted).sum(1), (taken & ~wanted).sum(1)
        words = 2 * (common + right) / np.maximum(length + right + wrong, 1)
        columns.append([right.sum(), wrong.sum(), (gold - right).sum(), ((gold == 0) & (wrong > 0)).sum(), words.sum()])
    return _Counts(*np.array(columns, np.float64).T)
