"""What a request to a language model leaves in traces and metrics."""

from collections.abc import Iterator
from contextlib import aclosing

import pytest

from libs.llm.errors import LlmError
from libs.runtime.telemetry.telemetry import Ambient, entered, read_trace
from tests.fakes.scripted_llm import ScriptedLlm
from tests.fakes.telemetry import Recorded
from tests.unit.llm.asking import QUESTION, complete, model_at

TRACE_ID, SPAN_ID = "a" * 32, "b" * 16
TRACE = read_trace({"traceparent": f"00-{TRACE_ID}-{SPAN_ID}-01"})
SPAN = "chat small"
SCHEMA = {"type": "object"}


@pytest.fixture
def recorded() -> Iterator[Recorded]:
    """What is recorded in the trace of a call."""
    recorded = Recorded()
    with entered(Ambient(recorded.telemetry, TRACE)):
        yield recorded
    recorded.telemetry.close()


async def test_a_request_is_a_span_with_conventional_names(llm: ScriptedLlm, recorded: Recorded) -> None:
    llm.reply("In July 1969.")
    async with model_at(llm) as model:
        await complete(model)
    (span,) = recorded.spans(SPAN)
    assert (f"{span.context.trace_id:032x}", f"{span.parent.span_id:016x}") == (TRACE_ID, SPAN_ID)
    assert span.kind.name == "CLIENT"
    named = {name: value for name, value in span.attributes.items() if name.startswith(("gen_ai.", "parley."))}
    assert named == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "small",
        "gen_ai.request.max_tokens": 1024,
        "gen_ai.request.temperature": 0.0,
        "gen_ai.output.type": "text",
        "gen_ai.response.finish_reasons": ("stop",),
        "gen_ai.usage.input_tokens": 7,
        "gen_ai.usage.output_tokens": 3,
        "parley.task": "write",
    }
    assert span.attributes["server.address"] == "127.0.0.1"
    (request,) = llm.requests
    assert request.headers["traceparent"] == f"00-{TRACE_ID}-{span.context.span_id:016x}-01"


async def test_duration_first_piece_and_tokens_are_measured_and_traced(llm: ScriptedLlm, recorded: Recorded) -> None:
    llm.reply("In July 1969.")
    async with model_at(llm) as model:
        await complete(model)
    (duration,) = recorded.points("gen_ai.client.operation.duration")
    (first_chunk,) = recorded.points("gen_ai.client.operation.time_to_first_chunk")
    tokens = {
        point.attributes["gen_ai.token.type"]: point.sum for point in recorded.points("gen_ai.client.token.usage")
    }
    assert duration.count == first_chunk.count == 1
    assert first_chunk.sum <= duration.sum
    assert "error.type" not in duration.attributes
    assert tokens == {"input": 7, "output": 3}
    assert [f"{each.trace_id:032x}" for each in duration.exemplars] == [TRACE_ID]


async def test_tokens_that_the_endpoint_does_not_count_are_not_measured(llm: ScriptedLlm, recorded: Recorded) -> None:
    llm.reply("In July 1969.", usage=False)
    async with model_at(llm) as model:
        await complete(model)
    assert recorded.points("gen_ai.client.token.usage") == []
    assert recorded.points("gen_ai.client.operation.duration") != []


async def test_a_failed_request_has_its_reason(llm: ScriptedLlm, recorded: Recorded) -> None:
    async with model_at(llm) as model:
        with pytest.raises(LlmError) as error:
            await complete(model)
    (span,) = recorded.spans(SPAN)
    (duration,) = recorded.points("gen_ai.client.operation.duration")
    assert span.attributes["error.type"] == duration.attributes["error.type"] == error.value.reason
    assert span.status.status_code.name == "ERROR"


async def test_a_closed_stream_is_cancelled_and_its_answer_no_attribute(llm: ScriptedLlm, recorded: Recorded) -> None:
    llm.stream(["In ", "July ", "1969."], delay=0.05)
    async with model_at(llm) as model, aclosing(model.stream(QUESTION, task="write")) as deltas:
        async for _ in deltas:
            break
    (span,) = recorded.spans(SPAN)
    assert span.attributes["error.type"] == "CANCELLED"
    assert "July" not in str(dict(span.attributes))
    assert "Apollo" not in str(dict(span.attributes))


async def test_a_form_is_json(llm: ScriptedLlm, recorded: Recorded) -> None:
    llm.reply("{}")
    async with model_at(llm) as model:
        await complete(model, task="judge", schema=SCHEMA)
    (span,) = recorded.spans(SPAN)
    assert span.attributes["gen_ai.output.type"] == "json"
