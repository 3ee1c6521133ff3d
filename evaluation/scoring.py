"""The tables of a run, set by set: retrieval, decisions, citations and times. Pure functions."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, fsum
from typing import Final

from evaluation.abstaining import abstaining_reports
from evaluation.citation_quality import judged_report, support_report
from evaluation.overlap import overlap_report
from evaluation.ranking import CUTS, RankingQuality, in_order, judge_ranking, mean_quality
from evaluation.tables import Report, Runs, auroc, by_domain, hits_report, runs_of, share, three
from evaluation.tasks import ANSWERABLE, PARTIAL, UNANSWERABLE, UNDERSPECIFIED, Task

TURNS: Final[Mapping[str, Callable[[Task], bool]]] = {
    "all": lambda task: True,
    "first": lambda task: not task.history,
    "later": lambda task: bool(task.history),
}
"""Which turns a retrieval table covers."""
DECISIONS: Final = ("asked_back", "rejected", "abstained")
"""The decisions that a run has of each task."""
OTHERS: Final = "all others"


def reports(tasks: Sequence[Task], runs: Runs) -> Iterator[Report]:
    """Yield all tables about the tasks of one set; those without data have no rows."""
    for turns in TURNS:
        yield retrieval_report(tasks, runs, turns)
    yield _decisions(tasks, runs)
    yield _asking_back(tasks, runs)
    yield _separations(tasks, runs)
    yield from joint_reports(tasks, runs)
    yield _verdicts(tasks, runs)
    yield _times(tasks, runs)


def joint_reports(tasks: Sequence[Task], runs: Runs) -> Iterator[Report]:
    """Yield the tables that are meaningful over several sets: those about the answers."""
    yield from abstaining_reports(tasks, runs)
    yield support_report(tasks, runs)
    yield judged_report(tasks, runs)
    yield overlap_report(tasks, runs)


def retrieval_report(tasks: Sequence[Task], runs: Runs, turns: str) -> Report:
    """The quality of the rankings by domain and over all."""
    judged = [(task, _quality(task, runs)) for task in tasks if task.relevant and TURNS[turns](task)]
    means = [(name, mean_quality([quality for _, quality in group]), len(group)) for name, group in by_domain(judged)]
    rows = ((name, str(count), *map(three, (*mean.ndcg, *mean.recall))) for name, mean, count in means)
    headings = ("domain", "tasks", *(f"nDCG@{cut}" for cut in CUTS), *(f"R@{cut}" for cut in CUTS))
    return Report(f"retrieval, {turns} turns", headings, tuple(rows))


def _quality(task: Task, runs: Runs) -> RankingQuality:
    run = runs.get(task.task_id)
    return judge_ranking(in_order(run.docs) if run else (), task.relevant)


def decision_counts(tasks: Sequence[Task], runs: Runs) -> dict[str, Counter[str]]:
    """Count the tasks in the run, and each of DECISIONS, by answerability, the most frequent first."""
    counts: dict[str, Counter[str]] = {}
    for task, run in runs_of(tasks, runs):
        counter = counts.setdefault(task.answerability or "-", Counter())
        counter.update({"tasks": 1, **{name: int(getattr(run, name)) for name in DECISIONS}})
    return dict(sorted(counts.items(), key=lambda item: -item[1]["tasks"]))


def _decisions(tasks: Sequence[Task], runs: Runs) -> Report:
    rows = (
        (answerability, str(counter["tasks"]), *(share(counter[name], counter["tasks"]) for name in DECISIONS))
        for answerability, counter in decision_counts(tasks, runs).items()
    )
    return Report("decisions", ("answerability", "tasks", "asked back", "rejected", "abstained"), tuple(rows))


def _asking_back(tasks: Sequence[Task], runs: Runs) -> Report:
    """What asking back caught; without rows if no task of the run is underspecified."""
    decisions = [(task.answerability, run.asked_back) for task, run in runs_of(tasks, runs)]
    against = {OTHERS: {kind for kind, _ in decisions} - {UNDERSPECIFIED}, ANSWERABLE: {ANSWERABLE}}
    return hits_report("asking back", decisions, UNDERSPECIFIED, against)


def _separations(tasks: Sequence[Task], runs: Runs) -> Report:
    """How well a score separates tasks of one answerability from others, where the tasks allow it."""
    runs_of_tasks = [(task.answerability, run) for task, run in runs_of(tasks, runs)]
    other_kinds = frozenset(answerability for answerability, _ in runs_of_tasks) - {UNDERSPECIFIED}
    comparisons = [
        ("ask_score", UNDERSPECIFIED, other_kinds, OTHERS),
        ("ask_score", UNDERSPECIFIED, {ANSWERABLE}, ANSWERABLE),
        ("abstain_score", UNANSWERABLE, {ANSWERABLE, PARTIAL}, f"{ANSWERABLE}, {PARTIAL}"),
        ("abstain_score", UNANSWERABLE, {ANSWERABLE}, ANSWERABLE),
    ]
    rows = []
    for score, positive, negative, description in comparisons:
        high = [getattr(run, score) for answerability, run in runs_of_tasks if answerability == positive]
        low = [getattr(run, score) for answerability, run in runs_of_tasks if answerability in negative]
        area = auroc(high, low)
        if area is not None:
            rows.append((score, positive, description, f"{len(high)} : {len(low)}", three(area)))
    return Report("separation", ("score", "of", "from", "tasks", "AUROC"), tuple(rows))


def _verdicts(tasks: Sequence[Task], runs: Runs) -> Report:
    counts = Counter(citation.verdict for _, run in runs_of(tasks, runs) for citation in run.citations)
    rows = ((verdict, share(count, counts.total())) for verdict, count in counts.most_common())
    return Report("citations", ("verdict", "cited passages"), tuple(rows))


def _times(tasks: Sequence[Task], runs: Runs) -> Report:
    """Times by stage and of the whole turn; a stage counts only the turns that needed it."""
    durations: dict[str, list[float]] = {}
    for _, run in runs_of(tasks, runs):
        for stage, milliseconds in run.ms.items():
            durations.setdefault(stage, []).append(milliseconds)
    rows = []
    for stage, values in durations.items():
        figures = (fsum(values) / len(values), _at(values, 0.5), _at(values, 0.95))  # as headed below
        rows.append((stage, str(len(values)), *(f"{figure:.1f}" for figure in figures)))
    return Report("milliseconds", ("stage", "turns", "mean", "p50", "p95"), tuple(rows))


def _at(values: Sequence[float], part: float) -> float:
    """The value that this share of the values does not exceed."""
    return sorted(values)[max(ceil(part * len(values)) - 1, 0)]
