"""What a server refuses is left out, found out once and remembered."""

from typing import Any

import pytest

from libs.contracts.usage import UsageSource
from libs.llm.capabilities import Capabilities
from libs.llm.errors import LlmUnavailable, LlmUnusable
from libs.llm.messages import ChatModel, Message
from tests.fakes.scripted_llm import ScriptedLlm
from tests.unit.llm.asking import QUESTION, complete, model_at

SCHEMA = {"type": "object", "properties": {}}
NO_SCHEMA = "'response_format.type' : value is not one of the allowed values ['text', 'json_object']"
NO_FORM = "This response_format type is unavailable now"
NO_USAGE = "Unrecognized request argument supplied: stream_options"
NO_SYSTEM = "System role not supported"
JINJA = """
------------
While executing CallExpression at line 1, column 69 in source:
...['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif...
                                           ^
Error: Jinja Exception: System role not supported"""
"""llama.cpp's, with HTTP 500, in later versions with 400."""
ROLES = "Error: Jinja Exception: Only user and assistant roles are supported!"
ALTERNATE = "Conversation roles must alternate user/assistant/user/assistant/..."
TOO_LONG = "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens."
FILTERED = "The response was filtered: code content_filter, response_format"
WANTED: dict[str, Any] = {
    "model": "small",
    "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "When?"}],
    "response_format": {"type": "json_schema", "json_schema": {"schema": SCHEMA}},
    "stream_options": {"include_usage": True},
}


async def judged(model: ChatModel, task: str = "judge") -> str:
    return (await complete(model, task=task, schema=SCHEMA)).text


def forms(llm: ScriptedLlm) -> list[str]:
    return [request.body.get("response_format", {}).get("type", "none") for request in llm.requests]


@pytest.mark.parametrize(
    ("roles", "expected_roles"),
    [
        ("su", "u:0+1"),
        ("us", "u:1+0"),
        ("sau", "u:0 a:1 u:2"),
        ("s", "u:0"),
        ("ssu", "u:0+1+2"),
        ("ua", "u:0 a:1"),
    ],
)
def test_the_system_s_text_goes_before_what_the_user_says_first(roles: str, expected_roles: str) -> None:
    names = {"s": "system", "u": "user", "a": "assistant"}
    messages = [{"role": names[role], "content": str(at)} for at, role in enumerate(roles)]
    messages_sent = Capabilities(system_role=False).applied({"messages": messages})["messages"]
    assert (
        " ".join(f"{each['role'][0]}:{each['content'].replace(chr(10) * 2, '+')}" for each in messages_sent)
        == expected_roles
    )


@pytest.mark.parametrize(
    ("complaint", "less"),
    [
        (NO_SCHEMA, Capabilities("json_object")),
        ("Extra inputs are not permitted: body.stream_options", Capabilities(stream_usage=False)),
        (NO_SYSTEM, Capabilities(system_role=False)),
        (JINJA, Capabilities(system_role=False)),
        (ALTERNATE, Capabilities(system_role=False)),
        ("Bad request", Capabilities("json_object")),
        (TOO_LONG, None),
        (FILTERED, None),
    ],
)
def test_a_complaint_takes_away_what_it_names(complaint: str, less: Capabilities | None) -> None:
    assert Capabilities().lessened(WANTED, 400, complaint) == less


@pytest.mark.parametrize("complaint", [NO_FORM, NO_USAGE, NO_SYSTEM, "Bad request"])
def test_there_is_an_end_to_what_can_be_taken_away(complaint: str) -> None:
    capabilities: Capabilities | None = Capabilities()
    for _ in range(5):
        capabilities = capabilities.lessened(WANTED, 400, complaint) if capabilities else None
    assert capabilities is None


async def test_a_form_that_is_refused_is_tried_in_a_lesser_way_and_that_is_remembered(llm: ScriptedLlm) -> None:
    llm.fail(400, message=NO_SCHEMA)
    llm.answer_with(lambda request: "{}")
    async with model_at(llm) as model:
        assert [await judged(model), await judged(model)] == ["{}", "{}"]
    assert forms(llm) == ["json_schema", "json_object", "json_object"]


async def test_in_the_end_the_prompt_alone_holds_it_to_the_form(llm: ScriptedLlm) -> None:
    for _ in range(2):
        llm.fail(422, message=NO_FORM)
    llm.answer_with(lambda request: "{}")
    async with model_at(llm) as model:
        assert [await judged(model), await judged(model)] == ["{}", "{}"]
    assert forms(llm) == ["json_schema", "json_object", "none", "none"]


async def test_each_model_is_found_out_by_itself(llm: ScriptedLlm) -> None:
    llm.fail(400, message=NO_SCHEMA)
    llm.answer_with(lambda request: "{}")
    async with model_at(llm, tasks={"judge": {"model": "strict"}}) as model:
        await judged(model)
        await judged(model, "condense")
        await judged(model)
    assert forms(llm) == ["json_schema", "json_object", "json_schema", "json_object"]


async def test_a_form_that_is_set_is_not_left(llm: ScriptedLlm) -> None:
    for _ in range(2):
        llm.fail(400, message=NO_SCHEMA)
    async with model_at(llm, structured_output="json_schema") as model:
        with pytest.raises(LlmUnusable):
            await judged(model)
    assert forms(llm) == ["json_schema", "json_schema"]
    assert "stream_options" not in llm.requests[1].body


async def test_a_stream_without_a_count_of_tokens_is_estimated_from_then_on(llm: ScriptedLlm) -> None:
    llm.fail(400, message=NO_USAGE)
    llm.answer_with(lambda request: "In July.")
    async with model_at(llm) as model:
        for _ in range(2):
            usage = [delta async for delta in model.stream(QUESTION, task="write")][-1].usage
            assert usage is not None
            assert usage.usage_source is UsageSource.ESTIMATED
    assert ["stream_options" in request.body for request in llm.requests] == [True, False, False]


@pytest.mark.parametrize("complaint", [JINJA, ROLES, ALTERNATE])
async def test_a_system_message_that_a_template_fails_on_is_said_by_the_user(llm: ScriptedLlm, complaint: str) -> None:
    llm.fail(500, message=complaint)
    llm.answer_with(lambda request: "In July.")
    async with model_at(llm, retries=3) as model:  # that can only fail again, and is not repeated
        await complete(model)
        await complete(model)
    assert [[message["role"] for message in request.messages] for request in llm.requests] == [
        ["system", "user"],
        ["user"],
        ["user"],
    ]


async def test_a_template_that_fails_on_a_user_message_too_is_unavailable_unlearnt(llm: ScriptedLlm) -> None:
    for _ in range(2):
        llm.fail(500, message=JINJA)
    llm.answer_with(lambda request: "In July.")
    async with model_at(llm, retries=3) as model:
        with pytest.raises(LlmUnavailable) as error:
            await complete(model)
        await complete(model)
    assert [len(request.messages) for request in llm.requests] == [2, 1, 2]
    assert "Jinja" not in error.value.message


@pytest.mark.parametrize(
    ("status", "complaint", "is_so"),
    [
        (500, JINJA, True),
        (503, "litellm.ServiceUnavailableError: System messages are not supported", True),
        (500, "This model does not support system prompts", True),
        (500, "The system is overloaded", False),
        (500, "System message queue: connection refused", False),
        (500, "not authorized to assume role", False),
        (500, "CUDA out of memory", False),
    ],
)
def test_a_failure_is_of_a_template_by_what_it_says(status: int, complaint: str, is_so: bool) -> None:
    assert (Capabilities().lessened(WANTED, status, complaint) is not None) == is_so


async def test_several_things_may_be_found_out_by_one_request(llm: ScriptedLlm) -> None:
    llm.fail(400, message=NO_SYSTEM)
    llm.fail(400, message=NO_USAGE)
    llm.answer_with(lambda request: "In July.")
    async with model_at(llm) as model:
        await complete(model)
    assert [message["role"] for message in llm.requests[2].messages] == ["user"]
    assert "stream_options" not in llm.requests[2].body


@pytest.mark.parametrize("message", [TOO_LONG, FILTERED])
async def test_what_is_refused_in_any_form_is_not_tried_again(llm: ScriptedLlm, message: str) -> None:
    llm.fail(400, message=message)
    async with model_at(llm) as model:
        with pytest.raises(LlmUnusable) as error:
            await judged(model)
    assert len(llm.requests) == 1
    assert message not in error.value.message


async def test_a_request_that_is_refused_in_all_forms_is_unusable_and_nothing_is_learnt(llm: ScriptedLlm) -> None:
    for _ in range(4):
        llm.fail(400, message="Bad request")
    async with model_at(llm) as model:
        with pytest.raises(LlmUnusable):
            await judged(model)
        llm.answer_with(lambda request: "{}")
        await judged(model)
    assert forms(llm) == ["json_schema", "json_object", "none", "none", "json_schema"]


@pytest.mark.parametrize("complaint", [NO_SCHEMA, JINJA])
async def test_what_is_no_refusal_teaches_nothing(llm: ScriptedLlm, complaint: str) -> None:
    llm.fail(500, message=complaint)
    async with model_at(llm) as model:
        with pytest.raises(LlmUnavailable):
            await complete(model, [Message("user", "When?")], task="judge", schema=SCHEMA)
    assert len(llm.requests) == 1
