"""Telemetry whose spans and metrics a test can look at."""

from contextlib import ExitStack
from typing import Any

from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from libs.runtime.telemetry.telemetry_opening import recording


class Recorded:
    """OpenTelemetry's SDK, which keeps everything in memory."""

    def __init__(self) -> None:
        self._spans, self._reader = InMemorySpanExporter(), InMemoryMetricReader()
        self.telemetry = recording(Resource.create(), [self._reader], [SimpleSpanProcessor(self._spans)], ExitStack())

    def spans(self, name: str) -> list[Any]:
        """The spans with a name that have ended."""
        return [span for span in self._spans.get_finished_spans() if span.name == name]

    def points(self, name: str) -> list[Any]:
        """The data points of a metric."""
        data = self._reader.get_metrics_data()
        scopes = [scope for resource in data.resource_metrics for scope in resource.scope_metrics] if data else []
        metrics = [metric for scope in scopes for metric in scope.metrics if metric.name == name]
        return [point for metric in metrics for point in metric.data.data_points]
