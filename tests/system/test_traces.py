"""One trace of a turn: through all processes, to the language model, and in the lines of the logs."""

import json
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2, metrics_service_pb2_grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc

from bench.suite import running_suite
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from tests.fakes.scripted_llm import ScriptedLlm
from tests.system.door import ingest

TRACE_ID = "0af7651916cd43dd8448eb211c80319c"
TRACEPARENT = f"00-{TRACE_ID}-b7ad6b7169203331-01"
PROCESSES = {f"parley-{name}" for name in ("gateway", "intent", "decompose", "retrieve", "answer", "timeline")}
PHOENIX = "# Phoenix\n\nPhoenix landed on Mars on 25 May 2008. It dug for water ice there.\n"

pytestmark = pytest.mark.slow


class Collector(trace_service_pb2_grpc.TraceServiceServicer, metrics_service_pb2_grpc.MetricsServiceServicer):
    """Keeps the spans of the trace by process, and the traces that histograms name as examples."""

    def __init__(self) -> None:
        self.spans: dict[str, list[Any]] = defaultdict(list)
        self.exemplars: dict[str, set[str]] = defaultdict(set)

    def Export(self, request: Any, context: Any) -> Any:
        if isinstance(request, metrics_service_pb2.ExportMetricsServiceRequest):
            self._keep_metrics(request)
            return metrics_service_pb2.ExportMetricsServiceResponse()
        for resource in request.resource_spans:
            spans = [span for scope in resource.scope_spans for span in scope.spans]
            own = [span for span in spans if span.trace_id.hex() == TRACE_ID]
            self.spans[attributes_of(resource.resource)["service.name"]] += own
        return trace_service_pb2.ExportTraceServiceResponse()

    def _keep_metrics(self, request: Any) -> None:
        scopes = [scope for resource in request.resource_metrics for scope in resource.scope_metrics]
        for metric in (metric for scope in scopes for metric in scope.metrics):
            for point in metric.histogram.data_points:
                self.exemplars[metric.name] |= {exemplar.trace_id.hex() for exemplar in point.exemplars}


def attributes_of(owner: Any) -> dict[str, Any]:
    return {a.key: getattr(a.value, a.value.WhichOneof("value")) for a in owner.attributes}


@pytest.fixture
def collector() -> Iterator[tuple[Collector, str]]:
    """A collector and its endpoint."""
    collector, server = Collector(), grpc.server(ThreadPoolExecutor(4))
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(collector, server)  # type: ignore[no-untyped-call]
    metrics_service_pb2_grpc.add_MetricsServiceServicer_to_server(collector, server)  # type: ignore[no-untyped-call]
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield collector, f"http://127.0.0.1:{port}"
    server.stop(None).wait()


def test_a_turn_is_one_trace_in_all_processes_at_the_model_and_in_the_logs(
    tmp_path: Path, collector: tuple[Collector, str], llm: ScriptedLlm
) -> None:
    (tmp_path / "note.md").write_text(PHOENIX)
    llm.answer_with(lambda _: "Phoenix landed on Mars on 25 May 2008. [1]")
    received, endpoint = collector
    settings = {
        "PARLEY_SERVER_OTLP_ENDPOINT": endpoint,
        "PARLEY_SERVER_LOG_FORMAT": "json",
        "PARLEY_SERVER_LOG_LEVEL": "debug",
        "PARLEY_LLM_BASE_URL": llm.base_url,
        "PARLEY_LLM_MODEL": "small",
    }
    with running_suite(tmp_path / "data", settings) as suite:
        ingest(suite.port, str(tmp_path / "note.md"))
        with grpc.insecure_channel(suite.address) as channel:
            turn = gateway_pb2.AskRequest(
                question="When did Phoenix land on Mars?", options=gateway_pb2.RequestOptions(pro=True)
            )
            stub = gateway_pb2_grpc.GatewayServiceStub(channel)
            stub.AskOnce(gateway_pb2.AskOnceRequest(ask=turn), timeout=60, metadata=(("traceparent", TRACEPARENT),))
    assert {name for name, spans in received.spans.items() if spans} == PROCESSES
    requests = [span for spans in received.spans.values() for span in spans if span.name == "chat small"]
    assert {attributes_of(span)["gen_ai.request.model"] for span in requests} == {"small"}
    known = {span.span_id for spans in received.spans.values() for span in spans} | {bytes.fromhex(TRACEPARENT[36:52])}
    assert [span.name for spans in received.spans.values() for span in spans if span.parent_span_id not in known] == []
    at_the_model = {request.headers["traceparent"].split("-")[1] for request in llm.requests}
    assert at_the_model == {TRACE_ID}
    assert TRACE_ID in received.exemplars["rpc.server.call.duration"]
    assert TRACE_ID in received.exemplars["gen_ai.client.operation.duration"]
    logs = "".join(file.read_text() for file in (tmp_path / "data" / "logs").iterdir())
    lines = [json.loads(line) for line in logs.splitlines() if line.startswith("{")]
    assert {f"parley-{line['process']}" for line in lines if line.get("trace_id") == TRACE_ID} == PROCESSES
