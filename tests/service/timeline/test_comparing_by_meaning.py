"""The timeline stage beside the process with the embedding model: real servers, and what is said where that fails."""

import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import grpc
import numpy as np
import pytest
from numpy.typing import NDArray

from bench.suite import free_ports
from parley.context.v1 import evidence_pb2
from parley.timeline.v1 import timeline_pb2, timeline_pb2_grpc
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.servicer_inference import InferenceServicer
from services.timeline.stage import open_stage
from tests.fakes.meant_vectors import MeantEncoder
from tests.fakes.running_server import running
from tests.service.serving import engines_of, served

TEXTS = (
    "Varadkar was elected as leader of the country by the parliament on 14 June 2017.",
    "On 14 June 2017 the members of parliament elected Varadkar to lead the country's government.",
)


class Stuck(MeantEncoder):
    """Reads nothing before it is let go."""

    def __init__(self) -> None:
        super().__init__("Varadkar")
        self.free = threading.Event()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.free.wait()
        return super().encode(texts)


@asynccontextmanager
async def stage_beside(monkeypatch: pytest.MonkeyPatch, inference: str) -> AsyncIterator[grpc.aio.Channel]:
    monkeypatch.setenv("PARLEY_TIMELINE_INFERENCE", inference)
    async with served(open_stage()) as channel:
        yield channel


@asynccontextmanager
async def model(encoder: MeantEncoder | None) -> AsyncIterator[str]:
    """The address of a process with that model, or with none."""
    embedder = BatchingEmbedder(encoder) if encoder else None
    async with running(InferenceServicer(embedder)) as server:
        yield server.target
    if embedder:
        embedder.close()


async def build(channel: grpc.aio.Channel) -> tuple[list[int], list[str]]:
    """How many sources each event has, and why something was done the simpler way."""
    evidence = [
        evidence_pb2.Evidence(
            passage=evidence_pb2.Passage(passage_id=f"d{rank}", document_id=f"d{rank}", text=text), rank=rank
        )
        for rank, text in enumerate(TEXTS, start=1)
    ]
    for item in evidence:
        item.passage.span.end = len(item.passage.text)
    request = timeline_pb2.BuildRequest(question="What happened to Varadkar?", evidence=evidence)
    steps = [step async for step in timeline_pb2_grpc.TimelineServiceStub(channel).Build(request)]
    reasons = [step.degraded.reason for step in steps if step.HasField("degraded")]
    return [len(event.sources) for event in steps[-1].result.timeline.events], reasons


async def test_one_event_in_other_words_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = MeantEncoder("Varadkar")
    async with model(encoder) as address, stage_beside(monkeypatch, address) as channel:
        assert await build(channel) == ([2], [])


async def test_without_an_address_words_alone_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    async with stage_beside(monkeypatch, "none") as channel:
        assert await build(channel) == ([1, 1], [])


async def test_a_process_that_is_not_there_is_said_and_the_words_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.timeline.stage.COMPARISON_SECONDS", 0.5)
    async with stage_beside(monkeypatch, f"127.0.0.1:{free_ports(1)}") as channel:
        events, reasons = await build(channel)
    assert events == [1, 1]
    assert len(reasons) == 1


async def test_a_process_without_a_model_is_said_and_the_words_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    async with model(None) as address, stage_beside(monkeypatch, address) as channel:
        assert await build(channel) == ([1, 1], ["EMBEDDER_MISSING"])


async def test_a_process_that_is_too_slow_is_said_and_the_words_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.timeline.stage.COMPARISON_SECONDS", 0.2)
    encoder = Stuck()
    async with model(encoder) as address, stage_beside(monkeypatch, address) as channel:
        try:
            assert await build(channel) == ([1, 1], ["DEADLINE_EXCEEDED"])
        finally:
            encoder.free.set()


async def test_the_server_says_by_what_tellings_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    async with stage_beside(monkeypatch, "127.0.0.1:50054") as channel:
        assert ("compare", "words and meaning") in await engines_of(channel)
