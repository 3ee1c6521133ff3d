"""The figures of a run, set by set: retrieval, asking back, rejecting, abstaining, citing, and times."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evaluation.deciding import Hits, auroc, count_hits
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

    others: Hits
    """Against all other tasks."""
    answerable: Hits
    """Against the answerable ones."""


def retrieval_rows(tasks: Sequence[Task], runs: Runs, turns: str = ALL) -> list[RetrievalRow]:
    """Return one row per domain, then one over all; all tasks weigh the same, and one missing from the run counts 0."""
    judged = [task for task in tasks if task.relevant and TURNS[turns](task)]
    qualities = {task.task_id: _quality(task, runs) for task in judged}
    domains = sorted({task.domain for task in judged})
    rows = [(domain, [task for task in judged if task.domain == domain]) for domain in domains]
    return [
        RetrievalRow(name, len(chosen), mean_quality([qualities[task.task_id] for task in chosen]))
        for name, chosen in [*rows, (ALL, judged)]
    ]


def _quality(task: Task, runs: Runs) -> RankingQuality:
    run = runs.get(task.task_id)
    return judge_ranking(in_order(run.docs) if run else (), task.relevant)


def decision_rows(tasks: Sequence[Task], runs: Runs) -> list[DecisionRow]:
    """Return one row per answerability, over the tasks in the run."""
    held = [(task.answerability, runs[task.task_id]) for task in tasks if task.task_id in runs]
    counted = Counter(answerability for answerability, _ in held)
    return [
        DecisionRow(
            answerability or "-",
            count,
            sum(run.asked_back for known, run in held if known == answerability),
            sum(run.rejected for known, run in held if known == answerability),
            sum(run.abstained for known, run in held if known == answerability),
        )
        for answerability, count in counted.most_common()
    ]


def separations(tasks: Sequence[Task], runs: Runs) -> list[Separation]:
    """Return the separations that the tasks allow: asking back by ask_score, abstaining by abstain_score."""
    held = [(task.answerability, runs[task.task_id]) for task in tasks if task.task_id in runs]
    others = frozenset(known for known, _ in held) - {UNDERSPECIFIED}
    wanted: list[tuple[str, Callable[[TaskRun], float], str, frozenset[str], str]] = [
        ("ask_score", _ask_score, UNDERSPECIFIED, others, "all others"),
        ("ask_score", _ask_score, UNDERSPECIFIED, frozenset({ANSWERABLE}), ANSWERABLE),
        ("abstain_score", _abstain_score, UNANSWERABLE, frozenset({ANSWERABLE, PARTIAL}), f"{ANSWERABLE}, {PARTIAL}"),
        ("abstain_score", _abstain_score, UNANSWERABLE, frozenset({ANSWERABLE}), ANSWERABLE),
    ]
    found = []
    for name, score, positive, negative, told in wanted:
        high = [score(run) for known, run in held if known == positive]
        low = [score(run) for known, run in held if known in negative]
        area = auroc(high, low)
        if area is not None:
            found.append(Separation(name, positive, told, (len(high), len(low)), area))
    return found


def asking_back(tasks: Sequence[Task], runs: Runs) -> AskingBack | None:
    """Count what asking back caught; None if no task of the run is underspecified."""
    held = [(task.answerability, runs[task.task_id].asked_back) for task in tasks if task.task_id in runs]
    positives = [asked for known, asked in held if known == UNDERSPECIFIED]
    if not positives:
        return None
    return AskingBack(
        count_hits(positives, [asked for known, asked in held if known != UNDERSPECIFIED]),
        count_hits(positives, [asked for known, asked in held if known == ANSWERABLE]),
    )


def verdicts(tasks: Sequence[Task], runs: Runs) -> Counter[str]:
    """Count the cited passages by verdict."""
    return Counter(cited.verdict for task in tasks if task.task_id in runs for cited in runs[task.task_id].citations)


def times(tasks: Sequence[Task], runs: Runs) -> dict[str, list[float]]:
    """Milliseconds by stage and of the whole turn, ascending; a stage counts only the turns that needed it."""
    spent: dict[str, list[float]] = {}
    for task in tasks:
        if task.task_id in runs:
            for stage, milliseconds in runs[task.task_id].ms.items():
                spent.setdefault(stage, []).append(milliseconds)
    return {stage: sorted(values) for stage, values in spent.items()}


def _ask_score(run: TaskRun) -> float:
    return run.ask_score


def _abstain_score(run: TaskRun) -> float:
    return run.abstain_score
