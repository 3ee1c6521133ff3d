"""What a suite makes of all sets, as JSON: `python -m bench.rule_figures ADDRESS DOCS MTRAG TIMESET [--every N]`.

The suite holds the corpora already (`bench.rules` fills it). The sets: the questions of DOCS (`parley eval docs`),
every N-th conversation of MTRAG (`parley eval turns`), the articles of TIMESET (`parley eval timeline`), and the
labelled sets of `bench.quality`.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

import grpc

from bench.quality import figures_of
from cli.connection.gateway_connection import CommandError
from evaluation.articles import Article, read_articles
from evaluation.documents.asking import AskingOrder, ask_questions
from evaluation.documents.questions import read_questions
from evaluation.documents.scoring import score_question
from evaluation.runs import TaskRun
from evaluation.scoring import DECISIONS, decision_counts, mean_ranking
from evaluation.tasks import Task, read_tasks
from evaluation.timeline_scoring import TimelineScore
from evaluation.timelines import COLLECTION, TimelineRun, run_timelines
from evaluation.turns import FailedTask, ask_all
from parley.context.v1 import query_pb2

CALLERS = 4  # taste
RANKS = 10  # those of nDCG@10


@dataclass(slots=True)
class RuleFigures:
    """What one suite made of everything."""

    ndcg: float = 0.0
    """nDCG@10 over the judged turns of MTRAG."""
    counts: dict[str, int] = field(default_factory=dict)
    """Cases by set and figure."""
    outputs: dict[str, str] = field(default_factory=dict)
    """A digest of what came out, by turn or article; equal ones mean that nothing changed."""


def conversations(tasks: Sequence[Task], every: int) -> list[Task]:
    """The tasks of every n-th conversation, in the order in which conversations first occur."""
    names = list(dict.fromkeys((task.domain, task.conversation_id) for task in tasks))
    kept = set(names[::every])
    return [task for task in tasks if (task.domain, task.conversation_id) in kept]


def measure(address: str, docs: Path, mtrag: Path, timeset: Path, every: int) -> RuleFigures:
    """Ask a suite everything."""
    figures = RuleFigures()
    with grpc.insecure_channel(address) as channel:
        _ask_docs(channel, docs, figures)
        _ask_turns(channel, conversations(read_tasks(mtrag), every), figures)
        _ask_timelines(channel, timeset, figures)
    for figure in figures_of(address):
        figures.counts[f"{figure.set}: {figure.name}"] = figure.count
    return figures


def _ask_docs(channel: grpc.Channel, folder: Path, figures: RuleFigures) -> None:
    questions = read_questions(folder, ())
    runs = {run.id: run for run in ask_questions(channel, questions, AskingOrder(callers=CALLERS))}
    scores = [score_question(question, runs.get(question.id)) for question in questions]
    for name in ("full", "hits", "held"):
        figures.counts[f"docs: {name}"] = round(sum(getattr(score, name) or 0 for score in scores))
    for run in runs.values():
        figures.outputs[f"docs: {run.id}"] = _digest(run.answer, run.outcome, run.passages, run.standalone)


def _ask_turns(channel: grpc.Channel, tasks: Sequence[Task], figures: RuleFigures) -> None:
    results = list(ask_all(channel, tasks, query_pb2.STRATEGY_UNSPECIFIED, CALLERS))
    runs = {result.task_id: result for result in results if isinstance(result, TaskRun)}
    figures.counts["mtrag: failed"] = sum(isinstance(result, FailedTask) for result in results)
    figures.ndcg = mean_ranking(tasks, runs).ndcg[-1]
    for answerability, counter in decision_counts(tasks, runs).items():
        for name in DECISIONS:
            figures.counts[f"mtrag {answerability.lower()}: {name}"] = counter[name]
    for run in runs.values():
        ranking = [passage for passage, _ in run.docs[:RANKS]]
        verdicts = [(citation.passage_id, citation.verdict) for citation in run.citations]
        decisions = (run.outcome, run.abstained, run.asked_back, run.choices, run.rejected)
        output = _digest(run.standalone, run.question, ranking, run.answer, verdicts, decisions)
        figures.outputs[f"mtrag: {run.task_id}"] = output


def _ask_timelines(channel: grpc.Channel, folder: Path, figures: RuleFigures) -> None:
    for path in sorted(folder.glob("*.jsonl")):
        articles = read_articles(path)
        runs = {run.id: run for article in articles for run in _timeline(channel, article)}
        score = TimelineScore.of(articles, runs)
        for name in ("dated", "ordered", "recall"):
            figures.counts[f"timelines {path.stem}: {name}"] = getattr(score, name).good
        for run in runs.values():
            figures.outputs[f"timelines: {run.id}"] = _digest(asdict(run))


def _timeline(channel: grpc.Channel, article: Article) -> Iterator[TimelineRun]:
    """The timeline of an article; none where no event has a date."""
    with suppress(CommandError):
        yield from run_timelines(channel, [article], COLLECTION)


def _digest(*values: object) -> str:
    return hashlib.sha256(repr(values).encode()).hexdigest()[:16]  # 64 bits: equal by chance never


def main() -> int:
    """Measure and print one line of JSON."""
    parser = argparse.ArgumentParser(description="What a suite makes of all sets.")
    parser.add_argument("address")
    for name in ("docs", "mtrag", "timeset"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--every", type=int, default=1)
    arguments = parser.parse_args()
    folders = (arguments.docs, arguments.mtrag, arguments.timeset)
    sys.stdout.write(json.dumps(asdict(measure(arguments.address, *folders, arguments.every))) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
