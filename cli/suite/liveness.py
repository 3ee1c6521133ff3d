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

SERVING: Final = health_pb2.HealthCheckResponse.SERVING
CHECK_SECONDS: Final = 1.0
"""Seconds between two checks, and the timeout of each (taste)."""
MAX_MISSES: Final = 5
"""Failed checks in a row after which a process counts as hung: a stopped one is found within 6 s, so that a turn that
waits for it ends within 12 s (taste)."""
BUSY_FACTOR: Final = 6
"""How many times as many checks a process is given that has computed since the first failed one (taste)."""
BUSY_SHARE: Final = 0.02
"""Share of a processor from which a process counts as computing; one that waits uses some thousandths (taste)."""


async def until_hung(address: str, misses: int, processor_seconds: Callable[[], float] = lambda: 0.0) -> str:
    """Return the reason once a process counts as hung.

    Args:
        address: where its liveness is served.
        misses: how many failed checks in a row count as a hang.
        processor_seconds: returns what the process has computed so far.
    """
    failures, start, used = 0, 0.0, 0.0
    async with grpc.aio.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        while True:
            if not (reason := await _check(stub)):
                failures = 0
                continue
            if not failures:
                start, used = time.monotonic(), processor_seconds()
            failures += 1
            is_busy = processor_seconds() - used > BUSY_SHARE * (time.monotonic() - start)
            if failures >= misses * (BUSY_FACTOR if is_busy else 1):
                return f"{reason} in {failures} checks in a row"


def processor_seconds_of(pid: int) -> float:
    """Return the processor time that a process has used; 0 where the system does not tell (only Linux does)."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


async def _check(stub: health_pb2_grpc.HealthStub) -> str:
    """Check once, in all of CHECK_SECONDS; return why the process is not alive, or nothing if it is."""
    start = time.monotonic()
    try:
        answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=CHECK_SECONDS)
        failure = "" if answer.status == SERVING else "reported that its event loop hangs"
    except grpc.aio.AioRpcError as error:
        failure = f"did not answer ({error.code().name})"
    await asyncio.sleep(max(0.0, start + CHECK_SECONDS - time.monotonic()))
    return failure
