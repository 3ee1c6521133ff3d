"""Calls of the gateway over HTTP: messages as they are, status and details in the trailers."""

import asyncio
import base64

import pytest
from google.rpc import error_details_pb2, status_pb2
from hypothesis import given
from hypothesis import strategies as st

from doors.grpc_web import DATA, BadFrame, frame, single_message, timeout_of
from libs.runtime.calling.channel import open_channel
from libs.runtime.errors import InvalidInput
from parley.gateway.v1 import gateway_pb2
from tests.unit.doors.conftest import GATEWAY, GRPC_WEB, Doors, messages_and_trailers, serving

ASK = f"{GATEWAY}/Ask"


def activities(messages: list[bytes]) -> list[str]:
    return [gateway_pb2.AskResponse.FromString(message).event.state.activity for message in messages]


async def test_a_stream_of_responses_passes_and_ends_with_its_status(doors: Doors) -> None:
    messages, trailers = await doors.call(ASK, gateway_pb2.AskRequest(question="one two three"))
    assert activities(messages) == ["one", "two", "three"]
    assert trailers["grpc-status"] == "0"


async def test_a_call_with_one_response_is_a_stream_of_one(doors: Doors) -> None:
    messages, trailers = await doors.call(f"{GATEWAY}/GetServerInfo", gateway_pb2.GetServerInfoRequest())
    assert (messages, trailers["grpc-status"]) == ([b""], "0")


async def test_a_failure_keeps_its_status_message_and_details(doors: Doors) -> None:
    messages, trailers = await doors.call(f"{GATEWAY}/Cancel", gateway_pb2.CancelRequest(turn_id="t1"))
    assert (messages, trailers["grpc-status"]) == ([], "5")
    assert trailers["grpc-message"] == "There is no turn 't1 – weg'.".replace("–", "%E2%80%93").replace("'", "%27")
    encoded = trailers["grpc-status-details-bin"]
    status = status_pb2.Status.FromString(base64.b64decode(encoded + "=" * (-len(encoded) % 4)))
    info = error_details_pb2.ErrorInfo()
    status.details[0].Unpack(info)
    assert (info.reason, info.domain) == ("TURN_NOT_FOUND", "parley")


async def test_messages_arrive_before_the_stream_has_ended(doors: Doors) -> None:
    body = frame(DATA, gateway_pb2.AskRequest(question="forever").SerializeToString())
    async with doors.http.stream("POST", ASK, content=body, headers=GRPC_WEB) as response:
        first = await anext(response.aiter_raw())
    assert activities(messages_and_trailers(first)[0]) == ["forever"]


async def test_a_client_that_goes_away_cancels_the_call(doors: Doors) -> None:
    body = frame(DATA, gateway_pb2.AskRequest(question="forever").SerializeToString())
    async with doors.http.stream("POST", ASK, content=body, headers=GRPC_WEB) as response:
        await anext(response.aiter_raw())
    async with asyncio.timeout(5):
        await doors.gateway.cancelled.wait()


async def test_a_deadline_is_that_of_the_call_and_passes_as_a_status(doors: Doors) -> None:
    _, trailers = await doors.call(ASK, gateway_pb2.AskRequest(question="forever"), **{"grpc-timeout": "200m"})
    assert trailers["grpc-status"] == "4"
    assert doors.gateway.seconds_left is not None
    assert doors.gateway.seconds_left <= 0.2


async def test_the_text_form_is_base64_both_ways(doors: Doors) -> None:
    body = base64.b64encode(frame(DATA, gateway_pb2.AskRequest(question="one two").SerializeToString()))
    headers = {"content-type": "application/grpc-web-text"}
    response = await doors.http.post(ASK, content=body, headers=headers)
    assert response.headers["content-type"] == "application/grpc-web-text"
    parts = [part for part in response.text.replace("=", "= ").split() if part]
    decoded = b"".join(base64.b64decode(f"{part}==") for part in _padded(parts))
    assert activities(messages_and_trailers(decoded)[0]) == ["one", "two"]


def _padded(parts: list[str]) -> list[str]:
    """Base64 that was split after each padding character, without padding."""
    return [part.rstrip("=") for part in parts if part.rstrip("=")]


async def test_what_needs_a_stream_of_requests_is_not_implemented(doors: Doors) -> None:
    _, trailers = await doors.call("/parley.retrieve.v1.CorpusService/Ingest", gateway_pb2.AskRequest())
    assert trailers["grpc-status"] == "12"


async def test_a_body_that_is_not_one_message_is_the_callers_fault(doors: Doors) -> None:
    response = await doors.http.post(ASK, content=b"\x00\x00\x00\x00\x09short", headers=GRPC_WEB)
    assert messages_and_trailers(response.content)[1]["grpc-status"] == "3"


async def test_another_content_type_is_refused(doors: Doors) -> None:
    response = await doors.http.post(ASK, content=b"{}", headers={"content-type": "application/json"})
    assert response.status_code == 415


async def test_a_request_beyond_the_limit_is_refused(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doors.grpc_web.MAX_REQUEST_BYTES", 1024)
    response = await doors.http.post(ASK, content=bytes(5000), headers=GRPC_WEB)
    assert response.status_code == 413


async def test_without_a_gateway_the_status_says_what_to_do() -> None:
    async with open_channel("127.0.0.1:9") as channel, serving(channel) as port, Doors.client(port) as http:
        response = await http.post(ASK, content=frame(DATA, b""), headers=GRPC_WEB)
    trailers = messages_and_trailers(response.content)[1]
    assert trailers["grpc-status"] == "14"
    assert "parley up" in trailers["grpc-message"]
    assert trailers["grpc-status-details-bin"]


@given(st.binary(max_size=300))
def test_a_frame_gives_its_message_back(content: bytes) -> None:
    assert single_message(frame(DATA, content)) == content


@given(st.binary(max_size=40))
def test_any_other_bytes_are_refused_or_one_message(body: bytes) -> None:
    try:
        message = single_message(body)
    except BadFrame:
        return
    assert frame(DATA, message) == body


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("", None), ("30S", 30), ("1500m", 1.5), ("2M", 120), ("1H", 3600), ("99999999H", 365 * 86400)],
)
def test_a_timeout_is_in_seconds(value: str, seconds: float | None) -> None:
    assert timeout_of(value) == seconds


@pytest.mark.parametrize("value", ["30", "S", "-1S", "1.5S", "123456789S", "³S", "1d"])
def test_a_malformed_timeout_is_refused(value: str) -> None:
    with pytest.raises(InvalidInput, match="grpc-timeout"):
        timeout_of(value)
