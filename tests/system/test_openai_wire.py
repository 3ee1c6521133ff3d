"""What may go wrong between the suite and an OpenAI-compatible endpoint, in whole turns: a table of what the endpoint
does, and what becomes of the turn. It always ends well, and says what it could not do."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from parley.context.v1 import usage_pb2
from tests.fakes.scripted_llm import ScriptedLlm
from tests.system.door import one
from tests.system.model_turns import Asker, Turn, asking_about

pytestmark = pytest.mark.xdist_group("openai wire")

PAGE = """# The lighthouse of Harrow Point

The lighthouse of Harrow Point was lit on 3 May 1871. The tower of the lighthouse stands 42 metres high.
"""
QUESTION = "When was the lighthouse of Harrow Point lit?"
LIT = "On 3 May 1871 the lighthouse of Harrow Point was lit"
TOWER = "Its tower stands 42 metres high"
TEXT = f"{LIT} [1]. {TOWER} [1]."
WHOLE, FIRST = f"{LIT}.[1] {TOWER}.[1]", f"{LIT}.[1]"
QUOTED = """\
**The lighthouse of Harrow Point** [1]

**The lighthouse of Harrow Point was lit on 3 May 1871.**[1]"""
SETTINGS = {
    "PARLEY_LLM_MODEL": "scripted-1",
    "PARLEY_LLM_TIMEOUT_SECONDS": "2",
    "PARLEY_LLM_MAX_OUTPUT_TOKENS": "200",
    "PARLEY_LLM_PRICES": '{"scripted-1": {"input": 1.0, "output": 2.0}}',
    "PARLEY_INTENT_ENGINE": "rules",
    "PARLEY_DECOMPOSE_ENGINE": "rules",
}
PROVIDER, ESTIMATED = usage_pb2.USAGE_SOURCE_PROVIDER, usage_pb2.USAGE_SOURCE_ESTIMATED


def chunk(text: str | None = None, finish: str | None = None, **more: object) -> str:
    choices = [{"index": 0, "delta": {} if text is None else {"content": text}, "finish_reason": finish}]
    return json.dumps({"id": "x", "object": "chat.completion.chunk", "choices": choices, **more})


def events(*data: str, end: str = "\n\n") -> str:
    return "".join(f"data: {each}{end}" for each in data)


def served(*bodies: str, kind: str = "text/event-stream") -> Callable[[ScriptedLlm], None]:
    def script(llm: ScriptedLlm) -> None:
        for body in bodies:
            llm.nonsense(body, content_type=kind)

    return script


def failing(*statuses: int, retry_after: float | None = None, then: str = "") -> Callable[[ScriptedLlm], None]:
    def script(llm: ScriptedLlm) -> None:
        for status in statuses:
            llm.fail(status, retry_after=retry_after)
        if then:
            llm.reply(then)

    return script


def cutting_off(times: int) -> Callable[[ScriptedLlm], None]:
    def script(llm: ScriptedLlm) -> None:
        for _ in range(times):
            llm.cut_off()

    return script


def message(content: object, **more: object) -> str:
    return json.dumps({"choices": [{"index": 0, "message": {"content": content}, "finish_reason": "stop"}], **more})


@dataclass(frozen=True)
class Row:
    """What the endpoint does, what the answer is, what is said, and whose token counts stand in the usage."""

    endpoint: Callable[[ScriptedLlm], None]
    text: str
    degraded: str | None = None
    usage: "usage_pb2.UsageSource.ValueType | None" = None


WIRE: dict[str, Row] = {
    # it works
    "streams": Row(lambda llm: llm.reply(TEXT), WHOLE, None, PROVIDER),
    "streams letter by letter": Row(lambda llm: llm.stream(TEXT), WHOLE, None, PROVIDER),
    "streams slowly": Row(
        lambda llm: llm.stream([f"{word} " for word in TEXT.split()], delay=0.03), WHOLE, None, PROVIDER
    ),
    "pauses and comments between lines": Row(
        served(": ping\r\n\r\n" + events(chunk(TEXT), chunk(finish="stop"), "[DONE]", end="\r\n\r\n")),
        WHOLE,
        None,
        ESTIMATED,
    ),
    "thinks aloud in a field of its own": Row(
        served(events(chunk(None, None), '{"choices": [{"delta": {"reasoning_content": "hm"}}]}', chunk(TEXT, "stop"))),
        WHOLE,
        None,
        ESTIMATED,
    ),
    "does not count tokens": Row(lambda llm: llm.reply(TEXT, usage=False), WHOLE, None, ESTIMATED),
    "answers whole instead of streaming": Row(served(message(TEXT), kind="application/json"), WHOLE, None, ESTIMATED),
    "fails once with 500": Row(failing(500, retry_after=0.01, then=TEXT), WHOLE, None, PROVIDER),
    "is overloaded for a moment": Row(failing(429, retry_after=0.05, then=TEXT), WHOLE, None, PROVIDER),
    # it stops early
    "is cut off after a sentence": Row(
        lambda llm: llm.cut_off([f"{LIT} ", "[1]. ", "Its tower "]), FIRST, "LLM_UNAVAILABLE", ESTIMATED
    ),
    "ends its stream without an end": Row(
        served(events(chunk(f"{LIT} [1]. Its tower"))), FIRST, "LLM_UNAVAILABLE", ESTIMATED
    ),
    "reports an error in the middle": Row(
        served(events(chunk(f"{LIT} [1]. Its "), '{"error": {"message": "secret", "code": 500}}')),
        FIRST,
        "LLM_UNAVAILABLE",
        ESTIMATED,
    ),
    "sends no JSON in the middle": Row(
        served(events(chunk(f"{LIT} [1]. Its "), "{not json")), FIRST, "LLM_UNUSABLE", ESTIMATED
    ),
    "dawdles": Row(
        lambda llm: llm.stream([f"{LIT} [1]. ", "Its ", *["slow "] * 50], delay=0.2), FIRST, "LLM_TOO_SLOW", ESTIMATED
    ),
    "comes to its bound on tokens": Row(
        lambda llm: llm.reply(f"{LIT} [1]. Its tower stands 42", finish="length"), FIRST, "BUDGET_EXHAUSTED", PROVIDER
    ),
    "does not keep to its bound on tokens": Row(
        lambda llm: llm.reply(f"{LIT} [1]. It goes " + "on and on " * 30_000), FIRST, "BUDGET_EXHAUSTED", ESTIMATED
    ),
    # it is of no use
    "is cut off at once": Row(cutting_off(2), QUOTED, "LLM_UNAVAILABLE"),
    "is silent": Row(lambda llm: llm.slow(30), QUOTED, "LLM_TOO_SLOW", ESTIMATED),
    "fails with 500": Row(failing(500, 500, retry_after=0.01), QUOTED, "LLM_UNAVAILABLE"),
    "wants us to wait for a minute": Row(failing(429, retry_after=60), QUOTED, "LLM_UNAVAILABLE"),
    "wants another key": Row(failing(401), QUOTED, "LLM_UNAVAILABLE"),
    "refuses the request": Row(failing(400), QUOTED, "LLM_UNUSABLE"),
    "is another server": Row(served("<html>Welcome</html>", kind="text/html"), QUOTED, "LLM_UNAVAILABLE"),
    "answers in a wrong form": Row(served('{"answer": 42}', kind="application/json"), QUOTED, "LLM_UNAVAILABLE"),
    "streams a wrong form": Row(served(events('{"choices": "none"}')), QUOTED, "LLM_UNUSABLE"),
    "streams lists for text": Row(
        served(events('{"choices": [{"delta": {"content": ["a"]}}]}')), QUOTED, "LLM_UNUSABLE"
    ),
    "streams numbers": Row(served(events("42")), QUOTED, "LLM_UNUSABLE"),
    "answers no JSON": Row(served("{not json", kind="application/json"), QUOTED, "LLM_UNUSABLE"),
    "answers nothing": Row(served(""), QUOTED, "LLM_UNAVAILABLE"),
    "streams nothing": Row(served(events("[DONE]")), QUOTED, "LLM_UNAVAILABLE"),
    "says nothing": Row(lambda llm: llm.reply(""), QUOTED, "LLM_UNUSABLE", PROVIDER),
    "says blanks": Row(lambda llm: llm.reply("  \n"), QUOTED, "LLM_UNUSABLE", PROVIDER),
    "wants to call a tool": Row(served(events(chunk(None, "tool_calls"), "[DONE]")), QUOTED, "LLM_UNUSABLE"),
    "filters its answer": Row(
        lambda llm: llm.reply("I can", finish="content_filter"), QUOTED, "LLM_UNUSABLE", PROVIDER
    ),
    "counts tokens in words": Row(
        served(events(chunk(TEXT, "stop", usage={"prompt_tokens": "many", "completion_tokens": "few"}), "[DONE]")),
        WHOLE,
        None,
        ESTIMATED,
    ),
}


@pytest.fixture(scope="module")
def asker(server: ScriptedLlm, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    folder = tmp_path_factory.mktemp("wire")
    settings = SETTINGS | {"PARLEY_LLM_BASE_URL": server.base_url}
    with asking_about(folder, {"lighthouse.md": PAGE}, settings, processes=2) as asker:
        yield asker


def ends_well(turn: Turn) -> bool:
    """Exactly one `completed`, last; references, numbered anew at most once, and text before the text that holds."""
    kinds = [event.WhichOneof("event") for event in turn.events]
    once = all(kinds.count(kind) == 1 for kind in ("text_end", "usage", "completed"))
    in_order = kinds.index("references") < kinds.index("text") < kinds.index("text_end") < kinds.index("completed")
    return (
        once
        and kinds.count("references") <= 2
        and in_order
        and kinds[-1] == "completed"
        and turn.outcome == "OUTCOME_ANSWERED"
        and bool(turn.text)
    )


@pytest.mark.parametrize("case", WIRE)
def test_when_the_endpoint(asker: Asker, llm: ScriptedLlm, case: str) -> None:
    row = WIRE[case]
    row.endpoint(llm)
    turn = asker.ask(QUESTION)
    assert ends_well(turn)
    assert turn.text == row.text
    assert turn.degraded == ([("ANSWER", row.degraded)] if row.degraded else [])
    writing = turn.usage.get("write")
    assert (writing.usage_source if writing else None) == row.usage
    assert writing is None or (writing.input_tokens > 0 and writing.cost_usd > 0)
    assert one(list(turn.events), "usage").usage.cost_usd == pytest.approx(writing.cost_usd if writing else 0.0)
    assert "secret" not in str(turn.events)
    assert "scripted failure" not in str(turn.events)
