"""Turns as server-sent events, over HTTP from a gateway that is played."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from google.protobuf.json_format import ParseDict

from libs.runtime.calling.channel import open_channel
from libs.runtime.errors import NotFound, Overloaded
from parley.context.v1 import answer_pb2, session_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc
from tests.fakes.running_server import running
from tests.unit.doors.conftest import Doors, serving

PATH = "/v1/turns"
LARGE = "x" * 16_000
"""Nearly the largest piece of a text."""
Events = list[dict[str, str]]


def turn_events(text: str) -> list[event_pb2.Event]:
    parts: list[dict[str, Any]] = [
        {"state": event_pb2.StateEvent(activity="reading")},
        {"references": event_pb2.ReferencesEvent()},
        {"text": answer_pb2.TextDelta(paragraph=1, sentence=1, delta=text)},
        {"image": answer_pb2.PlacedImage(paragraph=1)},
        {"text_end": event_pb2.TextEndEvent(text=text)},
        {"recommendation": event_pb2.RecommendationEvent()},
        {"timeline": {}},
        {"completed": event_pb2.CompletedEvent(outcome=session_pb2.OUTCOME_ANSWERED)},
    ]
    return [event_pb2.Event(turn_id="q-1", seq=seq, **part) for seq, part in enumerate(parts, start=1)]


class TurnGateway(gateway_pb2_grpc.GatewayServiceServicer):
    """Answers each question with the question; some questions have a turn of their own."""

    def __init__(self) -> None:
        self.asked = gateway_pb2.AskRequest()
        self.metadata: dict[str, str] = {}
        self.ended = asyncio.Event()

    async def Ask(self, request: gateway_pb2.AskRequest, context: Any) -> AsyncIterator[gateway_pb2.AskResponse]:
        self.asked, self.metadata = request, dict(context.invocation_metadata())
        if request.question == "too much":
            raise Overloaded(1.5)
        try:
            for event in turn_events(request.question):
                yield gateway_pb2.AskResponse(event=event)
                if request.question == "breaks" and event.HasField("text"):
                    raise Overloaded(1.5)
                if request.question == "silence" and event.HasField("text"):
                    await asyncio.sleep(60)
                while request.question == "endless":
                    yield gateway_pb2.AskResponse(event=turn_events(LARGE)[2])
        finally:
            self.ended.set()

    async def Resume(
        self, request: gateway_pb2.ResumeRequest, context: Any
    ) -> AsyncIterator[gateway_pb2.ResumeResponse]:
        if request.turn_id != "q-1":
            raise NotFound("turn", request.turn_id)
        for event in turn_events("again")[request.after_seq :]:
            yield gateway_pb2.ResumeResponse(event=event)

    async def Cancel(self, request: gateway_pb2.CancelRequest, context: Any) -> gateway_pb2.CancelResponse:
        return gateway_pb2.CancelResponse(state=gateway_pb2.TURN_STATE_CANCELLED)


@asynccontextmanager
async def turns(**settings: Any) -> AsyncIterator[tuple[TurnGateway, httpx2.AsyncClient, int]]:
    gateway = TurnGateway()  # type: ignore[abstract]
    async with (
        running(gateway) as server,
        open_channel(server.target) as channel,
        serving(channel, **settings) as port,
        Doors.client(port) as http,
    ):
        yield gateway, http, port


def events_of(text: str) -> Events:
    """The fields of each event; comments are left out."""
    blocks = [block for block in text.split("\n\n") if block and not block.startswith(":")]
    return [dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks]


def names(events: Events) -> list[str]:
    return [event["event"] for event in events]


async def test_a_turn_is_told_by_its_events() -> None:
    async with turns() as (gateway, http, _):
        response = await http.post(PATH, json={"question": "When?", "options": {"collection": "notes"}})
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["cache-control"] == "no-cache"
    assert (gateway.asked.question, gateway.asked.options.collection) == ("When?", "notes")
    events = events_of(response.text)
    assert names(events) == [
        *("state", "ref_answer", "text", "image", "text_end", "recommendation", "timeline", "completed")
    ]
    assert [event["id"] for event in events] == [f"q-1/{seq}" for seq in range(1, 9)]
    contents = [json.loads(event["data"]) for event in events]
    assert contents[1]["references"]["references"] == [], "lists are there when they are empty"
    assert [ParseDict(content, event_pb2.Event()) for content in contents] == turn_events("When?")


@pytest.mark.parametrize(
    ("options", "is_resumable"),
    [
        ({}, True),
        ({"options": None}, True),
        ({"options": {}}, True),
        ({"options": {"pro": True, "resumable": None}}, True),
        ({"options": {"resumable": True}}, True),
        ({"options": {"resumable": False}}, False),
    ],
)
async def test_a_turn_can_be_resumed_unless_its_request_says_otherwise(options: Any, is_resumable: bool) -> None:
    async with turns() as (gateway, http, _):
        assert (await http.post(PATH, json={"question": "When?", **options})).status_code == 200
    assert gateway.asked.options.resumable is is_resumable


class TestGoingOn:
    async def test_a_turn_is_followed_from_its_beginning(self) -> None:
        async with turns() as (_, http, _):
            events = events_of((await http.get(f"{PATH}/q-1")).text)
        assert [event["id"] for event in events] == [f"q-1/{seq}" for seq in range(1, 9)]

    @pytest.mark.parametrize("method", ["GET", "POST"])
    async def test_it_goes_on_behind_the_last_event(self, method: str) -> None:
        """As a browser asks again, and as readers over `fetch` do, which repeat their request."""
        async with turns() as (gateway, http, _):
            path, body = (f"{PATH}/q-1", None) if method == "GET" else (PATH, {"question": "When?"})
            response = await http.request(method, path, json=body, headers={"last-event-id": "q-1/6"})
        assert names(events_of(response.text)) == ["timeline", "completed"]
        assert not gateway.asked.question, "nothing is asked anew"

    async def test_a_browser_that_has_everything_is_told_not_to_ask_again(self) -> None:
        async with turns() as (_, http, _):
            response = await http.get(f"{PATH}/q-1", headers={"last-event-id": "q-1/8"})
        assert (response.status_code, response.content) == (204, b"")

    @pytest.mark.parametrize("event_id", ["7", "/7", "q-1/", "q-1/x", "q-1/-1", "q-1/99999999999", "q-1/²"])
    async def test_what_is_no_id_is_refused(self, event_id: str) -> None:
        async with turns() as (_, http, _):
            response = await http.get(f"{PATH}/q-1", headers={b"last-event-id": event_id.encode()})
        assert response.status_code == 400
        assert response.json()["error"]["violations"][0]["field"] == "last-event-id"

    async def test_a_turn_can_be_cancelled(self) -> None:
        async with turns() as (_, http, _):
            assert (await http.delete(f"{PATH}/q-1")).json() == {"state": "TURN_STATE_CANCELLED"}


class TestFailures:
    async def test_before_the_first_event_it_is_a_status(self) -> None:
        async with turns() as (_, http, _):
            response = await http.post(PATH, json={"question": "too much"})
            missing = await http.get(f"{PATH}/q-2")
        assert (response.status_code, response.headers["retry-after"]) == (429, "2")
        assert (
            response.json()["error"].items()
            >= {
                "status": "RESOURCE_EXHAUSTED",
                "reason": "OVERLOADED",
                "retry_after": 1.5,
            }.items()
        )
        assert (missing.status_code, missing.json()["error"]["reason"]) == (404, "TURN_NOT_FOUND")

    async def test_behind_it_it_is_an_event(self) -> None:
        async with turns() as (_, http, _):
            response = await http.post(PATH, json={"question": "breaks"})
        *_, text, failed = events_of(response.text)
        assert (response.status_code, text["event"], failed["event"]) == (200, "text", "failed")
        assert "id" not in failed, "a reader goes on behind what came before it"
        assert json.loads(failed["data"])["error"]["reason"] == "OVERLOADED"

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"question": "x", "colection": "a"}, "colection"),
            ({"question": "x", "options": {"depht": 3}}, "options.depht"),
            ({"question": "x", "options": {"depth": {"all": 3}}}, "options.depth.all"),
            ({"history": [{"text": "a"}, {"txt": "b"}]}, "history[1].txt"),
            ({"question": 3}, "question"),
            ({"options": {"length": "LONGEST"}}, "options.length"),
            ({"options": {"ranking": 1.5}}, "options.ranking"),
            ({"options": {"ranking": 99999999999}}, "options.ranking"),
            ({"history": {}}, "history"),
            ({"options": 3}, "options"),
            ([], ""),
            (None, ""),
        ],
    )
    async def test_a_request_that_cannot_be_read_names_its_field(self, body: Any, field: str) -> None:
        async with turns() as (_, http, _):
            response = await http.post(PATH, content=json.dumps(body))
        (violation,) = response.json()["error"]["violations"]
        assert (response.status_code, violation["field"]) == (400, field)
        assert violation["description"]

    @pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\x00", b"[" * 100_000])
    async def test_what_is_no_json_is_refused(self, content: bytes) -> None:
        async with turns() as (_, http, _):
            response = await http.post(PATH, content=content)
        assert (response.status_code, response.json()["error"]["status"]) == (400, "INVALID_ARGUMENT")

    async def test_a_body_that_is_too_large_is_refused(self) -> None:
        async with turns() as (_, http, _):
            response = await http.post(PATH, content=b" " * (9 * 2**20 + 1))
        assert (response.status_code, response.json()["error"]["reason"]) == (413, "MESSAGE_TOO_LARGE")


class TestReaders:
    async def test_a_silent_stream_says_that_it_lives_and_ends_with_its_reader(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("doors.event_streams.SILENT_SECONDS", 0.1)
        async with turns() as (gateway, http, _):
            async with http.stream("POST", PATH, json={"question": "silence"}) as response:
                lines = response.aiter_lines()
                while await anext(lines) != ": keep-alive":
                    pass
            async with asyncio.timeout(10):
                await gateway.ended.wait()

    async def test_a_stream_whose_client_takes_nothing_ends(self) -> None:
        async with turns(idle_seconds=1) as (gateway, _, port):
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            client.setblocking(False)
            await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", port))
            _, writer = await asyncio.open_connection(sock=client, limit=1024)
            body = b'{"question": "endless"}'
            writer.write(b"POST /v1/turns HTTP/1.1\r\nhost: localhost\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
            async with asyncio.timeout(20):
                await gateway.ended.wait()
            writer.transport.abort()

    async def test_the_caller_is_told_to_the_gateway(self) -> None:
        async with turns() as (gateway, http, _):
            await http.post(PATH, json={"question": "When?"}, headers={"authorization": "Bearer x"})
        assert gateway.metadata["authorization"] == "Bearer x"

    async def test_a_page_of_another_origin_is_refused(self) -> None:
        async with turns() as (gateway, http, _):
            response = await http.post(PATH, json={"question": "When?"}, headers={"origin": "https://evil.example"})
        assert (response.status_code, gateway.asked.question) == (403, "")
