import sys
from io import StringIO

import pytest
import structlog

from libs.runtime.settings import ServerSettings
from libs.runtime.telemetry.telemetry import Telemetry, read_trace, trace_headers
from libs.runtime.telemetry.telemetry_opening import configure_logs

GOOD = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_without_a_readable_traceparent_a_new_trace_starts() -> None:
    assert read_trace({"traceparent": "nonsense"}) == {}
    span = Telemetry().tracer.start_span("work", read_trace({}))
    assert span.get_span_context().is_valid


@pytest.mark.parametrize("flags", ["00", "01"])
def test_what_is_not_recorded_stays_in_the_trace_and_keeps_the_sampling(flags: str) -> None:
    parent = read_trace({"traceparent": f"{GOOD[:-2]}{flags}"})
    child = Telemetry().tracer.start_span("work", parent)
    _, trace_id, span_id, child_flags = trace_headers(child)["traceparent"].split("-")
    assert (trace_id, child_flags) == (GOOD.split("-")[1], flags)
    assert span_id != GOOD.split("-")[2]


@pytest.mark.parametrize("steering", ["\x1b[2J", "\x9b31m", "\u202e", "\r\n2026-01-01T00:00:00Z [info] forged"])
def test_no_text_of_a_caller_steers_the_terminal_that_shows_the_log(
    monkeypatch: pytest.MonkeyPatch, steering: str
) -> None:
    log = StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    configure_logs(ServerSettings(), "gateway")
    try:
        structlog.get_logger().info("audit", document_id=f"Grüße{steering}")
    finally:
        structlog.reset_defaults()
    (line,) = log.getvalue().splitlines()
    assert line.isprintable()
    assert "Grüße" in line
