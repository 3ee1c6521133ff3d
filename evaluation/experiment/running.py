"""`parley experiment mmr`: ask conversations turn by turn, with the suite's own answers as their history."""

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc

from cli.connection.gateway_connection import CommandError
from evaluation.corpora import ensure_collections
from evaluation.experiment.journal import Journal, open_journal
from evaluation.experiment.mtrag import as_passages, passages_file, read_turns, turns_file
from evaluation.experiment.turns import Conversation, Exchange, TurnResult, observe, rebuild, request_of
from evaluation.progress_bar import progress_bar
from evaluation.tasks import Task, read_tasks
from evaluation.turn_events import Progress, ask
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.retrieve.v1 import retrieve_pb2

INFO_SECONDS: Final = 5.0
"""Timeout for the suite's report on its engines, in seconds (taste)."""
LEARNED: Final = "search by learned terms"
"""The capability of the stage that searches; its engine is "none" if there is none."""


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


def run_experiment(channel: grpc.Channel, order: ExperimentJob, progress: Progress) -> None:
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
        with progress_bar() as bar:
            results = _ask_all(stub, order, fusion, conversations, journal)
            for result in bar.track(results, len(turns), progress.there):
                progress.asked += 1
                progress.problems += result.degraded


def fusion_by_model(channel: grpc.Channel) -> retrieve_pb2.Fusion.ValueType:
    """Return the fusion for the experiment; check that a language model rewrites the questions.

    Learned sparse vectors (ELSER) alone if they are configured, else the suite's own fusion. The model's rewriting is
    what is searched.

    Raises:
        CommandError: no language model rewrites, or the stage that rewrites is down.
        grpc.RpcError: the suite cannot be reached.
    """
    stub = gateway_pb2_grpc.GatewayServiceStub(channel)
    info = stub.GetServerInfo(gateway_pb2.GetServerInfoRequest(), timeout=INFO_SECONDS)
    engines = {
        stage.stage: {capability.task: capability.engine for capability in stage.info.capabilities}
        for stage in info.stages
        if stage.HasField("info")
    }
    if usage_pb2.STAGE_DECOMPOSE not in engines:
        raise CommandError("The stage decompose, which rewrites the questions, cannot be reached.")
    if engines[usage_pb2.STAGE_DECOMPOSE].get("condense") != "llm":
        raise CommandError(
            "This experiment searches each question as a language model rewrites it, and this suite rewrites by rules: "
            "set PARLEY_LLM_BASE_URL and PARLEY_LLM_MODEL, and do not set PARLEY_DECOMPOSE_ENGINE to rules."
        )
    sparse_engine = engines.get(usage_pb2.STAGE_RETRIEVE, {}).get(LEARNED, "none")
    return retrieve_pb2.FUSION_UNSPECIFIED if sparse_engine == "none" else retrieve_pb2.FUSION_LEXICAL


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
        numbers = [turn.turn for turn in conversation]
        exchanges: list[Exchange] = []
        for turn in conversation:
            answer = next(answers, None)
            if answer is None:
                request = request_of(turn, exchanges, order.domain, order.sentences, fusion)
                result = observe(ask(stub, request))
                journal.add(turn, numbers, result)
                answer = result.answer
                yield result
            exchanges.append((turn.last_turn, answer))
