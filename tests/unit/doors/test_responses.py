"""OpenAI's responses: a text, whole or streamed, in a conversation that the id of the response before continues."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import openai
import pytest

from parley.context.v1 import conversation_pb2
from tests.unit.doors.conftest import Doors

PATH = "/v1/responses"
UNUSED = "x-parley-unused"


async def post(doors: Doors, **fields: Any) -> httpx2.Response:
    doors.gateway.text = "On 25 May."
    return await doors.http.post(PATH, json={"input": "When then?", **fields})


def refusal(response: httpx2.Response) -> tuple[int, str]:
    """The status of an error, and the field that it names."""
    return response.status_code, response.json()["error"]["param"]


@pytest.fixture
async def client(doors: Doors) -> AsyncIterator[openai.AsyncOpenAI]:
    doors.gateway.text = "On 25 May."
    url = f"http://127.0.0.1:{doors.port}/v1"
    async with openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0) as opened:
        yield opened


class TestClient:
    async def test_a_question_is_answered(self, client: openai.AsyncOpenAI) -> None:
        response = await client.responses.create(model="parley", input="When then?", instructions="Be brief.")
        assert (response.output_text, response.status, response.model) == ("On 25 May.", "completed", "parley")
        assert response.usage is not None
        assert (response.usage.input_tokens, response.usage.output_tokens, response.usage.total_tokens) == (2, 3, 5)
        assert (response.model_extra or {})["parley"]["outcome"]

    async def test_a_stream_says_the_same_as_the_whole(self, client: openai.AsyncOpenAI) -> None:
        async with client.responses.stream(model="parley", input="When then?") as stream:
            events = [event async for event in stream]
            final = await stream.get_final_response()
        assert final.output_text == "On 25 May."
        assert "".join(event.delta for event in events if event.type == "response.output_text.delta") == "On 25 May."
        assert [event.sequence_number for event in events] == list(range(len(events)))

    async def test_a_failure_is_an_error_of_the_client(self, client: openai.AsyncOpenAI) -> None:
        with pytest.raises(openai.BadRequestError, match="previous_response_id"):
            await client.responses.create(model="parley", input="When?", previous_response_id="resp_other")


async def test_a_stream_s_events_are_named_in_their_order(doors: Doors) -> None:
    response = await post(doors, stream=True)
    lines = response.text.splitlines()
    names = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
    pieces = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]
    assert names == [each["type"] for each in pieces]
    assert names == [
        "response.created",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]


class TestConversations:
    async def test_the_id_of_the_response_before_continues_its_session(self, doors: Doors) -> None:
        first = (await post(doors)).json()
        session = doors.gateway.asked.session_id
        assert len(session) >= 32, "hard to guess"
        second = (await post(doors, previous_response_id=first["id"])).json()
        assert doors.gateway.asked.session_id == session
        assert len({first["id"], second["id"]}) == 2

    async def test_a_client_may_keep_the_conversation(self, doors: Doors) -> None:
        said = [
            {"role": "user", "content": [{"type": "input_text", "text": "Did it land?"}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yes."}]},
            {"role": "user", "content": "When then?"},
        ]
        response = await post(doors, input=said)
        assert (doors.gateway.asked.question, doors.gateway.asked.session_id) == ("When then?", "")
        speakers = [conversation_pb2.SPEAKER_USER, conversation_pb2.SPEAKER_AGENT]
        assert [each.speaker for each in doors.gateway.asked.history] == speakers
        again = await post(doors, previous_response_id=response.json()["id"])
        assert refusal(again) == (400, "previous_response_id"), "nothing of it was stored"

    async def test_nothing_is_stored_unless_wanted(self, doors: Doors) -> None:
        await post(doors, store=False)
        assert doors.gateway.asked.session_id == ""
        assert doors.gateway.asked.context


class TestFields:
    async def test_what_is_left_aside_is_named(self, doors: Doors) -> None:
        response = await post(doors, instructions="Be brief.", temperature=1, metadata=None, text=None)
        assert response.headers[UNUSED] == "instructions, temperature"

    @pytest.mark.parametrize(
        ("field", "fields"),
        [
            ("input", {"input": None}),
            ("input", {"input": []}),
            ("input.0", {"input": " "}),
            ("input.0.content.0", {"input": [{"role": "user", "content": [{"type": "input_image"}]}]}),
            ("text.format.type", {"text": {"format": {"type": "json_schema", "name": "s"}}}),
            ("tool_choice", {"tool_choice": "required"}),
        ],
    )
    async def test_what_cannot_be_done_is_refused_by_its_field(
        self, doors: Doors, field: str, fields: dict[str, Any]
    ) -> None:
        assert refusal(await post(doors, **fields)) == (400, field)

    async def test_another_model_is_unknown(self, doors: Doors) -> None:
        assert refusal(await post(doors, model="gpt-5")) == (404, "model")
