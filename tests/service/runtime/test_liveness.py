"""Whether a process works at all, answered by a thread beside its event loop."""

import asyncio
import time
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from libs.runtime.serving import liveness
from libs.runtime.serving.liveness import serving_liveness
from libs.runtime.settings import ServerSettings, SettingsError

Status = health_pb2.HealthCheckResponse


def check(address: str) -> int:
    with grpc.insecure_channel(address) as channel:
        response = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=5)
        return int(response.status)


def keep_busy(seconds: float) -> None:
    """Python that never leaves the event loop."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


async def test_a_busy_event_loop_does_not_delay_the_answer(tmp_path: Path) -> None:
    address = f"unix:{tmp_path / 'live.sock'}"
    async with serving_liveness(ServerSettings(liveness_address=address)):
        start = time.monotonic()
        answer = asyncio.create_task(asyncio.to_thread(check, address))
        await asyncio.sleep(0)
        keep_busy(1.0)
        busy_until = time.monotonic()
        assert await answer == Status.SERVING
    assert busy_until - start >= 1.0


async def test_an_event_loop_that_hangs_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(liveness, "HANG_SECONDS", 0.2)
    monkeypatch.setattr(liveness, "BEAT_SECONDS", 0.05)
    address = f"unix:{tmp_path / 'live.sock'}"
    answers: list[int] = []

    def check_later() -> None:
        time.sleep(0.4)
        answers.append(check(address))

    async with serving_liveness(ServerSettings(liveness_address=address)):
        asking = asyncio.create_task(asyncio.to_thread(check_later))
        await asyncio.sleep(0)
        keep_busy(0.8)
        await asking
        await asyncio.sleep(0.1)
        answers.append(await asyncio.to_thread(check, address))
    assert answers == [Status.NOT_SERVING, Status.SERVING]


async def test_a_public_address_is_refused_without_insecure() -> None:
    with pytest.raises(SettingsError, match=r"PARLEY_SERVER_LIVENESS_ADDRESS: 0\.0\.0\.0 can be reached"):
        async with serving_liveness(ServerSettings(liveness_address="0.0.0.0:0")):
            pass
