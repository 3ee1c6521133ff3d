"""Finds out that a process hangs, by the liveness that a thread of its own answers (`libs.runtime.liveness`)."""

import asyncio
import time

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from cli.supervision import SupervisionSettings

SERVING = health_pb2.HealthCheckResponse.SERVING


async def until_hung(address: str, settings: SupervisionSettings) -> str:
    """Return the reason once a process counts as hung; never, if `settings.misses` is 0.

    Args:
        address: where its liveness is served.
        settings: how often it is checked, and how many failed checks in a row count as a hang.
    """
    if not settings.misses:
        await asyncio.Event().wait()
    reason, misses = "", 0
    async with grpc.aio.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        while misses < settings.misses:
            start = time.monotonic()
            reason = await _failure(stub, settings.check_seconds)
            misses = misses + 1 if reason else 0
            await asyncio.sleep(max(0.0, start + settings.check_seconds - time.monotonic()))
    return f"{reason} in {misses} checks in a row"


async def _failure(stub: health_pb2_grpc.HealthStub, seconds: float) -> str:
    """Check once; empty if the process is alive."""
    try:
        answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=seconds)
    except grpc.aio.AioRpcError as error:
        return f"did not answer ({error.code().name})"
    return "" if answer.status == SERVING else "reported that its event loop hangs"
