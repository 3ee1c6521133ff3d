"""Chooses a process's telemetry."""

from libs.runtime.settings import ServerSettings
from libs.runtime.telemetry.telemetry import Silent, Telemetry


def open_telemetry(settings: ServerSettings, name: str, version: str) -> Telemetry:
    """The telemetry of the settings; OpenTelemetry costs 20 MB and is imported only if configured."""
    if not settings.otlp_endpoint and not settings.prometheus_port:
        return Silent()
    from libs.runtime.telemetry.telemetry_otel import open_otel

    return open_otel(settings, name, version)
