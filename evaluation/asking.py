"""Ask the suite a list of tasks, a few at a time; decisions are not acted on, so each task is carried to an answer."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Final

import grpc

from cli.connection.gateway_connection import CommandError
from evaluation.observation import observe
from evaluation.runs import TaskRun
from evaluation.tasks import USER, Task, TaskMessage
from parley.context.v1 import conversation_pb2, query_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc

RANKING: Final = 100
"""Passages of the ranking that are kept."""
SECONDS: Final = 120.0
"""Timeout of a turn, in seconds."""
HOLDS_FOR_ALL: Final = frozenset({grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.UNAVAILABLE})
"""Statuses with which every other task would fail, too."""


@dataclass(frozen=True, slots=True)
class FailedTask:
    """A task that got no answer, and the reason."""

    task_id: str
    reason: str


def request_of(task: Task, strategy: query_pb2.Strategy.ValueType) -> gateway_pb2.AskRequest:
    """Build the request for a task."""
    options = gateway_pb2.RequestOptions(
        collection=task.domain,
        strategy=strategy,
        ranking=RANKING,
        ask_back=gateway_pb2.ACT_RECORD_ONLY,
        reject=gateway_pb2.ACT_RECORD_ONLY,
        abstain=gateway_pb2.ACT_RECORD_ONLY,
    )
    return gateway_pb2.AskRequest(question=task.last_turn, history=map(_message, task.history), options=options)


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
    call = stub.Ask(request_of(task, strategy), timeout=SECONDS)
    try:
        run = observe(task.task_id, (response.event for response in call))
    except grpc.RpcError as error:
        if error.code() in HOLDS_FOR_ALL:
            raise
        return FailedTask(task.task_id, f"{error.code().name}: {error.details()}")
    finally:
        call.cancel()
    if run is None:
        raise CommandError("A turn ended without its last event: the suite is of another version.")
    return run


def _message(message: TaskMessage) -> conversation_pb2.HistoryMessage:
    speaker = conversation_pb2.SPEAKER_USER if message.speaker == USER else conversation_pb2.SPEAKER_AGENT
    return conversation_pb2.HistoryMessage(speaker=speaker, text=message.text)
