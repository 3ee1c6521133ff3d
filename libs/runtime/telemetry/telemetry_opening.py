"""Opens a process's telemetry: spans and metrics by OTLP, metrics for Prometheus."""

from contextlib import ExitStack
from typing import TYPE_CHECKING

from libs.runtime.settings import ServerSettings, SettingsError
from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import SCOPE, Telemetry

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics.export import MetricReader
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import SpanProcessor


def open_telemetry(settings: ServerSettings, name: str, version: str) -> Telemetry:
    """The telemetry of the settings; OpenTelemetry's SDK costs 20 MB and is imported only if an exporter is set.

    Raises:
        SettingsError: the port for Prometheus is in use.
        ModuleNotFoundError: the extra `telemetry` is not installed.
    """
    if not settings.otlp_endpoint and not settings.prometheus_port:
        return Telemetry()
    from opentelemetry.sdk import resources

    closers = ExitStack()
    readers, processors = _otlp(settings.otlp_endpoint) if settings.otlp_endpoint else ([], [])
    if settings.prometheus_port:
        readers.append(_prometheus(settings.host, settings.prometheus_port, closers))
    resource = resources.Resource.create({names.SERVICE_NAME: f"parley-{name}", names.SERVICE_VERSION: version})
    return recording(resource, readers, processors, closers)


def recording(
    resource: "Resource", readers: "list[MetricReader]", processors: "list[SpanProcessor]", closers: ExitStack
) -> Telemetry:
    """Telemetry that hands spans to the processors and metrics to the readers.

    Args:
        closers: further resources to close with it, such as the HTTP server that Prometheus scrapes.
    """
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.trace import TracerProvider

    traces = TracerProvider(resource=resource, shutdown_on_exit=False)
    for processor in processors:
        traces.add_span_processor(processor)
    meters = MeterProvider(readers, resource, shutdown_on_exit=False)
    closers.callback(meters.shutdown)
    closers.callback(traces.shutdown)
    return Telemetry(traces.get_tracer(SCOPE), meters.get_meter(SCOPE), closers.close)


def _otlp(endpoint: str) -> "tuple[list[MetricReader], list[SpanProcessor]]":
    """Exporters that send every few seconds from the SDK's own threads; `http://` is plain text, `https://` TLS."""
    from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    plain = endpoint.startswith("http://")
    reader = PeriodicExportingMetricReader(OTLPMetricExporter(endpoint, insecure=plain))
    return [reader], [BatchSpanProcessor(OTLPSpanExporter(endpoint, insecure=plain))]


def _prometheus(host: str, port: int, closers: ExitStack) -> "MetricReader":
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
