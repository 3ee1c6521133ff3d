"""Chat completions as real clients send them: with nulls, begun answers, pictures, tools and instructions."""

from typing import Any

import httpx2
import pytest

from gateway.session.context_codec import context_encode
from parley.context.v1 import conversation_pb2, session_pb2
from tests.unit.doors.conftest import Doors

PATH = "/v1/chat/completions"
UNUSED = "x-parley-unused"
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def message(role: str, content: Any = "Hello there") -> dict[str, Any]:
    return {"role": role, "content": content}


async def post(doors: Doors, *messages: dict[str, Any], **fields: Any) -> httpx2.Response:
    return await doors.http.post(PATH, json={"messages": messages or (message("user"),), **fields})


def refusal(response: httpx2.Response) -> tuple[int, str]:
    """The status of an error, and the field that it names."""
    error = response.json()["error"]
    assert error["type"] == "invalid_request_error"
    assert error["message"]
    return response.status_code, error["param"]


class TestNulls:
    @pytest.mark.parametrize(
        "name", ["model", "stream", "stream_options", "n", "tools", "tool_choice", "response_format", "temperature"]
    )
    async def test_a_field_that_is_null_is_absent(self, doors: Doors, name: str) -> None:
        response = await post(doors, **{name: None})
        assert response.status_code == 200, response.text
        assert UNUSED not in response.headers

    async def test_so_is_one_within_a_field(self, doors: Doors) -> None:
        response = await post(doors, stream=True, stream_options={"include_usage": None})
        assert response.text.endswith("data: [DONE]\n\n")
        assert '"usage"' not in response.text

    async def test_a_part_without_a_text_says_nothing(self, doors: Doors) -> None:
        parts = [{"type": "text", "text": None}, {"type": None, "text": "Who?", "cache_control": None}]
        assert (await post(doors, message("user", parts))).status_code == 200
        assert doors.gateway.asked.question.strip() == "Who?"

    async def test_what_is_needed_must_be_there(self, doors: Doors) -> None:
        response = await doors.http.post(PATH, json={"messages": None})
        assert refusal(response) == (400, "messages")


class TestConversations:
    async def test_a_begun_answer_is_refused_by_its_place(self, doors: Doors) -> None:
        response = await post(doors, message("user"), message("assistant", "It was"))
        assert refusal(response) == (400, "messages.1")

    async def test_instructions_behind_the_question_do_not_hide_it(self, doors: Doors) -> None:
        response = await post(doors, message("assistant"), message("user", "Who?"), message("system", "Be brief."))
        assert response.status_code == 200
        assert doors.gateway.asked.question == "Who?"
        assert [each.speaker for each in doors.gateway.asked.history] == [conversation_pb2.SPEAKER_AGENT]

    async def test_instructions_alone_are_no_question(self, doors: Doors) -> None:
        assert refusal(await post(doors, message("system"))) == (400, "messages")

    @pytest.mark.parametrize("earlier", [False, True])
    async def test_a_picture_is_refused_by_its_place(self, doors: Doors, earlier: bool) -> None:
        shown = message("user", [{"type": "text", "text": "What is this?"}, PICTURE])
        messages = [message("system"), shown, *([message("assistant"), message("user")] if earlier else [])]
        assert refusal(await post(doors, *messages)) == (400, "messages.1.content.1")

    async def test_what_a_session_keeps_is_not_read_again(self, doors: Doors) -> None:
        messages = [message("user", [PICTURE]), message("assistant"), message("user", "Who?")]
        response = await doors.http.post(PATH, json={"messages": messages}, headers={"x-parley-session": "s"})
        assert response.status_code == 200
        assert not doors.gateway.asked.history


class TestWhatIsStored:
    async def test_without_a_session_even_a_first_question_leaves_nothing(self, doors: Doors) -> None:
        assert (await post(doors)).status_code == 200
        assert (doors.gateway.asked.session_id, list(doors.gateway.asked.history)) == ("", [])
        assert doors.gateway.asked.context == context_encode(session_pb2.SessionContext())

    async def test_a_session_is_the_suite_s(self, doors: Doors) -> None:
        body = {"messages": [message("user")]}
        response = await doors.http.post(PATH, json=body, headers={"x-parley-session": "s-1"})
        assert (doors.gateway.asked.session_id, doors.gateway.asked.context) == ("s-1", "")
        assert response.headers["x-parley-session"] == "s-1"


class TestUnused:
    async def test_what_is_left_aside_is_named(self, doors: Doors) -> None:
        response = await post(doors, message("system"), message("developer"), message("user"), temperature=0, stop=[])
        assert response.headers[UNUSED] == "system, developer, temperature"

    async def test_in_a_stream_too(self, doors: Doors) -> None:
        response = await post(doors, message("system"), message("user"), stream=True)
        assert response.headers[UNUSED] == "system"

    async def test_names_that_are_no_fields_are_not_repeated(self, doors: Doors) -> None:
        more: dict[str, Any] = {"a\r\nb": 1, "question": 1, **{f"x{'y' * number}": 1 for number in range(90)}}
        response = await post(doors, **more)
        names = response.headers[UNUSED].split(", ")
        assert names[:2] == ["question", "x"]
        assert len(names) == 20

    @pytest.mark.parametrize("choice", [{}, {"tool_choice": "auto"}, {"tool_choice": "none"}])
    async def test_tools_that_may_be_left_are(self, doors: Doors, choice: dict[str, str]) -> None:
        tools = [{"type": "function", "function": {"name": "f"}}]
        response = await post(doors, tools=tools, **choice)
        assert (response.status_code, response.headers[UNUSED]) == (200, "tools")

    @pytest.mark.parametrize(
        ("field", "fields"),
        [
            ("tool_choice", {"tool_choice": "required"}),
            ("tool_choice", {"tool_choice": {"type": "function", "function": {"name": "f"}}}),
            ("function_call", {"function_call": {"name": "f"}}),
            ("response_format.type", {"response_format": {"type": "json_object"}}),
            ("response_format.type", {"response_format": {"type": "json_schema", "json_schema": {"name": "s"}}}),
        ],
    )
    async def test_a_form_that_no_answer_has_is_refused(self, doors: Doors, field: str, fields: dict[str, Any]) -> None:
        assert refusal(await post(doors, **fields)) == (400, field)

    async def test_a_plain_text_may_be_asked_for(self, doors: Doors) -> None:
        response = await post(doors, response_format={"type": "text"}, tool_choice="auto")
        assert response.status_code == 200
        assert UNUSED not in response.headers
