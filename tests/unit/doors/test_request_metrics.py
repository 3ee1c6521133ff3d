"""What the process measures of its requests: by route and status, never by what callers make up."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from doors.grpc_web import DATA, frame
from libs.runtime.telemetry.telemetry_names import (
    ERROR_TYPE,
    HTTP_METHOD,
    HTTP_ROUTE,
    HTTP_SERVER_DURATION,
    HTTP_SERVER_IN_FLIGHT,
    HTTP_STATUS,
)
from parley.gateway.v1 import gateway_pb2
from tests.fakes.telemetry import Recorded
from tests.unit.doors.conftest import GATEWAY, GRPC_WEB, Doors, doors_with

TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
INFO = f"{GATEWAY}/GetServerInfo"


async def fails(request: Request) -> Response:
    raise RuntimeError("some text of a caller")


async def is_busy(request: Request) -> Response:
    return Response(status_code=503)


@pytest.fixture
def recorded() -> Recorded:
    return Recorded()


@pytest.fixture
async def doors(recorded: Recorded) -> AsyncIterator[Doors]:
    """The doors, two of which always fail."""
    further = (Route("/fails", fails), Route("/busy", is_busy))
    async with doors_with(telemetry=recorded.telemetry, further=further) as opened:
        yield opened


def requests(recorded: Recorded) -> list[tuple[Any, ...]]:
    """Method, route, status and error of each kind of request, and how many there were."""
    names = (HTTP_METHOD, HTTP_ROUTE, HTTP_STATUS, ERROR_TYPE)
    points = recorded.points(HTTP_SERVER_DURATION)
    return [(*(point.attributes.get(name) for name in names), point.count) for point in points]


def in_flight(recorded: Recorded) -> int:
    return sum(point.value for point in recorded.points(HTTP_SERVER_IN_FLIGHT))


async def until_none_is_in_flight(recorded: Recorded) -> None:
    """Return when all is recorded, which a client may not have waited for."""
    while in_flight(recorded):  # noqa: ASYNC110 - nothing announces it
        await asyncio.sleep(0.01)


async def test_requests_are_counted_by_method_route_and_status(doors: Doors, recorded: Recorded) -> None:
    await doors.call(INFO, gateway_pb2.GetServerInfoRequest())
    await doors.http.get("/v1/models/parley")
    await doors.http.get("/v1/models/parley/nowhere")
    await doors.http.post("/upload", content=b"", headers={"content-type": "application/octet-stream"})
    await until_none_is_in_flight(recorded)
    assert requests(recorded) == [
        ("POST", INFO, 200, None, 1),
        ("GET", "/v1/models/{model}", 200, None, 1),
        ("GET", "/v1/models/{model}", 404, None, 1),
        ("POST", "/upload", 400, None, 1),
    ]


async def test_names_that_callers_make_up_are_no_metrics_of_their_own(doors: Doors, recorded: Recorded) -> None:
    for _ in range(20):
        made_up = secrets.token_hex(8)
        await doors.http.get(f"/{made_up}?{made_up}")
        await doors.http.get(f"/v1/models/{made_up}")
        await doors.http.request(made_up.upper(), f"/{made_up}")
        await doors.http.get("/healthz", headers={"host": f"{made_up}.example"})
    await until_none_is_in_flight(recorded)
    assert len(requests(recorded)) == 4
    assert {(method, route) for method, route, *_ in requests(recorded)} == {
        ("GET", "/{path}"),
        ("GET", "/v1/models/{model}"),
        ("_OTHER", "/{path}"),
        ("GET", None),
    }
    assert len(recorded.points(HTTP_SERVER_IN_FLIGHT)) == 2


@pytest.mark.parametrize(("path", "status", "error"), [("/fails", 500, "RuntimeError"), ("/busy", 503, "503")])
async def test_a_failure_of_ours_is_counted_by_its_type_or_else_its_status(
    doors: Doors, recorded: Recorded, path: str, status: int, error: str
) -> None:
    assert (await doors.http.get(path)).status_code == status
    await until_none_is_in_flight(recorded)
    assert requests(recorded) == [("GET", path, status, error, 1)]


async def test_a_stream_is_in_flight_until_it_ends(doors: Doors, recorded: Recorded) -> None:
    content = frame(DATA, gateway_pb2.AskRequest(question="forever").SerializeToString())
    async with doors.http.stream("POST", f"{GATEWAY}/Ask", content=content, headers=GRPC_WEB) as response:
        await anext(response.aiter_raw())
        assert in_flight(recorded) == 1
        assert requests(recorded) == []
    await doors.gateway.cancelled.wait()
    await until_none_is_in_flight(recorded)
    assert requests(recorded) == [("POST", f"{GATEWAY}/Ask", 200, None, 1)]


async def test_a_request_is_a_span_between_its_callers_and_the_gateways(doors: Doors, recorded: Recorded) -> None:
    await doors.call(INFO, gateway_pb2.GetServerInfoRequest(), traceparent=TRACEPARENT)
    await until_none_is_in_flight(recorded)
    (span,) = recorded.spans("POST")
    (call,) = recorded.spans(INFO.lstrip("/"))
    assert (span.attributes[HTTP_ROUTE], span.attributes[HTTP_STATUS]) == (INFO, 200)
    _, trace_id, caller_id, _ = TRACEPARENT.split("-")
    assert f"{span.context.trace_id:032x}" == trace_id
    assert f"{span.parent.span_id:016x}" == caller_id
    assert call.parent.span_id == span.context.span_id
    assert doors.gateway.metadata["traceparent"] == [f"00-{trace_id}-{call.context.span_id:016x}-01"]


async def test_without_telemetry_the_gateway_s_call_is_in_the_caller_s_trace_too() -> None:
    async with doors_with() as doors:
        await doors.call(INFO, gateway_pb2.GetServerInfoRequest(), traceparent=TRACEPARENT)
    (sent,) = doors.gateway.metadata["traceparent"]
    assert sent.split("-")[1] == TRACEPARENT.split("-")[1]
