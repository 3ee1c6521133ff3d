"""The chat model against a scripted server: what comes back, and what each failure becomes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from services.llm.client import open_chat_model
from services.llm.errors import LlmError, LlmTooSlow, LlmUnavailable, LlmUnusable
from services.llm.messages import ChatModel, Delta, Message
from services.llm.settings import LlmSettings
from services.runtime.deadline import limited
from services.vocabulary.usage import CostSource, Stage, UsageSource
from tests.fakes.scripted_llm import ScriptedLlm

QUESTION = [Message("system", "Answer briefly."), Message("user", "When did Apollo 11 land?")]


@pytest.fixture
async def llm() -> AsyncIterator[ScriptedLlm]:
    async with ScriptedLlm() as server:
        yield server


@asynccontextmanager
async def model_at(llm: ScriptedLlm, **settings: Any) -> AsyncIterator[ChatModel]:
    given = {"base_url": llm.base_url, "model": "small", "retries": 0, **settings}
    async with open_chat_model(LlmSettings(**given), Stage.ANSWER) as model:
        assert model is not None
        yield model


async def test_without_an_endpoint_there_is_no_model() -> None:
    async with open_chat_model(LlmSettings(), Stage.ANSWER) as model:
        assert model is None


async def test_an_answer_comes_with_the_provider_s_usage_and_its_cost(llm: ScriptedLlm) -> None:
    llm.reply("In July 1969.")
    async with model_at(llm, prices={"small": {"input": 2.0, "output": 10.0}}) as model:
        answer = await model.complete(QUESTION, task="write")
    assert answer.text == "In July 1969."
    assert not answer.truncated
    usage = answer.usage
    assert (usage.stage, usage.task, usage.model) == (Stage.ANSWER, "write", "small")
    assert (usage.input_tokens, usage.output_tokens, usage.usage_source) == (7, 3, UsageSource.PROVIDER)
    assert usage.cost_usd == pytest.approx((7 * 2 + 3 * 10) / 1e6)
    assert usage.cost_source is CostSource.PRICE_TABLE


async def test_usage_that_is_not_told_is_estimated_and_an_unlisted_price_is_unknown(llm: ScriptedLlm) -> None:
    llm.reply("In July 1969.", usage=False)
    async with model_at(llm) as model:
        usage = (await model.complete(QUESTION, task="write")).usage
    assert usage.usage_source is UsageSource.ESTIMATED
    assert (usage.output_tokens, usage.cost_usd, usage.cost_source) == (4, 0.0, CostSource.UNKNOWN)


async def test_the_request_carries_what_is_set_for_its_task(llm: ScriptedLlm) -> None:
    llm.answer_with(lambda request: "Yes.")
    settings = {"api_key": "secret", "tasks": {"judge": {"model": "strict", "temperature": 0.7}}}
    async with model_at(llm, **settings) as model:
        await model.complete(QUESTION, task="write", max_tokens=50)
        await model.complete(QUESTION, task="rewrite")
        await model.complete(QUESTION, task="judge")
    write, rewrite, judge = llm.requests
    assert write.path == "/v1/chat/completions"
    assert write.headers["authorization"] == "Bearer secret"
    assert write.prompt == "Answer briefly.\nWhen did Apollo 11 land?"
    assert (write.body["model"], write.body["temperature"], write.body["max_tokens"]) == ("small", 0.0, 50)
    assert (rewrite.body["temperature"], rewrite.body["max_tokens"]) == (0.3, 1024)
    assert (judge.body["model"], judge.body["temperature"]) == ("strict", 0.7)


async def test_a_key_goes_only_to_the_endpoint_it_was_given_for(llm: ScriptedLlm) -> None:
    async with ScriptedLlm() as other:
        other.reply("Yes.")
        async with model_at(llm, api_key="secret", tasks={"judge": {"base_url": other.base_url}}) as model:
            await model.complete(QUESTION, task="judge")
    assert "secret" not in other.requests[0].headers["authorization"]


async def test_a_key_goes_to_its_endpoint_whatever_netrc_says(
    llm: ScriptedLlm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login someone password else\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    llm.reply("Yes.")
    async with model_at(llm, api_key="secret") as model:
        await complete(model)
    assert llm.requests[0].headers["authorization"] == "Bearer secret"


async def test_requests_go_by_the_environment_s_proxy(llm: ScriptedLlm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", llm.base_url.replace("//", "//someone:else@").removesuffix("/v1"))
    monkeypatch.setenv("no_proxy", "model.direct")
    llm.reply("Yes.")
    async with model_at(llm, base_url="http://model.test/v1", api_key="secret") as model:
        await complete(model)
    request = llm.requests[0]
    assert (request.path, request.headers["host"]) == ("http://model.test/v1/chat/completions", "model.test")
    assert request.headers["proxy-authorization"] == "Basic c29tZW9uZTplbHNl"


async def test_a_proxy_learns_no_key(llm: ScriptedLlm, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 403 Forbidden\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as proxy:
        monkeypatch.setenv("no_proxy", "model.direct")
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}")
        async with model_at(llm, base_url="https://model.test/v1", api_key="secret") as model:
            with pytest.raises(LlmUnavailable):
                await complete(model)
    assert asked[0].startswith(b"CONNECT model.test:443")
    assert b"secret" not in asked[0]


async def test_a_stream_comes_in_pieces_and_ends_with_its_usage(llm: ScriptedLlm) -> None:
    llm.stream(["In ", "July ", "1969."])
    async with model_at(llm) as model, aclosing(model.stream(QUESTION, task="write")) as stream:
        deltas = [delta async for delta in stream]
    assert "".join(delta.text for delta in deltas) == "In July 1969."
    assert [delta.usage is None for delta in deltas[:-1]] == [True] * (len(deltas) - 1)
    assert deltas[-1].usage is not None
    assert (deltas[-1].usage.output_tokens, deltas[-1].usage.usage_source) == (3, UsageSource.PROVIDER)


async def test_pieces_that_came_together_are_one(llm: ScriptedLlm) -> None:
    events = [f'{{"choices":[{{"index":0,"delta":{{"content":"{text}"}}}}]}}' for text in ("In ", "July ", "1969.")]
    events += ['{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}', "[DONE]"]
    llm.nonsense("".join(f"data: {event}\r\n\r\n" for event in events), content_type="text/event-stream")
    async with model_at(llm) as model, aclosing(model.stream(QUESTION, task="write")) as stream:
        assert [delta.text async for delta in stream] == ["In July 1969.", ""]


async def test_a_stream_s_first_piece_does_not_wait_for_the_rest(llm: ScriptedLlm) -> None:
    llm.stream(["In ", "July."], delay=0.2)
    async with model_at(llm) as model, aclosing(model.stream(QUESTION, task="write")) as stream:
        assert (await anext(stream)).text == "In "
        assert llm.disconnects == 0
        assert [delta.text async for delta in stream] == ["July.", ""]


async def test_a_stream_without_usage_is_estimated(llm: ScriptedLlm) -> None:
    llm.stream(["In ", "July."], usage=False)
    async with model_at(llm) as model, aclosing(model.stream(QUESTION, task="write")) as stream:
        usage = [delta async for delta in stream][-1].usage
    assert usage is not None
    assert (usage.usage_source, usage.output_tokens) == (UsageSource.ESTIMATED, 2)


async def test_an_answer_that_hit_its_bound_is_said_to_be_truncated(llm: ScriptedLlm) -> None:
    llm.reply("In July", finish="length")
    llm.reply("In July", finish="length")
    async with model_at(llm) as model:
        assert (await model.complete(QUESTION, task="write")).truncated
        async with aclosing(model.stream(QUESTION, task="write")) as stream:
            assert [delta async for delta in stream][-1].truncated


async def complete(model: ChatModel) -> None:
    await model.complete(QUESTION, task="write")


async def stream(model: ChatModel) -> None:
    async with aclosing(model.stream(QUESTION, task="write")) as deltas:
        async for _ in deltas:
            pass


BOTH_WAYS = pytest.mark.parametrize("ask", [complete, stream])


@BOTH_WAYS
@pytest.mark.parametrize(
    ("status", "error"),
    [(500, LlmUnavailable), (503, LlmUnavailable), (429, LlmUnavailable), (401, LlmUnavailable), (400, LlmUnusable)],
)
async def test_an_http_error_has_its_type(llm: ScriptedLlm, ask: Any, status: int, error: type[LlmError]) -> None:
    llm.fail(status, retry_after=7)
    async with model_at(llm) as model:
        with pytest.raises(error, match=str(status)) as caught:
            await ask(model)
    assert "scripted" not in caught.value.message
    assert getattr(caught.value, "retry_after", None) == (7 if error is LlmUnavailable else None)


async def test_a_failed_request_is_repeated_as_often_as_set(llm: ScriptedLlm) -> None:
    llm.fail(500, retry_after=0.01)
    llm.reply("In July 1969.")
    async with model_at(llm, retries=1) as model:
        assert (await model.complete(QUESTION, task="write")).text == "In July 1969."
    assert len(llm.requests) == 2


@BOTH_WAYS
async def test_an_endpoint_that_is_down_is_unavailable(llm: ScriptedLlm, ask: Any) -> None:
    async with model_at(llm) as model:
        await llm.stop()
        with pytest.raises(LlmUnavailable, match="reached"):
            await ask(model)


@BOTH_WAYS
async def test_an_answer_that_is_cut_off_is_unavailable(llm: ScriptedLlm, ask: Any) -> None:
    llm.cut_off(["In "])
    async with model_at(llm) as model:
        with pytest.raises(LlmUnavailable):
            await ask(model)


async def test_a_stream_gives_what_came_before_it_was_cut_off(llm: ScriptedLlm) -> None:
    llm.cut_off(["In ", "July "])
    async with model_at(llm) as model, aclosing(model.stream(QUESTION, task="write")) as deltas:
        came = (await anext(deltas)).text
        while came != "In July ":
            came += (await anext(deltas)).text
        with pytest.raises(LlmUnavailable):
            await anext(deltas)


async def _read_on(deltas: AsyncIterator[Delta], came: list[str]) -> None:
    async for delta in deltas:
        came.append(delta.text)


async def test_what_came_before_it_was_cut_off_is_not_lost_on_a_reader_who_takes_its_time(llm: ScriptedLlm) -> None:
    llm.cut_off(["In ", "July ", "1965"])
    async with model_at(llm) as model, aclosing(model.stream(QUESTION, task="write")) as deltas:
        came = [(await anext(deltas)).text]
        await asyncio.sleep(0.2)  # by now the connection is gone
        with pytest.raises(LlmUnavailable):
            await _read_on(deltas, came)
    assert "".join(came) == "In July 1965"


async def test_a_stream_that_ends_before_it_is_finished_broke_off(llm: ScriptedLlm) -> None:
    event = '{"id":"x","object":"chat.completion.chunk","created":0,"model":"m","choices":'
    event += '[{"index":0,"delta":{"content":"In "},"finish_reason":null}]}'
    llm.nonsense(f"data: {event}\n\n", content_type="text/event-stream")
    async with model_at(llm) as model:
        with pytest.raises(LlmUnavailable, match="broke off"):
            await stream(model)


@BOTH_WAYS
async def test_silence_beyond_the_settings_is_too_slow(llm: ScriptedLlm, ask: Any) -> None:
    llm.slow(30)
    async with model_at(llm, timeout_seconds=0.1) as model:
        with pytest.raises(LlmTooSlow):
            await ask(model)


@BOTH_WAYS
async def test_silence_beyond_the_call_s_deadline_is_too_slow(llm: ScriptedLlm, ask: Any) -> None:
    llm.slow(30)
    async with model_at(llm) as model:
        with limited(0.1), pytest.raises(LlmTooSlow):
            await ask(model)


async def test_a_stream_that_dawdles_is_too_slow_as_a_whole(llm: ScriptedLlm) -> None:
    llm.stream(["word "] * 100, delay=0.02)
    async with model_at(llm, timeout_seconds=0.2) as model:
        with pytest.raises(LlmTooSlow):
            await stream(model)


@BOTH_WAYS
@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<html>Welcome</html>", "text/html"),
        ("{not json", "application/json"),
        ("[]", "application/json"),
        ('{"choices": []}', "application/json"),
        ('{"choices": [{}]}', "application/json"),
        ("data: {not json\n\n", "text/event-stream"),
        ('data: "words"\n\n', "text/event-stream"),
    ],
)
async def test_what_is_no_chat_completion_is_a_typed_failure(
    llm: ScriptedLlm, ask: Any, body: str, content_type: str
) -> None:
    llm.nonsense(body, content_type=content_type)
    async with model_at(llm) as model:
        with pytest.raises((LlmUnusable, LlmUnavailable)):
            await ask(model)


@BOTH_WAYS
@pytest.mark.parametrize(("text", "finish"), [("", "stop"), ("  \n", "stop"), ("In July", "content_filter")])
async def test_an_empty_or_filtered_answer_is_unusable(llm: ScriptedLlm, ask: Any, text: str, finish: str) -> None:
    llm.reply(text, finish=finish)
    async with model_at(llm) as model:
        with pytest.raises(LlmUnusable):
            await ask(model)


async def test_a_closed_stream_closes_the_connection(llm: ScriptedLlm) -> None:
    llm.stream(["word "] * 1000, delay=0.02)
    async with model_at(llm) as model:
        async with aclosing(model.stream(QUESTION, task="write")) as deltas:
            await anext(deltas)
        await asyncio.wait_for(llm.left.wait(), 5)
    assert llm.disconnects == 1


@BOTH_WAYS
async def test_a_cancelled_request_closes_the_connection(llm: ScriptedLlm, ask: Any) -> None:
    llm.slow(30)
    async with model_at(llm) as model:
        task = asyncio.create_task(ask(model))
        await llm.asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(llm.left.wait(), 5)
    assert llm.disconnects == 1


async def test_a_schema_is_asked_for_as_the_endpoint_understands_it(llm: ScriptedLlm) -> None:
    llm.answer_with(lambda request: "{}")
    schema = {"type": "object", "properties": {}}
    for way in ("json_schema", "json_object", "prompt"):
        async with model_at(llm, structured_output=way) as model:
            await model.complete(QUESTION, task="judge", schema=schema)
    assert llm.requests[0].schema == schema
    assert llm.requests[1].body["response_format"] == {"type": "json_object"}
    assert "response_format" not in llm.requests[2].body


async def test_a_task_without_an_endpoint_is_unavailable(llm: ScriptedLlm) -> None:
    async with model_at(llm, base_url=None, tasks={"judge": {"base_url": llm.base_url}}) as model:
        with pytest.raises(LlmUnavailable, match="configured"):
            await model.complete(QUESTION, task="write")
