"""The chat model against a scripted server: what is asked of it, and what comes back."""

import asyncio
from contextlib import aclosing

import pytest

from libs.contracts.usage import CostSource, Stage, UsageSource
from libs.llm.client import open_chat_model
from libs.llm.settings import LlmSettings
from tests.fakes.scripted_llm import ScriptedLlm
from tests.unit.llm.asking import QUESTION, complete, model_at


async def test_without_an_endpoint_there_is_no_model() -> None:
    async with open_chat_model(LlmSettings(), Stage.ANSWER) as model:
        assert model is None


async def test_an_answer_comes_with_the_provider_s_usage_and_its_cost(llm: ScriptedLlm) -> None:
    llm.reply("In July 1969.")
    async with model_at(llm, prices={"small": {"input": 2.0, "output": 10.0}}) as model:
        answer = await complete(model)
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
        usage = (await complete(model)).usage
    assert usage.usage_source is UsageSource.ESTIMATED
    assert (usage.output_tokens, usage.cost_usd, usage.cost_source) == (4, 0.0, CostSource.UNKNOWN)


async def test_the_request_carries_what_is_set_for_its_task(llm: ScriptedLlm) -> None:
    llm.answer_with(lambda request: "Yes.")
    settings = {"api_key": "secret", "tasks": {"judge": {"model": "strict", "temperature": 0.7}}}
    async with model_at(llm, **settings) as model:
        await complete(model, task="write", max_tokens=50)
        await complete(model, task="rewrite")
        await complete(model, task="judge")
    write, rewrite, judge = llm.requests
    assert write.path == "/v1/chat/completions"
    assert write.headers["authorization"] == "Bearer secret"
    assert write.prompt == "Answer briefly.\nWhen did Apollo 11 land?"
    assert (write.body["model"], write.body["temperature"], write.body["max_tokens"]) == ("small", 0.0, 50)
    assert (rewrite.body["temperature"], rewrite.body["max_tokens"]) == (0.3, 1024)
    assert (judge.body["model"], judge.body["temperature"]) == ("strict", 0.7)


async def test_a_stream_comes_in_pieces_and_ends_with_its_usage(llm: ScriptedLlm) -> None:
    llm.stream(["In ", "July ", "1969."])
    async with model_at(llm) as model, aclosing(model.stream(QUESTION, task="write")) as stream:
        deltas = [delta async for delta in stream]
    assert "".join(delta.text for delta in deltas) == "In July 1969."
    assert [delta.usage is None for delta in deltas[:-1]] == [True] * (len(deltas) - 1)
    assert deltas[-1].usage is not None
    assert (deltas[-1].usage.output_tokens, deltas[-1].usage.usage_source) == (3, UsageSource.PROVIDER)


async def test_a_stream_s_first_piece_does_not_wait_for_the_rest(llm: ScriptedLlm) -> None:
    llm.stream(["In ", "July."], delay=0.2)
    async with model_at(llm) as model, aclosing(model.stream(QUESTION, task="write")) as stream:
        assert (await anext(stream)).text == "In "
        assert llm.disconnects == 0
        assert [delta.text async for delta in stream] == ["July.", ""]


async def test_a_closed_stream_closes_the_connection(llm: ScriptedLlm) -> None:
    llm.stream(["word "] * 1000, delay=0.02)
    async with model_at(llm) as model:
        async with aclosing(model.stream(QUESTION, task="write")) as deltas:
            await anext(deltas)
        await asyncio.wait_for(llm.left.wait(), 5)
    assert llm.disconnects == 1


async def test_a_cancelled_request_closes_the_connection(llm: ScriptedLlm) -> None:
    llm.slow(30)
    async with model_at(llm) as model:
        task = asyncio.create_task(complete(model))
        await llm.asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(llm.left.wait(), 5)
    assert llm.disconnects == 1
