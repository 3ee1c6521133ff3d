"""When a process counts as hung: one that stands still soon, one that computes later."""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from cli.suite import liveness as liveness_module
from cli.suite.liveness import BUSY_FACTOR, processor_seconds_of, until_hung

MISSES = 3
Status = health_pb2.HealthCheckResponse


class Liveness(health_pb2_grpc.HealthServicer):  # type: ignore[misc]  # untyped
    """Answers as a test says; None: not at all."""

    def __init__(self) -> None:
        self.status: int | None = Status.SERVING
        self.checks = 0

    async def Check(self, request: object, context: object) -> object:
        self.checks += 1
        if self.status is None:
            await asyncio.sleep(60)
        return Status(status=self.status)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(liveness_module, "CHECK_SECONDS", 0.05)


@pytest.fixture
async def liveness(tmp_path: Path) -> AsyncIterator[Liveness]:
    servicer, server = Liveness(), grpc.aio.server()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    server.add_insecure_port(f"unix:{tmp_path / 'live'}")
    await server.start()
    yield servicer
    await server.stop(None)


async def hung(folder: Path, share: float = 0.0) -> str:
    """The reason, for a process that uses that share of a processor."""
    address = f"unix:{folder / 'live'}"
    return await asyncio.wait_for(until_hung(address, MISSES, lambda: share * time.monotonic()), 20)


async def test_a_process_that_does_not_answer_hangs(liveness: Liveness, tmp_path: Path) -> None:
    liveness.status = None
    assert await hung(tmp_path) == "did not answer (DEADLINE_EXCEEDED) in 3 checks in a row"


async def test_a_process_whose_event_loop_stands_hangs(liveness: Liveness, tmp_path: Path) -> None:
    liveness.status = Status.NOT_SERVING
    assert await hung(tmp_path) == "reported that its event loop hangs in 3 checks in a row"


async def test_a_process_that_computes_is_given_more_time(liveness: Liveness, tmp_path: Path) -> None:
    liveness.status = None
    assert (await hung(tmp_path, share=0.1)).endswith(f"in {MISSES * BUSY_FACTOR} checks in a row")


async def test_a_process_that_answers_again_does_not_hang(liveness: Liveness, tmp_path: Path) -> None:
    liveness.status = Status.NOT_SERVING
    watch = asyncio.create_task(hung(tmp_path))
    while liveness.checks < 2:  # noqa: ASYNC110 - the event is in gRPC
        await asyncio.sleep(0.01)
    liveness.status = Status.SERVING
    seen = liveness.checks
    while liveness.checks < seen + 5:  # noqa: ASYNC110 - the event is in gRPC
        await asyncio.sleep(0.01)
    assert not watch.done()
    watch.cancel()


def test_processor_time_is_that_of_the_process() -> None:
    before = processor_seconds_of(os.getpid())
    end = time.process_time() + 0.1
    while time.process_time() < end:
        pass
    assert processor_seconds_of(os.getpid()) - before >= 0.05
    assert processor_seconds_of(2**22 + 1) == 0.0
