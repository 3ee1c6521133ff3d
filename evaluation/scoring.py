"""The figures of a run, set by set: retrieval, asking back, rejecting, abstaining, citing, and times."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evaluation.decision_quality import DecisionCounts, auroc, count_hits
from evaluation.ranking import RankingQuality, in_order, judge_ranking, mean_quality
from evaluation.runs import TaskRun
from evaluation.tasks import ANSWERABLE, PARTIAL, UNANSWERABLE, UNDERSPECIFIED, Task

Runs = Mapping[str, TaskRun]

ALL: Final = "all"
TURNS: Final[Mapping[str, Callable[[Task], bool]]] = {
    ALL: lambda task: True,
    "first": lambda task: not task.history,
    "later": lambda task: bool(task.history),
}
"""Which turns a retrieval table covers."""


@dataclass(frozen=True, slots=True)
class RetrievalRow:
    """Retrieval over the judged tasks of a domain, or of all domains."""

    domain: str
    tasks: int
    quality: RankingQuality


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """Counts of the decisions on tasks of one answerability."""

    answerability: str
    tasks: int
    asked_back: int
    rejected: int
    abstained: int


@dataclass(frozen=True, slots=True)
class Separation:
    """How well a score separates tasks of one answerability from others."""

    score: str
    positives: str
    negatives: str
    counts: tuple[int, int]
    """Numbers of positives and negatives."""
    auroc: float


@dataclass(frozen=True, slots=True)
class AskingBack:
    """The decision to ask back, where some tasks are underspecified."""

    others: DecisionCounts
    """Against all other tasks."""
    answerable: DecisionCounts
    """Against the answerable ones."""


def retrieval_rows(tasks: Sequence[Task], runs: Runs, turns: str = ALL) -> list[RetrievalRow]:
    """Return one row per domain, then one over all; all tasks weigh the same, and one missing from the run counts 0."""
    judged_tasks = [task for task in tasks if task.relevant and TURNS[turns](task)]
    qualities = {task.task_id: _quality(task, runs) for task in judged_tasks}
    domains = sorted({task.domain for task in judged_tasks})
    rows = [(domain, [task for task in judged_tasks if task.domain == domain]) for domain in domains]
    return [
        RetrievalRow(name, len(of_domain), mean_quality([qualities[task.task_id] for task in of_domain]))
        for name, of_domain in [*rows, (ALL, judged_tasks)]
    ]


def _quality(task: Task, runs: Runs) -> RankingQuality:
    run = runs.get(task.task_id)
    return judge_ranking(in_order(run.docs) if run else (), task.relevant)


def decision_rows(tasks: Sequence[Task], runs: Runs) -> list[DecisionRow]:
    """Return one row per answerability, over the tasks in the run."""
    runs_of_tasks = [(task.answerability, runs[task.task_id]) for task in tasks if task.task_id in runs]
    counts = Counter(answerability for answerability, _ in runs_of_tasks)
    return [
        DecisionRow(
            answerability or "-",
            count,
            sum(run.asked_back for run_answerability, run in runs_of_tasks if run_answerability == answerability),
            sum(run.rejected for run_answerability, run in runs_of_tasks if run_answerability == answerability),
            sum(run.abstained for run_answerability, run in runs_of_tasks if run_answerability == answerability),
        )
        for answerability, count in counts.most_common()
    ]


def separations(tasks: Sequence[Task], runs: Runs) -> list[Separation]:
    """Return the separations that the tasks allow: asking back by ask_score, abstaining by abstain_score."""
    runs_of_tasks = [(task.answerability, runs[task.task_id]) for task in tasks if task.task_id in runs]
    other_kinds = frozenset(answerability for answerability, _ in runs_of_tasks) - {UNDERSPECIFIED}
    comparisons: list[tuple[str, Callable[[TaskRun], float], str, frozenset[str], str]] = [
        ("ask_score", _ask_score, UNDERSPECIFIED, other_kinds, "all others"),
        ("ask_score", _ask_score, UNDERSPECIFIED, frozenset({ANSWERABLE}), ANSWERABLE),
        ("abstain_score", _abstain_score, UNANSWERABLE, frozenset({ANSWERABLE, PARTIAL}), f"{ANSWERABLE}, {PARTIAL}"),
        ("abstain_score", _abstain_score, UNANSWERABLE, frozenset({ANSWERABLE}), ANSWERABLE),
    ]
    separations_found = []
    for name, score, positive, negative, description in comparisons:
        high = [score(run) for answerability, run in runs_of_tasks if answerability == positive]
        low = [score(run) for answerability, run in runs_of_tasks if answerability in negative]
        area = auroc(high, low)
        if area is not None:
            separations_found.append(Separation(name, positive, description, (len(high), len(low)), area))
    return separations_found


def asking_back(tasks: Sequence[Task], runs: Runs) -> AskingBack | None:
    """Count what asking back caught; None if no task of the run is underspecified."""
    decisions = [(task.answerability, runs[task.task_id].asked_back) for task in tasks if task.task_id in runs]
    positives = [has_asked for answerability, has_asked in decisions if answerability == UNDERSPECIFIED]
    if not positives:
        return None
    return AskingBack(
        count_hits(positives, [has_asked for answerability, has_asked in decisions if answerability != UNDERSPECIFIED]),
        count_hits(positives, [has_asked for answerability, has_asked in decisions if answerability == ANSWERABLE]),
    )


def verdicts(tasks: Sequence[Task], runs: Runs) -> Counter[str]:
    """Count the cited passages by verdict."""
    return Counter(
        citation.verdict for task in tasks if task.task_id in runs for citation in runs[task.task_id].citations
    )


def times(tasks: Sequence[Task], runs: Runs) -> dict[str, list[float]]:
    """Milliseconds by stage and of the whole turn, ascending; a stage counts only the turns that needed it."""
    durations: dict[str, list[float]] = {}
    for task in tasks:
        if task.task_id in runs:
            for stage, milliseconds in runs[task.task_id].ms.items():
                durations.setdefault(stage, []).append(milliseconds)
    return {stage: sorted(values) for stage, values in durations.items()}


def _ask_score(run: TaskRun) -> float:
    return run.ask_score


def _abstain_score(run: TaskRun) -> float:
    return run.abstain_score
