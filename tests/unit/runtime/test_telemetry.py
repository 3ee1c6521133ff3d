import pytest

from libs.runtime.telemetry.telemetry import Silent, SpanKind, TraceContext

GOOD = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_a_traceparent_is_read_and_written_back() -> None:
    context = TraceContext.parse(GOOD)
    assert context is not None
    assert context.header() == GOOD


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "nonsense",
        GOOD.upper(),
        GOOD + "-more",
        GOOD.replace("00-", "01-", 1),
        "00-" + "0" * 32 + "-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-" + "0" * 16 + "-01",
    ],
)
def test_a_malformed_traceparent_starts_a_new_trace(header: str | None) -> None:
    assert TraceContext.parse(header) is None


def test_a_child_stays_in_the_trace_and_keeps_the_sampling() -> None:
    parent = TraceContext("a" * 32, "b" * 16, "00")
    child = Silent().span("work", SpanKind.INTERNAL, parent, {}).context
    assert (child.trace_id, child.flags) == (parent.trace_id, "00")
    assert child.span_id != parent.span_id
    assert TraceContext.parse(child.header()) == child
