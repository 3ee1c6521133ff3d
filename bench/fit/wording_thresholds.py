"""Fits the thresholds of the tagger's decisions, apart for histories with and without answers.

Among those that keep to the bounds, the pair of thresholds is taken for which the F1 of the carried words is greatest,
added up over both kinds of history: what is long must not be given up for what is easy.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.fit.wording_rows import Row, stems
from services.decompose.wording.tagger import Needed

MOST_NEEDLESS = 0.46
"""Share of the turns that need nothing and get something."""
LEAST_WORDS = 0.762
"""Mean F1 of all content words."""
MOST_TAKEN_FOR_OTHER_TOPICS = 0.05
"""Share of the turns that need something."""
_LIKELIEST = 6
_WORDS = np.arange(0.16, 0.47, 0.02)
_NEEDS = np.arange(0.0, 0.92, 0.04)

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Counts:
    """For each pair of thresholds, over rows of one kind; or for each two pairs, over all rows."""

    right: Doubles
    wrong: Doubles
    missed: Doubles
    needless: Doubles
    words: Doubles

    def f1(self) -> Doubles:
        result: Doubles = 2 * self.right / np.maximum(2 * self.right + self.wrong + self.missed, 1)
        return result


def fit_thresholds(rows: Sequence[Row], needs: Sequence[Needed]) -> NDArray[np.float32]:
    """(need, word, other topic), for histories without and with answers; of rows of weight 1."""
    pairs = [(row, needed) for row, needed in zip(rows, needs, strict=True) if row.weight == 1]
    other_topic = np.quantile(
        [needed.other_topic for row, needed in pairs if row.gold], 1 - MOST_TAKEN_FOR_OTHER_TOPICS
    )
    parts = [
        _counts([(row, needed) for row, needed in pairs if row.has_answers == kind], float(other_topic))
        for kind in (False, True)
    ]
    needless = parts[0].needless[:, None] + parts[1].needless[None]
    words = parts[0].words[:, None] + parts[1].words[None]
    kept = (needless <= MOST_NEEDLESS * sum(not row.gold for row, _ in pairs)) & (words >= LEAST_WORDS * len(pairs))
    score = parts[0].f1()[:, None] + parts[1].f1()[None] - 9.0 * ~kept
    best = np.unravel_index(int(score.argmax()), score.shape)
    return np.array([[*_grid()[place], other_topic] for place in best], np.float32)


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
