"""The benefit of abstaining: risk against coverage, and what the decision catches. Pure functions.

Tasks are answered one by one, the most certain first; the risk at a coverage is the share of those answered so far that
had no answer (El-Yaniv & Wiener 2010). The abstain score is compared with the score of the ranking's top passage, which
a suite could use if it only considered how well it retrieved.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import fsum
from typing import Final

from evaluation.ranking import in_order
from evaluation.runs import TaskRun
from evaluation.tables import Report, Runs, auroc, hits_report, runs_of, share, three
from evaluation.tasks import ANSWERABLE, PARTIAL, UNANSWERABLE, Task


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """The curve of one score over the tasks with an answer or part of one, and those with none."""

    score: str
    risks: tuple[float, ...]
    """In [0, 1], when 1, 2, … tasks are answered."""
    auroc: float

    @property
    def area(self) -> float:
        """The mean risk over all coverages; lower is better."""
        return fsum(self.risks) / len(self.risks)


def risk_coverage(scores: Sequence[float], unanswerable: Sequence[bool]) -> tuple[float, ...]:
    """The risk when the 1, 2, … tasks of the lowest scores are answered; tied tasks share theirs evenly."""
    labels_by_score: dict[float, list[bool]] = {}
    for score, is_unanswerable in zip(scores, unanswerable, strict=True):
        labels_by_score.setdefault(score, []).append(is_unanswerable)
    expected_risks = [sum(labels) / len(labels) for _, labels in sorted(labels_by_score.items()) for _ in labels]
    return tuple(risk_sum / count for count, risk_sum in enumerate(accumulate(expected_risks), start=1))


def curves(tasks: Sequence[Task], runs: Runs) -> list[RiskCoverage]:
    """The curve of the abstain score, then that of the top ranking score; none without tasks of both kinds."""
    answerable, unanswerable = (
        [run for task, run in runs_of(tasks, runs) if task.answerability in kinds]
        for kinds in ((ANSWERABLE, PARTIAL), (UNANSWERABLE,))
    )
    lacks = [False] * len(answerable) + [True] * len(unanswerable)
    result = []
    for name, score in _SCORES.items():
        low, high = list(map(score, answerable)), list(map(score, unanswerable))
        if (area := auroc(high, low)) is not None:
            result.append(RiskCoverage(name, risk_coverage(low + high, lacks), area))
    return result


def abstaining_reports(tasks: Sequence[Task], runs: Runs) -> Iterator[Report]:
    """Yield the benefit of abstaining: by scores, and by what the suite's own decisions caught of UNANSWERABLE."""
    risk_curves = curves(tasks, runs)
    rows = [(curve.score, str(len(curve.risks)), three(curve.auroc), three(curve.area)) for curve in risk_curves]
    if len(risk_curves) == 2:
        ours, theirs = (curve.risks for curve in risk_curves)
        better = sum(our_risk <= their_risk for our_risk, their_risk in zip(ours, theirs, strict=True))
        rows.append(("not above it at", share(better, len(ours)), "", ""))
    yield Report("abstaining, risk and coverage", ("score", "tasks", "AUROC", "area"), tuple(rows))
    decisions = [(task.answerability, run.abstained) for task, run in runs_of(tasks, runs)]
    against = {ANSWERABLE: {ANSWERABLE}, PARTIAL: {PARTIAL}, f"{ANSWERABLE}, {PARTIAL}": {ANSWERABLE, PARTIAL}}
    yield hits_report("abstaining", decisions, UNANSWERABLE, against)


def _lack_of_top(run: TaskRun) -> float:
    """The negated score of the top passage; infinity for a ranking without passages."""
    order = in_order(run.docs)[:1]
    return -max((score for passage, score in run.docs if passage in order), default=float("-inf"))


_SCORES: Final[Mapping[str, Callable[[TaskRun], float]]] = {
    "abstain_score": lambda run: run.abstain_score,
    "top ranking score": _lack_of_top,
}
