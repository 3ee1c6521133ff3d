"""Parley in the comparison: the processes that `parley up` starts, asked over gRPC by this one; timeouts are ample."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import uvloop

from bench.peers.base import Base, Turn
from bench.peers.load import Figures, Load, measure
from bench.suite import RunningSuite, running_suite
from bench.turns import Stub
from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker
from libs.contracts.query import Decision
from libs.language.turns.reader import read_turn, with_readings
from parley.context.v1 import conversation_pb2, query_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2
from parley.retrieve.v1 import retrieve_pb2
from services.decompose.condense.condenser import condense_by_reading
from services.decompose.history import read_window

PARLEY = "parley"
SPEAKERS = {"user": conversation_pb2.SPEAKER_USER, "agent": conversation_pb2.SPEAKER_AGENT}
RECORD_ONLY = gateway_pb2.ACT_RECORD_ONLY
SETTINGS = {
    "PARLEY_INTENT_ENGINE": "rules",
    "PARLEY_DECOMPOSE_PLAN_ENGINE": "rules",
    "PARLEY_TIMELINE_ENGINE": "rules",
    "PARLEY_RETRIEVE_EMBEDDER_THREADS": "1",
}
"""As with the others, the model rewrites and writes and no more, and a query is embedded by one thread."""
DEPTH = retrieve_pb2.Depth(lexical=20, vector=20, evidence=10)  # as the others'


class ParleyEngine:
    """One channel for all callers."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub: Any = Stub(channel)

    async def ask(self, turn: Turn, passage_ids: list[str]) -> AsyncIterator[str]:
        """See `Engine`."""
        async for event in self._events(request_of(turn)):
            kind = event.WhichOneof("event")
            if kind == "text":
                yield event.text.delta
            elif kind == "references":
                passage_ids += [reference.evidence.passage.passage_id for reference in event.references.references]

    async def _events(self, request: gateway_pb2.AskRequest) -> AsyncIterator[event_pb2.Event]:
        """The events of a turn; one that the suite is too busy for is asked again when it says."""
        while True:
            try:
                async for response in self._stub.Ask(request, timeout=120):
                    yield response.event
                return
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                    raise
                pause = int(str(dict(error.trailing_metadata() or ())["grpc-retry-pushback-ms"])) / 1000
            await asyncio.sleep(pause)


def request_of(turn: Turn) -> gateway_pb2.AskRequest:
    """The others' work: the rewritten question is searched, every one is answered; no follow-ups, no timeline."""
    options = gateway_pb2.RequestOptions(
        depth=DEPTH,
        ask_back=RECORD_ONLY,
        reject=RECORD_ONLY,
        abstain=RECORD_ONLY,
        recommendations=0,
        timeline=gateway_pb2.TIMELINE_USE_OFF,
        strategy=query_pb2.STRATEGY_LLM,
    )
    return gateway_pb2.AskRequest(question=turn.question, history=history_of(turn), options=options)


def history_of(turn: Turn) -> list[conversation_pb2.HistoryMessage]:
    """As requests have it."""
    return [conversation_pb2.HistoryMessage(speaker=SPEAKERS[speaker], text=text) for speaker, text in turn.history]


def is_rewritten_once(turn: Turn) -> bool:
    """Whether the stub, which repeats a question, rewrites it well: not one that Parley completes by itself."""
    messages = tuple(HistoryMessage(Speaker(speaker.upper()), text) for speaker, text in turn.history)
    view = ConversationView(messages)
    record = condense_by_reading(turn.question, read_window(view), read_turn(turn.question, with_readings(view)))
    return record is None or record.decision is Decision.PASS


def measure_parley(base: Base, data: Path, stub: str, load: Load, processes: int) -> Figures:
    """Start a suite over the passages in so many processes, and measure."""
    environment = {**SETTINGS, "PARLEY_LLM_BASE_URL": f"{stub}/v1", "PARLEY_LLM_MODEL": "stub"}
    with suite_over(base, data, environment, processes) as suite:
        return uvloop.run(_measure(suite, base, stub, load))


@contextmanager
def suite_over(base: Base, data: Path, environment: dict[str, str], processes: int) -> Iterator[RunningSuite]:
    """A suite over the passages, which are ingested before it starts where `data` is empty."""
    if not (data / "corpus.db").exists():
        data.mkdir(parents=True, exist_ok=True)
        with running_suite(data) as suite:
            suite.parley("ingest", str(base.passages), "--whole", "--vectors", str(base.vectors))
    with running_suite(data, environment, processes) as suite:
        yield suite


async def _measure(suite: RunningSuite, base: Base, stub: str, load: Load) -> Figures:
    async with grpc.aio.insecure_channel(suite.address) as channel:
        engine = ParleyEngine(channel)
        processes = suite.processes()
        return await measure(f"{PARLEY} ({len(processes)})", engine, base.turns(), processes, stub, load)
