"""Opens what a process tells of itself: logs on standard error, spans and metrics by OTLP, metrics for Prometheus.

Logs are for people or JSON; each line has its call's request id and trace id.
"""

import logging
import sys
from collections.abc import MutableMapping
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, Final, TextIO

import structlog

from libs.runtime.settings import ServerSettings, SettingsError
from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import SCOPE, Telemetry

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics.export import MetricReader
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import SpanProcessor

HTTP_CLIENTS: Final = ("httpx", "httpx2", "httpcore", "httpcore2", "urllib3")
QUIET: Final = ("asyncio", "grpc", "mcp", "openai", "opentelemetry", *HTTP_CLIENTS)
"""Libraries whose messages below WARNING are dropped."""


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


def configure_logs(settings: ServerSettings, name: str) -> None:
    """Set up the logs of this process; those of libraries (stdlib logging) get the same format."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    shared_processors: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        lambda _logger, _method, event: {"process": name, **event},
    ]
    output: Any = _Unfailing(sys.stderr)
    rendering = _json() if settings.log_format == "json" else _console()
    foreign = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendering]
    structlog.configure(
        processors=[*shared_processors, *rendering],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(output),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(output)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared_processors, processors=foreign))
    logging.basicConfig(handlers=[handler], level=level, force=True)
    for library in QUIET:
        logging.getLogger(library).setLevel(max(level, logging.WARNING))
    logging.getLogger("grpc._common").setLevel(logging.CRITICAL)  # a message that it cannot decode is an error of ours


class _Unfailing:
    """A stream whose failures are ignored: a log on a full disk must not fail the calls that it tells of."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


def _json() -> list[Any]:
    # Without local variables: they may hold documents, prompts or keys.
    tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    return [structlog.processors.ExceptionRenderer(tracebacks), structlog.processors.JSONRenderer()]


def _console() -> list[Any]:
    plain = structlog.dev.plain_traceback
    return [_escaped, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)]


def _escaped(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Let no text of a caller steer the terminal that shows the log, or hide in it."""
    for key, value in event.items():
        if isinstance(value, str) and not value.isprintable():
            event[key] = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in value)
    return event
