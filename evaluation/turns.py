"""`parley eval turns`: ask the tasks that a file lacks, and write each result as soon as it arrives.

Decisions are not acted on, so each task is carried to an answer.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc

from cli.connection.gateway_connection import CommandError
from evaluation.corpora import ensure_collections
from evaluation.files import mend, writing
from evaluation.observation import observe
from evaluation.progress_bar import progress_bar
from evaluation.runs import TaskRun, read_runs
from evaluation.tasks import USER, Task, read_tasks
from evaluation.turn_events import Progress, ask, history_of, recording_options
from parley.context.v1 import query_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc

RANKING: Final = 100
"""Passages of the ranking that are kept (taste)."""
HOLDS_FOR_ALL: Final = frozenset({grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.UNAVAILABLE})
"""Statuses with which every other task would fail, too."""


@dataclass(frozen=True, slots=True)
class FailedTask:
    """A task that got no answer, and the reason."""

    task_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class EvaluationJob:
    """What to ask, and how."""

    passages: Path
    tasks: Path
    out: Path
    strategy: str = ""
    """As the contract names it, without its prefix; empty for the suite's default."""
    set_name: str = ""
    callers: int = 2  # in parallel (taste)


def run_turns(channel: grpc.Channel, order: EvaluationJob, progress: Progress) -> None:
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
    with writing(order.out, "a") as append, progress_bar() as bar:
        results = ask_all(channel, missing, strategy, order.callers)
        for result in bar.track(results, len(tasks), progress.there):
            if isinstance(result, FailedTask):
                progress.problems.append(f"{result.task_id}: {result.reason}")
            else:
                append(result)
                progress.asked += 1


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


def ask_all(
    channel: grpc.Channel, tasks: Sequence[Task], strategy: query_pb2.Strategy.ValueType, callers: int
) -> Iterator[TaskRun | FailedTask]:
    """Yield the result of each task as it completes.

    Raises:
        grpc.RpcError: a call failed in a way that affects every task; no more tasks are asked.
    """
    stub = gateway_pb2_grpc.GatewayServiceStub(channel)
    with ThreadPoolExecutor(callers) as pool:
        futures = [pool.submit(_ask, stub, task, strategy) for task in tasks]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _ask(
    stub: gateway_pb2_grpc.GatewayServiceStub, task: Task, strategy: query_pb2.Strategy.ValueType
) -> TaskRun | FailedTask:
    options = recording_options(collection=task.domain, strategy=strategy, ranking=RANKING)
    history = history_of((message.speaker == USER, message.text) for message in task.history)
    try:
        request = gateway_pb2.AskRequest(question=task.last_turn, history=history, options=options)
        return observe(task.task_id, ask(stub, request))
    except grpc.RpcError as error:
        if error.code() in HOLDS_FOR_ALL:
            raise
        return FailedTask(task.task_id, f"{error.code().name}: {error.details()}")
