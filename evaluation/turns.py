"""`parley eval turns`: ask the tasks that a file lacks, and write each result as soon as it arrives."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from cli.connection.gateway_connection import CommandError
from cli.view.progress_bar import progress_bar
from evaluation.asking import FailedTask, ask_all
from evaluation.corpora import ensure_collections
from evaluation.files import writing
from evaluation.runs import mend, read_runs, to_line
from evaluation.tasks import Task, read_tasks
from parley.context.v1 import query_pb2


@dataclass(frozen=True, slots=True)
class EvaluationJob:
    """What to ask, and how."""

    passages: Path
    tasks: Path
    out: Path
    strategy: str = ""
    """As the contract names it, without its prefix; empty for the suite's default."""
    set_name: str = ""
    callers: int = 2


@dataclass(slots=True)
class EvaluationProgress:
    """Progress of a run; filled while it runs."""

    there: int = 0
    """Tasks that the file contained before."""
    asked: int = 0
    failed: list[FailedTask] = field(default_factory=list)


def run_turns(channel: grpc.Channel, order: EvaluationJob, progress: EvaluationProgress) -> None:
    """Ingest the missing passages, then ask the missing tasks.

    Raises:
        CommandError: tasks, passages or the file cannot be read, or the file belongs to a run with another strategy.
        grpc.RpcError: the suite failed; what the file contains stays there.
    """
    tasks = read_tasks(order.tasks, order.set_name)
    missing = _missing(tasks, order)
    progress.there = len(tasks) - len(missing)
    ensure_collections(channel, dict.fromkeys(task.domain for task in missing), order.passages)
    strategy = query_pb2.Strategy.Value(f"STRATEGY_{order.strategy or 'UNSPECIFIED'}")
    with writing(order.out, "a") as append, progress_bar(len(tasks), progress.there) as advance:
        for result in ask_all(channel, missing, strategy, order.callers):
            if isinstance(result, FailedTask):
                progress.failed.append(result)
            else:
                append(to_line(result))
                progress.asked += 1
            advance()


def _missing(tasks: Sequence[Task], order: EvaluationJob) -> list[Task]:
    """Return the tasks that the file lacks."""
    if not order.out.exists():
        return list(tasks)
    mend(order.out)
    runs = read_runs(order.out)
    other_strategies = {run.strategy for run in runs.values()} - {order.strategy}
    if order.strategy and other_strategies:
        raise CommandError(f"The file {order.out} holds a run with the strategy {', '.join(sorted(other_strategies))}.")
    return [task for task in tasks if task.task_id not in runs]
