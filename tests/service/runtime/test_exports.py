"""Spans and metrics as a collector and Prometheus get them."""

import asyncio
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2, metrics_service_pb2_grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc

from libs.runtime.calling.channel import open_channel, unary
from libs.runtime.calling.local_calls import local_unary
from libs.runtime.errors import Conflict
from libs.runtime.settings import SettingsError
from libs.runtime.telemetry.telemetry_opening import open_telemetry
from tests.fakes.running_server import QUIET, running
from tests.service.runtime.conftest import Echo

TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Collector(trace_service_pb2_grpc.TraceServiceServicer, metrics_service_pb2_grpc.MetricsServiceServicer):
    """Takes what an OTLP exporter sends."""

    def __init__(self) -> None:
        self.spans: dict[str, Any] = {}
        self.metrics: set[str] = set()

    async def Export(self, request: Any, context: Any) -> Any:
        if isinstance(request, trace_service_pb2.ExportTraceServiceRequest):
            spans = [s for r in request.resource_spans for c in r.scope_spans for s in c.spans]
            self.spans |= {f"{s.kind} {s.name}": s for s in spans}
            return trace_service_pb2.ExportTraceServiceResponse()
        self.metrics |= {m.name for r in request.resource_metrics for c in r.scope_metrics for m in c.metrics}
        return metrics_service_pb2.ExportMetricsServiceResponse()


@asynccontextmanager
async def collecting() -> AsyncIterator[tuple[Collector, str]]:
    """A collector and its endpoint."""
    collector, server = Collector(), grpc.aio.server()
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(collector, server)  # type: ignore[no-untyped-call]
    metrics_service_pb2_grpc.add_MetricsServiceServicer_to_server(collector, server)  # type: ignore[no-untyped-call]
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    yield collector, f"http://127.0.0.1:{port}"
    await server.stop(None)


def attributes_of(resource: Any) -> dict[str, str]:
    return {a.key: a.value.string_value for a in resource.attributes}


async def test_spans_of_all_kinds_and_metrics_reach_the_collector_as_one_trace(servicer: Any, echo: Echo) -> None:
    async def inner_say(request: Any, context: Any) -> Any:
        raise Conflict("SESSION_CONFLICT", "another turn came first")

    async with collecting() as (collector, endpoint):
        telemetry = open_telemetry(QUIET.model_copy(update={"otlp_endpoint": endpoint}), "trial", "1")
        async with running(servicer(Say=inner_say)) as inner, open_channel(inner.target) as next_channel:

            async def look(request: Any) -> Any:
                return await unary(echo.grpc.EchoServiceStub(next_channel).Say, request)

            async def say(request: Any, context: Any) -> Any:
                return await local_unary("trial.v1.EchoService/Look", lambda: look(request), None)

            traced_server = running(servicer(Say=say), telemetry=telemetry)
            async with traced_server as outer, open_channel(outer.target) as channel:
                stub, metadata = echo.grpc.EchoServiceStub(channel), [("traceparent", TRACEPARENT)]
                with pytest.raises(Conflict):
                    await unary(stub.Say, echo.pb2.SayRequest(), metadata=metadata)
        await asyncio.to_thread(telemetry.close)
    server, work, client = (
        collector.spans[name]
        for name in ("2 trial.v1.EchoService/Say", "1 trial.v1.EchoService/Look", "3 trial.v1.EchoService/Say")
    )
    assert server.trace_id.hex() == TRACEPARENT.split("-")[1]
    assert server.parent_span_id.hex() == TRACEPARENT.split("-")[2]
    assert (work.parent_span_id, client.parent_span_id) == (server.span_id, work.span_id)
    assert attributes_of(server)["rpc.response.status_code"] == "ABORTED"
    assert attributes_of(client)["error.type"] == "ABORTED"
    assert {"rpc.server.call.duration", "rpc.client.call.duration"} <= collector.metrics


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
