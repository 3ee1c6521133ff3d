"""`parley experiment mmr`: ask conversations turn by turn, with the suite's own answers as their history."""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc

from cli.view.progress_bar import progress_bar
from evaluation.corpora import ensure_collections
from evaluation.experiment.conversations import Conversation, rebuild
from evaluation.experiment.journal import Journal, open_journal
from evaluation.experiment.mtrag import as_passages, passages_file, read_turns, turns_file
from evaluation.experiment.rewriting import fusion_by_model
from evaluation.experiment.turn_result import Exchange, TurnResult, dataset_line, intermediate_line, observe, request_of
from evaluation.tasks import Task, read_tasks
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.retrieve.v1 import retrieve_pb2

SECONDS: Final = 120.0
"""Timeout of a turn, in seconds."""


@dataclass(frozen=True, slots=True)
class ExperimentJob:
    """What to ask, and how."""

    data: Path
    """Folder of the domain's tasks and passages, in our format or in MTRAG's own."""
    domain: str
    sentences: int
    """How many sentences of the history are selected."""
    out: Path
    set_name: str
    conversations: int = 0
    """Only the first ones; 0 for all."""

    def file(self, folder: str) -> Path:
        """Return the file for one kind of lines."""
        return self.out / folder / f"{self.domain}.mmr-{self.sentences}.jsonl"


@dataclass(slots=True)
class ExperimentProgress:
    """Progress of a run; filled while it runs."""

    turns: int = 0
    there: int = 0
    """Turns that the files contained before."""
    asked: int = 0
    degraded: Counter[str] = field(default_factory=Counter)


def run_experiment(channel: grpc.Channel, order: ExperimentJob, progress: ExperimentProgress) -> None:
    """Ingest the domain if it is missing, then ask each turn that the files lack.

    Raises:
        CommandError: no language model rewrites, data or files cannot be read or written, or the files contain other
            turns.
        grpc.RpcError: the suite failed; what the files contain stays there.
    """
    conversations = rebuild(_tasks(order))[: order.conversations or None]
    turns = [turn for conversation in conversations for turn in conversation]
    progress.turns = len(turns)
    fusion = fusion_by_model(channel)
    _ensure_passages(channel, order)
    with open_journal(order.file("datasets"), order.file("intermediate"), turns) as journal:
        progress.there = len(journal.answers)
        stub = gateway_pb2_grpc.GatewayServiceStub(channel)
        with progress_bar(len(turns), progress.there) as advance:
            for result in _ask_all(stub, order, fusion, conversations, journal):
                progress.asked += 1
                progress.degraded.update(result.degraded)
                advance()


def _tasks(order: ExperimentJob) -> Sequence[Task]:
    """Read MTRAG's own files if the folder has them, else files in our format."""
    turns = turns_file(order.data, order.domain)
    return read_turns(turns, order.domain) if turns else read_tasks(order.data, order.set_name, order.domain)


def _ensure_passages(channel: grpc.Channel, order: ExperimentJob) -> None:
    passages = passages_file(order.data, order.domain)
    with as_passages(passages, order.domain) if passages else nullcontext(order.data) as folder:
        ensure_collections(channel, [order.domain], folder)


def _ask_all(
    stub: gateway_pb2_grpc.GatewayServiceStub,
    order: ExperimentJob,
    fusion: retrieve_pb2.Fusion.ValueType,
    conversations: Iterable[Conversation],
    journal: Journal,
) -> Iterable[TurnResult]:
    """Yield each missing turn, written as soon as it is answered."""
    answers = iter(journal.answers)
    for conversation in conversations:
        numbers = [turn.number for turn in conversation]
        exchanges: list[Exchange] = []
        for turn in conversation:
            answer = next(answers, None)
            if answer is None:
                result = _ask(stub, request_of(turn, exchanges, order.domain, order.sentences, fusion))
                journal.add(dataset_line(turn, result), intermediate_line(turn, numbers, result))
                answer = result.answer
                yield result
            exchanges.append((turn.question, answer))


def _ask(stub: gateway_pb2_grpc.GatewayServiceStub, request: gateway_pb2.AskRequest) -> TurnResult:
    call = stub.Ask(request, timeout=SECONDS)
    try:
        return observe(response.event for response in call)
    finally:
        call.cancel()
