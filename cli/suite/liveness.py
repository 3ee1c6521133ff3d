"""Finds out that a process hangs, by the liveness that a thread of its own answers (`libs.runtime.serving.liveness`).

A process that does not answer but computes is not taken for one that hangs as soon: on a busy machine, a computation
that holds the interpreter lock for half a second of processor time may take many seconds.
"""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from cli.suite.supervision import SupervisionSettings

SERVING: Final = health_pb2.HealthCheckResponse.SERVING
BUSY_SHARE: Final = 0.02
"""Share of a processor from which a process counts as computing; one that waits uses some thousandths."""


async def until_hung(
    address: str, settings: SupervisionSettings, processor_seconds: Callable[[], float] = lambda: 0.0
) -> str:
    """Return the reason once a process counts as hung; never, if `settings.misses` is 0.

    Args:
        address: where its liveness is served.
        settings: how often it is checked, and how many failed checks in a row count as a hang.
        processor_seconds: returns what the process has computed so far.
    """
    if not settings.misses:
        await asyncio.Event().wait()
    async with grpc.aio.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        while True:
            await _until_failure(stub, settings)
            if reason := await _persistent_failure(stub, settings, processor_seconds):
                return reason


def processor_seconds_of(pid: int) -> float:
    """Return the processor time that a process has used; 0 where the system does not tell (only Linux does)."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


async def _until_failure(stub: health_pb2_grpc.HealthStub, settings: SupervisionSettings) -> None:
    """Return after the first failed check."""
    while not await _check(stub, settings.check_seconds):
        pass


async def _persistent_failure(
    stub: health_pb2_grpc.HealthStub, settings: SupervisionSettings, processor_seconds: Callable[[], float]
) -> str:
    """Return why a process whose check has failed counts as hung; empty as soon as a check succeeds."""
    start, used, misses = time.monotonic(), processor_seconds(), 1
    while True:
        if not (reason := await _check(stub, settings.check_seconds)):
            return ""
        misses += 1
        is_busy = processor_seconds() - used > BUSY_SHARE * (time.monotonic() - start)
        if misses >= (settings.busy_misses if is_busy else settings.misses):
            return f"{reason} in {misses} checks in a row"


async def _check(stub: health_pb2_grpc.HealthStub, seconds: float) -> str:
    """Check once, in all of that time; return why the process is not alive, or nothing if it is."""
    start = time.monotonic()
    try:
        answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=seconds)
        failure = "" if answer.status == SERVING else "reported that its event loop hangs"
    except grpc.aio.AioRpcError as error:
        failure = f"did not answer ({error.code().name})"
    await asyncio.sleep(max(0.0, start + seconds - time.monotonic()))
    return failure
