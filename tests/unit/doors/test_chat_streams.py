"""What chat completions tell beside the text: that a silent stream lives, how much was read, and what is not served."""

import asyncio
import json
from typing import Any

import pytest

from doors.openai_api.completions import annotations_of
from parley.client.answers import Answer
from parley.client.values import Passage, Reference
from tests.unit.doors.conftest import Doors

PATH = "/v1/chat/completions"


def asking(question: str, **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": question}], **more}


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doors.event_streams.SILENT_SECONDS", 0.1)


@pytest.mark.usefixtures("hasty")
class TestSilence:
    async def test_a_silent_stream_says_that_it_lives(self, doors: Doors) -> None:
        doors.gateway.text, doors.gateway.pause_seconds = "On 25 May.", 0.55
        response = await doors.http.post(PATH, json=asking("When?", stream=True))
        events = response.text.split("\n\n")
        silence = [number for number, each in enumerate(events) if each == ": keep-alive"]
        assert 3 <= len(silence) <= 5
        assert silence == list(range(1, 1 + len(silence))), "all come in the pause, after the first piece"
        assert "On 25 May." in events[silence[-1] + 1]
        assert events[-2:] == ["data: [DONE]", ""]

    async def test_a_client_that_leaves_in_the_silence_cancels_the_turn(self, doors: Doors) -> None:
        async with doors.http.stream("POST", PATH, json=asking("forever", stream=True)) as response:
            lines = response.aiter_lines()
            while await anext(lines) != ": keep-alive":
                pass
        async with asyncio.timeout(10):
            await doors.gateway.cancelled.wait()


async def test_a_stream_that_speaks_has_no_such_line(doors: Doors) -> None:
    doors.gateway.text = "On 25 May."
    response = await doors.http.post(PATH, json=asking("When?", stream=True))
    assert ": keep-alive" not in response.text


class TestUsage:
    @pytest.mark.parametrize("stream", [False, True])
    async def test_without_a_model_the_words_are_counted(self, doors: Doors, stream: bool) -> None:
        doors.gateway.text = "On 25 May."
        body: dict[str, Any] = {
            "messages": [
                {"role": "user", "content": "Did Phoenix land?"},
                {"role": "assistant", "content": "Yes."},
                {"role": "user", "content": "When then?"},
            ]
        }
        if stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        response = await doors.http.post(PATH, json=body)
        pieces = [json.loads(line[6:]) for line in response.text.splitlines() if line.startswith("data: {")]
        usage = (pieces[-1] if stream else response.json())["usage"]
        assert usage == {"prompt_tokens": 6, "completion_tokens": 3, "total_tokens": 9}


def test_the_address_of_a_document_without_one_is_a_url() -> None:
    passage = Passage(document_id="plans/a plan, 2.md", collection="house", passage_id="p", text="")
    answer = Answer("When?", references=(Reference(1, passage, 1.0),))
    (annotation,) = annotations_of(answer, "On 25 May.[1]")
    assert annotation["url_citation"]["url"] == "parley:house/plans/a%20plan%2C%202.md"


class TestUnknownPaths:
    @pytest.mark.parametrize(
        ("method", "path"),
        [("POST", "/v1/images/edits"), ("GET", "/v1/"), ("PUT", "/v1/audio/speech?x=1"), ("GET", PATH)],
    )
    async def test_what_is_not_served_says_so(self, doors: Doors, method: str, path: str) -> None:
        response = await doors.http.request(method, path)
        error = response.json()["error"]
        assert (response.status_code, error["type"], error["code"]) == (404, "invalid_request_error", "unknown_url")
        assert f"{method} {path.partition('?')[0]}" in error["message"]
        assert f"POST {PATH}" in error["message"]
