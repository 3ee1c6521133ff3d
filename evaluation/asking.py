"""Ask the suite a list of tasks, a few at a time; decisions are not acted on, so each task is carried to an answer."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Final

import grpc

from evaluation.observation import observe
from evaluation.runs import TaskRun
from evaluation.tasks import USER, Task
from evaluation.turn_events import ask, history_of, recording_options
from parley.context.v1 import query_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc

RANKING: Final = 100
"""Passages of the ranking that are kept."""
HOLDS_FOR_ALL: Final = frozenset({grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.UNAVAILABLE})
"""Statuses with which every other task would fail, too."""


@dataclass(frozen=True, slots=True)
class FailedTask:
    """A task that got no answer, and the reason."""

    task_id: str
    reason: str


def request_of(task: Task, strategy: query_pb2.Strategy.ValueType) -> gateway_pb2.AskRequest:
    """Build the request for a task."""
    options = recording_options(collection=task.domain, strategy=strategy, ranking=RANKING)
    history = history_of((message.speaker == USER, message.text) for message in task.history)
    return gateway_pb2.AskRequest(question=task.last_turn, history=history, options=options)


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
    try:
        return observe(task.task_id, ask(stub, request_of(task, strategy)))
    except grpc.RpcError as error:
        if error.code() in HOLDS_FOR_ALL:
            raise
        return FailedTask(task.task_id, f"{error.code().name}: {error.details()}")
