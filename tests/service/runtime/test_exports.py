"""Metrics as Prometheus gets them."""

import asyncio
import urllib.request
from typing import Any

import grpc
import pytest

from libs.runtime.calling.channel import open_channel, unary
from libs.runtime.settings import SettingsError
from libs.runtime.telemetry.telemetry_opening import open_telemetry
from tests.fakes.running_server import QUIET, running
from tests.service.runtime.conftest import Echo


async def test_prometheus_scrapes_durations_by_method_and_status_and_no_names_that_callers_make_up(
    servicer: Any, echo: Echo, unused_tcp_port: int
) -> None:
    async def say(request: Any, context: Any) -> Any:
        return echo.pb2.SayResponse()

    telemetry = open_telemetry(QUIET.model_copy(update={"prometheus_port": unused_tcp_port}), "trial", "1")
    traced_server = running(servicer(Say=say), telemetry=telemetry)
    async with traced_server as server, open_channel(server.target) as channel:
        await unary(echo.grpc.EchoServiceStub(channel).Say, echo.pb2.SayRequest())
        for number in range(3):
            with pytest.raises(grpc.aio.AioRpcError):
                await call(channel, f"/made.up.v{number}.Service/Method")
        metrics_text = await asyncio.to_thread(scrape, unused_tcp_port)
    await asyncio.to_thread(telemetry.close)
    lines = [n for n in metrics_text.splitlines() if n.startswith("rpc_server_call_duration_seconds_count")]
    labels = [
        ('rpc_method="trial.v1.EchoService/Say"', '"OK"', " 1.0"),
        ('rpc_method="_OTHER"', '"UNIMPLEMENTED"', " 3.0"),
    ]
    for line, (method, status, count) in zip(lines, labels, strict=True):
        assert method in line
        assert f"rpc_response_status_code={status}" in line
        assert line.endswith(count)
    assert "made.up" not in metrics_text


async def call(channel: Any, method: str) -> Any:
    return await channel.unary_unary(method)(b"")


def scrape(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        return str(answer.read().decode())


async def test_a_taken_prometheus_port_is_told_by_its_variable(servicer: Any) -> None:
    async with running(servicer()) as server:
        with pytest.raises(SettingsError, match="PARLEY_SERVER_PROMETHEUS_PORT"):
            open_telemetry(QUIET.model_copy(update={"prometheus_port": server.port}), "trial", "1")
