"""Telemetry with OpenTelemetry: spans and metrics by OTLP, metrics for Prometheus; imported only if configured."""

from contextlib import ExitStack
from typing import Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.metrics import Counter, UpDownCounter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import MetricReader
from opentelemetry.sdk.metrics.view import ExplicitBucketHistogramAggregation, View
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider

from libs.runtime.settings import ServerSettings, SettingsError
from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import Attributes, SpanKind, TraceContext, TraceSpan, ambient

SCOPE: Final = "parley"
CALL_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Seconds: from a unary hop (about 1 ms) to a turn with a slow language model."""
MODEL_BUCKETS: Final = tuple(0.01 * 2**n for n in range(14))
"""Seconds: 10 ms to 82 s, as OpenTelemetry's conventions for generative models want it."""
TOKEN_BUCKETS: Final = tuple(float(4**n) for n in range(14))
"""Tokens: 1 to 67 million, from the same conventions."""
HISTOGRAMS: Final = {
    names.SERVER_DURATION: ("s", CALL_BUCKETS),
    names.CLIENT_DURATION: ("s", CALL_BUCKETS),
    names.SERVER_FIRST_MESSAGE: ("s", CALL_BUCKETS),
    names.HTTP_SERVER_DURATION: ("s", CALL_BUCKETS),
    names.MODEL_DURATION: ("s", MODEL_BUCKETS),
    names.MODEL_FIRST_CHUNK: ("s", MODEL_BUCKETS),
    names.MODEL_TOKENS: ("{token}", TOKEN_BUCKETS),
}
"""Unit and bounds of the buckets."""
COUNTERS: Final = {names.TURNS: "{turn}", names.DEGRADATIONS: "{degradation}"}
UP_DOWN_COUNTERS: Final = {
    names.SERVER_IN_FLIGHT: "{call}",
    names.ADMISSION_WAITING: "{call}",
    names.HTTP_SERVER_IN_FLIGHT: "{request}",
}
"""Units."""

_KINDS: Final = {
    SpanKind.SERVER: trace.SpanKind.SERVER,
    SpanKind.CLIENT: trace.SpanKind.CLIENT,
    SpanKind.INTERNAL: trace.SpanKind.INTERNAL,
}


class OtelSpan:
    """A span of the SDK, which is ended at most once."""

    def __init__(self, span: trace.Span) -> None:
        self._span = span

    @property
    def context(self) -> TraceContext:
        own = self._span.get_span_context()
        return TraceContext(
            trace.format_trace_id(own.trace_id), trace.format_span_id(own.span_id), f"{own.trace_flags:02x}"
        )

    def set(self, attributes: Attributes) -> None:
        self._span.set_attributes(dict(attributes))

    def end(self, error: str | None = None) -> None:
        if not self._span.is_recording():
            return
        if error is not None:
            self._span.set_attribute(names.ERROR_TYPE, error)
            self._span.set_status(trace.StatusCode.ERROR)
        self._span.end()


class OtelTelemetry:
    """Owns the SDK's providers of one process (or of one server in a test); sets nothing globally.

    Args:
        closers: further resources to close with it, such as the HTTP server that Prometheus scrapes.
    """

    def __init__(
        self, resource: Resource, readers: list[MetricReader], processors: list[SpanProcessor], closers: ExitStack
    ) -> None:
        self._traces = TracerProvider(resource=resource, shutdown_on_exit=False)
        for processor in processors:
            self._traces.add_span_processor(processor)
        self._metrics = MeterProvider(readers, resource, shutdown_on_exit=False, views=_views())
        self._tracer = self._traces.get_tracer(SCOPE)
        self._closers = closers
        meter = self._metrics.get_meter(SCOPE)
        self._histograms = {name: meter.create_histogram(name, unit) for name, (unit, _) in HISTOGRAMS.items()}
        self._counters: dict[str, Counter | UpDownCounter] = {
            name: meter.create_counter(name, unit) for name, unit in COUNTERS.items()
        }
        self._counters |= {name: meter.create_up_down_counter(name, unit) for name, unit in UP_DOWN_COUNTERS.items()}

    def span(self, name: str, kind: SpanKind, parent: TraceContext | None, attributes: Attributes) -> TraceSpan:
        context = _otel_context(parent)
        return OtelSpan(self._tracer.start_span(name, context, kind=_KINDS[kind], attributes=dict(attributes)))

    def observe(self, histogram: str, value: float, attributes: Attributes) -> None:
        # The SDK takes the exemplar's trace from the context.
        self._histograms[histogram].record(value, dict(attributes), _otel_context(ambient().trace))

    def add(self, counter: str, by: int, attributes: Attributes) -> None:
        self._counters[counter].add(by, dict(attributes))

    def close(self) -> None:
        self._traces.shutdown()
        self._metrics.shutdown()
        self._closers.close()


def open_otel(settings: ServerSettings, name: str, version: str) -> OtelTelemetry:
    """Set up the telemetry of the settings: OTLP for spans and metrics, a Prometheus port, or both."""
    readers: list[MetricReader] = []
    processors: list[SpanProcessor] = []
    closers = ExitStack()
    if settings.otlp_endpoint:
        reader, processor = _otlp(settings.otlp_endpoint)
        readers.append(reader)
        processors.append(processor)
    if settings.prometheus_port:
        readers.append(_prometheus(settings.host, settings.prometheus_port, closers))
    resource = Resource.create({names.SERVICE_NAME: f"parley-{name}", names.SERVICE_VERSION: version})
    return OtelTelemetry(resource, readers, processors, closers)


def _views() -> list[View]:
    return [
        View(instrument_name=name, aggregation=ExplicitBucketHistogramAggregation(bounds))
        for name, (_, bounds) in HISTOGRAMS.items()
    ]


def _otlp(endpoint: str) -> tuple[MetricReader, SpanProcessor]:
    """Exporters that send every few seconds from the SDK's own threads; `http://` is plain text, `https://` TLS."""
    from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    plain = endpoint.startswith("http://")
    return (
        PeriodicExportingMetricReader(OTLPMetricExporter(endpoint, insecure=plain)),
        BatchSpanProcessor(OTLPSpanExporter(endpoint, insecure=plain)),
    )


def _prometheus(host: str, port: int, closers: ExitStack) -> MetricReader:
    from opentelemetry.exporter.prometheus import PrometheusMetricReader
    from prometheus_client import CollectorRegistry, start_http_server

    registry = CollectorRegistry()
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise SettingsError(f"PARLEY_SERVER_PROMETHEUS_PORT: can't listen on {host}:{port}: {error.strerror}") from None
    closers.callback(thread.join)
    closers.callback(server.server_close)
    closers.callback(server.shutdown)
    return PrometheusMetricReader(registry=registry)


def _otel_context(parent: TraceContext | None) -> Context:
    """The SDK's context for `parent`; an empty one, which starts a new trace, if `parent` is None."""
    if parent is None:
        return Context()
    remote = trace.SpanContext(
        int(parent.trace_id, 16), int(parent.span_id, 16), True, trace.TraceFlags(int(parent.flags, 16))
    )
    return trace.set_span_in_context(trace.NonRecordingSpan(remote), Context())
