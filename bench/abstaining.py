"""What tells that evidence holds no answer, held against judged conversations: `python -m bench.abstaining RUN TASKS`.

RUN is what `parley eval turns` wrote, TASKS the folder of its tasks. Over the tasks that are ANSWERABLE, PARTIAL or
UNANSWERABLE: the AUROC of the run's own scores, of the formula as it is in the code, and of its weights fitted anew, in
sample, by ten folds of whole conversations, and with one domain left out, each with a bootstrap interval over
conversations; then the weights, and what each threshold costs.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from bench.logistic import fit_logistic, out_of_fold
from gateway.cli.evaluation.abstaining import risk_coverage
from gateway.cli.evaluation.deciding import auroc
from gateway.cli.evaluation.runs import TaskRun, read_runs
from gateway.cli.evaluation.tasks import ANSWERABLE, PARTIAL, UNANSWERABLE, Task, read_tasks
from services.answer.abstention.signals import read_signals
from services.answer.abstention.support import INTERCEPT, WEIGHTS, features_of
from services.answer.question import read_question
from services.answer.scoring import score_sentences
from services.answer.sentences import read_sentences
from services.vocabulary.evidence import EngineScores, Evidence, Passage, Reference

NAMES = ("narrow", "open", "closeness", "uncovered", "unknown name", "told")
TOP = "top ranking score"
FOLDS, REPEATS, RESAMPLES = 10, 5, 1000
SHARES = (0.05, 0.1, 0.15, 0.2, 0.3)
"""Of the ANSWERABLE tasks, left without an answer."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """A task with what the formula sees of it."""

    task: Task
    run: TaskRun
    features: tuple[float, ...]

    @property
    def conversation(self) -> str:
        """The same for the turns of one conversation, in whichever set: how it began."""
        return (self.task.history[0].text if self.task.history else self.task.last_turn).strip().lower()


def cases_of(tasks: Sequence[Task], runs: Mapping[str, TaskRun]) -> list[Case]:
    """The tasks that count, were asked, and found something that vectors scored."""
    known = (ANSWERABLE, PARTIAL, UNANSWERABLE)
    held = [(task, runs[task.task_id]) for task in tasks if task.answerability in known and task.task_id in runs]
    found = [(task, run, _features(run)) for task, run in held]
    return [Case(task, run, features) for task, run, features in found if features]


def _features(run: TaskRun) -> tuple[float, ...] | None:
    question = read_question(run.question or run.standalone)
    references = tuple(
        Reference(
            found.number,
            Evidence(
                Passage(found.passage_id, found.passage_id, found.text, title=found.title),
                EngineScores(vector=found.vector),
                rank=found.number,
            ),
        )
        for found in run.references
    )
    ranked = score_sentences(question, read_sentences(references))
    signals = read_signals(question, ranked, references) if ranked else None
    return features_of(question, signals) if signals and signals.cosine is not None else None


def report(console: Console, cases: Sequence[Case]) -> None:
    """All tables."""
    matrix = np.array([case.features for case in cases])
    unanswerable = np.array([case.task.answerability == UNANSWERABLE for case in cases])
    conversations = _numbered([case.conversation for case in cases])
    domains = _numbered([case.task.domain for case in cases])
    weights = fit_logistic(matrix, unanswerable)
    scores = {
        TOP: np.array([-max((s for _, s in case.run.docs), default=0.0) for case in cases]),
        "best cosine": -matrix[:, NAMES.index("closeness")],
        "the run's abstain score": np.array([case.run.abstain_score for case in cases]),
        "the code's weights": INTERCEPT + matrix @ np.array(WEIGHTS),
        "fitted, in sample": weights[0] + matrix @ weights[1:],
        "fitted, conversations apart": _by_conversations(matrix, unanswerable, conversations),
        "fitted, domains apart": out_of_fold(matrix, unanswerable, domains),
    }
    _tell_separation(console, cases, scores, unanswerable, conversations)
    table = Table("feature", "the code's weight", "fitted", title="Weights", title_justify="left")
    for name, ours, fitted in zip(("intercept", *NAMES), (INTERCEPT, *WEIGHTS), weights, strict=True):
        table.add_row(name, f"{ours:.2f}", f"{fitted:.2f}")
    console.print(table)
    _tell_thresholds(console, cases, scores["fitted, conversations apart"])


def _by_conversations(matrix: Floats, unanswerable: NDArray[np.bool_], conversations: NDArray[np.int64]) -> Floats:
    """The mean of several ways to deal the conversations out to folds."""
    random = np.random.default_rng(0)
    deals = [random.permutation(conversations.max() + 1) % FOLDS for _ in range(REPEATS)]
    return np.asarray(np.mean([out_of_fold(matrix, unanswerable, deal[conversations]) for deal in deals], axis=0))


def _tell_separation(
    console: Console,
    cases: Sequence[Case],
    scores: Mapping[str, Floats],
    unanswerable: NDArray[np.bool_],
    conversations: NDArray[np.int64],
) -> None:
    sets = sorted({case.task.set_name for case in cases})
    groups = {"all": np.ones(len(cases), bool)}
    groups |= {name: np.array([case.task.set_name == name for case in cases]) for name in sets}
    title = f"AUROC, {UNANSWERABLE} from {ANSWERABLE} and {PARTIAL}, 95 % of the resampled conversations; risk area"
    table = Table("score", *groups, "area, all", "not above the top score's", title=title, title_justify="left")
    plain = risk_coverage(scores[TOP].tolist(), unanswerable.tolist())
    for name, score in scores.items():
        risks = risk_coverage(score.tolist(), unanswerable.tolist())
        told = [_interval(score[chosen], unanswerable[chosen], conversations[chosen]) for chosen in groups.values()]
        share = np.mean([ours <= theirs for ours, theirs in zip(risks, plain, strict=True)])
        table.add_row(name, *told, f"{np.mean(risks):.4f}", f"{100 * share:.1f} % of coverages")
    console.print(table)


def _interval(scores: Floats, unanswerable: NDArray[np.bool_], conversations: NDArray[np.int64]) -> str:
    """Such as ".771 (.72-.82)"."""
    random = np.random.default_rng(0)
    members = [np.flatnonzero(conversations == one) for one in np.unique(conversations)]
    drawn = (
        np.concatenate([members[at] for at in random.integers(len(members), size=len(members))])
        for _ in range(RESAMPLES)
    )
    areas = [area for at in drawn if (area := _auroc(scores[at], unanswerable[at])) is not None]
    low, high = np.quantile(areas, (0.025, 0.975))
    return f"{_auroc(scores, unanswerable) or 0:.3f} ({low:.2f}-{high:.2f})"


def _auroc(scores: Floats, unanswerable: NDArray[np.bool_]) -> float | None:
    return auroc(scores[unanswerable].tolist(), scores[~unanswerable].tolist())


def _tell_thresholds(console: Console, cases: Sequence[Case], scores: Floats) -> None:
    kinds = np.array([case.task.answerability for case in cases])
    table = Table(f"{ANSWERABLE} left out", f"{PARTIAL} left out", f"{UNANSWERABLE} caught", title_justify="left")
    table.title = "What a threshold costs, conversations apart"
    for share in SHARES:
        threshold = np.quantile(scores[kinds == ANSWERABLE], 1 - share)
        table.add_row(
            *(f"{(scores[kinds == kind] > threshold).mean():.2f}" for kind in (ANSWERABLE, PARTIAL, UNANSWERABLE))
        )
    console.print(table)


def _numbered(names: Sequence[str]) -> NDArray[np.int64]:
    return np.unique(np.array(names), return_inverse=True)[1]


def main(arguments: Sequence[str]) -> int:
    """Read, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m bench.abstaining", description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("tasks", type=Path)
    wanted = parser.parse_args(arguments)
    cases = cases_of(read_tasks(wanted.tasks), read_runs(wanted.run))
    report(Console(width=140), cases)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
