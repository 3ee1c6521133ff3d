"""The tables of `parley eval score`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, fsum

from evaluation import scoring
from evaluation.abstaining import abstention_hits, curves
from evaluation.citation_quality import judged_rows, support_rows
from evaluation.decision_quality import DecisionCounts
from evaluation.overlap import overlap_rows
from evaluation.ranking import CUTS
from evaluation.runs import TaskRun
from evaluation.tasks import ANSWERABLE, Task


@dataclass(frozen=True, slots=True)
class Report:
    """A table with its title."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def reports(tasks: Sequence[Task], runs: Mapping[str, TaskRun]) -> Iterator[Report]:
    """Yield all tables about the tasks of one set; those without data have no rows."""
    for turns in scoring.TURNS:
        yield _retrieval(tasks, runs, turns)
    yield _decisions(tasks, runs)
    yield _asking_back(tasks, runs)
    yield _separations(tasks, runs)
    yield from _abstention(tasks, runs)
    yield _verdicts(tasks, runs)
    yield _supports(tasks, runs)
    yield _judged_passages(tasks, runs)
    yield _overlaps(tasks, runs)
    yield _times(tasks, runs)


def _retrieval(tasks: Sequence[Task], runs: Mapping[str, TaskRun], turns: str) -> Report:
    headings = ("domain", "tasks", *(f"nDCG@{cut}" for cut in CUTS), *(f"R@{cut}" for cut in CUTS))
    rows = (
        (row.domain, str(row.tasks), *map(_three, row.quality.ndcg), *map(_three, row.quality.recall))
        for row in scoring.retrieval_rows(tasks, runs, turns)
        if row.tasks
    )
    return Report(f"retrieval, {turns} turns", headings, tuple(rows))


def _decisions(tasks: Sequence[Task], runs: Mapping[str, TaskRun]) -> Report:
    rows = (
        (
            row.answerability,
            str(row.tasks),
            *(_share(count, row.tasks) for count in (row.asked_back, row.rejected, row.abstained)),
        )
        for row in scoring.decision_rows(tasks, runs)
    )
    return Report("decisions", ("answerability", "tasks", "asked back", "rejected", "abstained"), tuple(rows))


def _asking_back(tasks: Sequence[Task], runs: Mapping[str, TaskRun]) -> Report:
    asking_back = scoring.asking_back(tasks, runs)
    rows = (
        ()
        if asking_back is None
        else (_hits("all others", asking_back.others), _hits(ANSWERABLE, asking_back.answerable))
    )
    return Report("asking back, UNDERSPECIFIED", ("against", "caught", "false alarms", "F1"), rows)


def _hits(against: str, hits: DecisionCounts) -> tuple[str, ...]:
    caught, false_alarms = _share(hits.caught, hits.positives), _share(hits.false_alarms, hits.negatives)
    return against, caught, false_alarms, _three(hits.f1)


def _separations(tasks: Sequence[Task], runs: Mapping[str, TaskRun]) -> Report:
    rows = (
        (
            separation.score,
            separation.positives,
            separation.negatives,
            f"{separation.counts[0]} : {separation.counts[1]}",
            _three(separation.auroc),
        )
        for separation in scoring.separations(tasks, runs)
    )
    return Report("separation", ("score", "of", "from", "tasks", "AUROC"), tuple(rows))


def joint_reports(tasks: Sequence[Task], runs: Mapping[str, TaskRun]) -> Iterator[Report]:
    """Yield the tables that are meaningful over several sets: those about the answers."""
    yield from _abstention(tasks, runs)
    yield _supports(tasks, runs)
    yield _judged_passages(tasks, runs)
    yield _overlaps(tasks, runs)


def _abstention(tasks: Sequence[Task], runs: Mapping[str, TaskRun]) -> Iterator[Report]:
    """The benefit of abstaining, by scores and by the suite's own decisions."""
    risk_curves = curves(tasks, runs)
    rows = tuple((curve.score, str(len(curve.risks)), _three(curve.auroc), _three(curve.area)) for curve in risk_curves)
    if len(risk_curves) == 2:
        ours, theirs = (curve.risks for curve in risk_curves)
        better = sum(our_risk <= their_risk for our_risk, their_risk in zip(ours, theirs, strict=True))
        rows += (("not above it at", _share(better, len(ours)), "", ""),)
    yield Report("abstaining, risk and coverage", ("score", "tasks", "AUROC", "area"), rows)
    decision_rows = tuple(_hits(against, hits) for against, hits in abstention_hits(tasks, runs))
    yield Report("abstaining, UNANSWERABLE", ("against", "caught", "false alarms", "F1"), decision_rows)


def _supports(tasks: Sequence[Task], runs: Mapping[str, TaskRun]) -> Report:
    rows = (
        (
            row.domain,
            str(row.cited),
            _part(row.borne_out, row.cited),
            str(row.factual),
            _part(row.borne_out, row.factual),
        )
        for row in support_rows(tasks, runs)
        if row.factual
    )
    headings = ("domain", "cited sentences", "borne out (precision)", "factual sentences", "cited so (recall)")
    return Report("sentences", headings, tuple(rows))


def _judged_passages(tasks: Sequence[Task], runs: Mapping[str, TaskRun]) -> Report:
    rows = (
        (
            row.domain,
            str(row.tasks),
            _share(row.cited_relevant, row.cited),
            _three(row.share),
            _three(row.ranking),
            _share(row.hit, row.tasks),
        )
        for row in judged_rows(tasks, runs)
    )
    headings = ("domain", "tasks", "cited relevant", "mean of tasks", "ranking's P@1", "tasks citing a relevant one")
    return Report("cited passages, as people judged them", headings, tuple(rows))


def _overlaps(tasks: Sequence[Task], runs: Mapping[str, TaskRun]) -> Report:
    rows = (
        (
            row.domain,
            str(row.tasks),
            *map(_three, (row.answer.f1, row.baseline.f1, row.answer.rouge_l, row.baseline.rouge_l)),
        )
        for row in overlap_rows(tasks, runs)
    )
    headings = ("domain", "tasks", "token F1", "baseline", "ROUGE-L", "baseline")
    return Report(
        "overlap with the reference answer, beside the top passage's first two sentences", headings, tuple(rows)
    )


def _verdicts(tasks: Sequence[Task], runs: Mapping[str, TaskRun]) -> Report:
    counts = scoring.verdicts(tasks, runs)
    rows = ((verdict, _share(count, counts.total())) for verdict, count in counts.most_common())
    return Report("citations", ("verdict", "cited passages"), tuple(rows))


def _times(tasks: Sequence[Task], runs: Mapping[str, TaskRun]) -> Report:
    rows = (
        (
            stage,
            str(len(durations)),
            *(
                f"{value:.1f}"
                for value in (fsum(durations) / len(durations), _at(durations, 0.5), _at(durations, 0.95))
            ),
        )
        for stage, durations in scoring.times(tasks, runs).items()
    )
    return Report("milliseconds", ("stage", "turns", "mean", "p50", "p95"), tuple(rows))


def _at(ascending: Sequence[float], part: float) -> float:
    """The value that this share of the values does not exceed."""
    return ascending[max(ceil(part * len(ascending)) - 1, 0)]


def _three(value: float) -> str:
    return f"{value:.3f}"


def _part(count: int, total: int) -> str:
    """Such as "0.953"; a dash if the total is 0."""
    return _three(count / total) if total else "-"


def _share(count: int, total: int) -> str:
    """Such as "3 (0.7 %)"."""
    return f"{count} ({100 * count / total:.1f} %)" if total else str(count)
