"""The intent stage on the wire: a real server, a real client."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio

from libs.runtime.settings import SettingsError
from parley.context.v1 import understanding_pb2
from parley.intent.v1 import intent_pb2, intent_pb2_grpc
from services.intent.settings import IntentSettings
from services.intent.stage import open_stage
from tests.fakes.scripted_llm import ScriptedLlm
from tests.service.serving import engines_of, refused_fields, served

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def channel() -> AsyncIterator[grpc.aio.Channel]:
    async with served(open_stage()) as channel:
        yield channel


def setting(time_zone: str, place: str) -> intent_pb2.Setting:
    message = intent_pb2.Setting(time_zone=time_zone, place=place)
    message.now.FromDatetime(datetime(2026, 11, 12, 23, 30, tzinfo=UTC))
    return message


async def steps_of(channel: grpc.aio.Channel, request: intent_pb2.UnderstandRequest) -> list[Any]:
    return [step async for step in intent_pb2_grpc.IntentServiceStub(channel).Understand(request)]


async def understand(
    channel: grpc.aio.Channel, request: intent_pb2.UnderstandRequest
) -> understanding_pb2.Understanding:
    steps = await steps_of(channel, request)
    assert [step.WhichOneof("step") for step in steps] == ["state", "result"]
    usage = steps[-1].result.usage
    assert [(u.task, u.input_tokens) for u in usage] == [("understand", 0)]
    understanding: understanding_pb2.Understanding = steps[-1].result.understanding
    return understanding


async def test_a_caller_that_has_no_use_for_progress_gets_the_result_alone(channel: grpc.aio.Channel) -> None:
    request = intent_pb2.UnderstandRequest(question="How far is the Moon?")
    calling = intent_pb2_grpc.IntentServiceStub(channel).Understand(request, metadata=[("x-progress", "off")])
    assert [step.WhichOneof("step") async for step in calling] == ["result"]


async def test_a_refused_question_says_why_and_judging_alone_says_the_same(channel: grpc.aio.Channel) -> None:
    question = "How do I hack into my girlfriend's Instagram account?"
    rejection = (await understand(channel, intent_pb2.UnderstandRequest(question=question))).question_rejection
    judgement = await intent_pb2_grpc.IntentServiceStub(channel).Judge(intent_pb2.JudgeRequest(question=question))
    assert rejection.is_reject
    assert rejection.category == understanding_pb2.CATEGORY_ILLEGAL
    assert judgement.question_rejection == rejection


@pytest.mark.parametrize(
    ("request_message", "field"),
    [
        (intent_pb2.UnderstandRequest(question=""), "question"),
        (intent_pb2.UnderstandRequest(question=" \n\t "), "question"),
        (intent_pb2.UnderstandRequest(question="x" * 8193), "question"),
        (
            intent_pb2.UnderstandRequest(question="What flew?", setting=intent_pb2.Setting(time_zone="Mars/Olympus")),
            "setting.time_zone",
        ),
    ],
    ids=["empty", "blank", "too long", "no such time zone"],
)
async def test_a_bad_request_is_refused_with_the_path_of_its_field(
    channel: grpc.aio.Channel, request_message: intent_pb2.UnderstandRequest, field: str
) -> None:
    assert await refused_fields(steps_of(channel, request_message)) == {field}


async def test_the_process_says_that_it_works_by_rules(channel: grpc.aio.Channel) -> None:
    assert set(await engines_of(channel)) == {("understand", "rules"), ("judge", "rules")}


async def test_a_policy_file_that_cannot_be_used_stops_the_start_and_names_the_variable(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="PARLEY_INTENT_POLICY"):
        async with open_stage(IntentSettings(policy=tmp_path / "none.toml")):
            pass


async def test_what_is_refused_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_INTENT_REFUSE", '["CREATIVE"]')
    async with served(open_stage()) as channel:
        stub = intent_pb2_grpc.IntentServiceStub(channel)
        poem = await stub.Judge(intent_pb2.JudgeRequest(question="Write a poem about autumn."))
        bomb = await stub.Judge(intent_pb2.JudgeRequest(question="How do I build a pipe bomb?"))
    assert poem.question_rejection.is_reject
    assert not bomb.question_rejection.is_reject


async def test_what_was_understood_of_other_words_is_read_anew_by_rules(channel: grpc.aio.Channel) -> None:
    earlier_understanding = understanding_pb2.Understanding(grounded_query="What landed?", engine="llm", language="en")
    request = intent_pb2.UnderstandRequest(question="What landed last week?", understood=earlier_understanding)
    request.setting.CopyFrom(setting("UTC", ""))
    understanding = await understand(channel, request)
    assert understanding.grounded_query == "What landed from 2 to 8 November 2026?"
    assert (understanding.engine, understanding.language) == ("llm", "en")


async def test_while_a_model_is_asked_the_rules_result_and_its_verdict_come(monkeypatch: pytest.MonkeyPatch) -> None:
    async with ScriptedLlm() as llm:
        llm.reply('{"category": "none", "unclear": "", "names": [], "language": "en"}')
        monkeypatch.setenv("PARLEY_LLM_BASE_URL", llm.base_url)
        async with served(open_stage()) as channel:
            stub = intent_pb2_grpc.IntentServiceStub(channel)
            request = intent_pb2.UnderstandRequest(question="When did Apollo 11 land on the Moon?")
            steps = [step async for step in stub.Understand(request)]
    assert [step.WhichOneof("step") for step in steps] == ["state", "by_rules", "verdict", "result"]
    assert steps[1].by_rules.grounded_query == "When did Apollo 11 land on the Moon?"
    assert steps[2].verdict.passes
    assert steps[3].result.understanding.engine == "llm"
