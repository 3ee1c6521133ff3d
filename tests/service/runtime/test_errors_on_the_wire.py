"""What a caller sees of each failure."""

from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from libs.runtime.calling.channel import open_channel, stream, unary
from libs.runtime.errors import (
    AlreadyExists,
    Conflict,
    DeadlineExceeded,
    FailedPrecondition,
    InternalError,
    InvalidInput,
    NotFound,
    NotSupported,
    Overloaded,
    ParleyError,
    PermissionDenied,
    Unauthenticated,
    Unavailable,
)
from libs.runtime.serving.service import Service
from tests.fakes.running_server import running
from tests.service.runtime.conftest import Echo, Served

Code = grpc.StatusCode
EVERY_KIND = [
    (InvalidInput("question.text", "must not be empty"), Code.INVALID_ARGUMENT, "FIELD_INVALID"),
    (NotFound("collection", "papers"), Code.NOT_FOUND, "COLLECTION_NOT_FOUND"),
    (AlreadyExists("collection", "papers"), Code.ALREADY_EXISTS, "COLLECTION_ALREADY_EXISTS"),
    (FailedPrecondition("EMBEDDER_MISSING", "no model"), Code.FAILED_PRECONDITION, "EMBEDDER_MISSING"),
    (Conflict("SESSION_CONFLICT", "another turn came first"), Code.ABORTED, "SESSION_CONFLICT"),
    (PermissionDenied("SESSION_FOREIGN", "not yours"), Code.PERMISSION_DENIED, "SESSION_FOREIGN"),
    (Unauthenticated("CREDENTIALS_INVALID", "not accepted"), Code.UNAUTHENTICATED, "CREDENTIALS_INVALID"),
    (Unavailable("ENGINE_UNAVAILABLE", "down", retry_after=2.5), Code.UNAVAILABLE, "ENGINE_UNAVAILABLE"),
    (Overloaded(0.25), Code.RESOURCE_EXHAUSTED, "OVERLOADED"),
    (NotSupported("not built"), Code.UNIMPLEMENTED, "NOT_IMPLEMENTED"),
    (DeadlineExceeded(), Code.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED"),
    (InternalError(), Code.INTERNAL, "INTERNAL"),
]


def details_of(error: grpc.aio.AioRpcError) -> dict[str, Any]:
    status = status_pb2.Status.FromString(error.trailing_metadata()["grpc-status-details-bin"])
    assert status.code == error.code().value[0]
    assert status.message == error.details()
    details = {}
    for detail in status.details:
        name = detail.TypeName().rpartition(".")[2]
        assert name not in details
        details[name] = getattr(error_details_pb2, name).FromString(detail.value)
    return details


async def failure_of(servicer: object, echo: Echo, request: Any = None) -> Any:
    """The raw gRPC error of a call of Say."""
    async with running(servicer) as server, grpc.aio.insecure_channel(server.target) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await echo.grpc.EchoServiceStub(channel).Say(request or echo.pb2.SayRequest(text="hello"))
        return error.value


@pytest.mark.parametrize(("original", "code", "reason"), EVERY_KIND, ids=lambda v: getattr(v, "name", None))
async def test_each_kind_has_its_code_and_exactly_one_error_info(
    original: ParleyError, code: Code, reason: str, servicer: Any, echo: Echo
) -> None:
    async def say(request: Any, context: Any) -> Any:
        raise original

    error = await failure_of(servicer(Say=say), echo)
    assert error.code() is code
    assert error.details() == original.message
    info = details_of(error)["ErrorInfo"]
    assert (info.reason, info.domain) == (reason, "parley")


@pytest.mark.parametrize(("original", "code", "reason"), EVERY_KIND, ids=lambda v: getattr(v, "name", None))
async def test_a_client_gets_the_error_that_the_server_raised(
    original: ParleyError, code: Code, reason: str, served: Served, echo: Echo
) -> None:
    async def count(request: Any, context: Any) -> Any:
        yield echo.pb2.SayResponse(text="one")
        raise original

    async with served(Count=count) as stub:
        answers = stream(stub.Count, echo.pb2.SayRequest())
        assert (await anext(answers)).text == "one"
        with pytest.raises(type(original)) as error:
            await anext(answers)
    assert (error.value.reason, error.value.message) == (reason, original.message)
    assert getattr(error.value, "retry_after", None) == getattr(original, "retry_after", None)
    assert getattr(error.value, "violations", None) == getattr(original, "violations", None)


async def test_a_broken_rule_of_the_contract_names_the_field(servicer: Any, echo: Echo) -> None:
    request = echo.pb2.SayRequest(text="x" * 21, parts=[echo.pb2.Part(word="fine"), echo.pb2.Part()])
    error = await failure_of(servicer(), echo, request)
    assert error.code() is Code.INVALID_ARGUMENT
    violations = details_of(error)["BadRequest"].field_violations
    assert [(v.field, v.reason) for v in violations] == [
        ("text", "STRING_MAX_LEN"),
        ("parts[1].word", "STRING_MIN_LEN"),
    ]


async def test_too_large_a_message_is_bad_input(servicer: Any, echo: Echo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("libs.runtime.serving.validation.MAX_MESSAGE_BYTES", 1024)
    error = await failure_of(servicer(), echo, echo.pb2.SayRequest(text="x" * 2000))
    assert error.code() is Code.INVALID_ARGUMENT
    assert details_of(error)["ErrorInfo"].reason == "MESSAGE_TOO_LARGE"
    assert error.details() == "The message has 2,003 bytes; at most 1,024 are accepted."


async def test_each_message_of_a_stream_is_checked(served: Served, echo: Echo) -> None:
    messages = []

    async def total(requests: Any, context: Any) -> Any:
        async for request in requests:
            messages.append(request.text)
        return echo.pb2.SayResponse(text="".join(messages))

    async def texts() -> Any:
        for text in ("a", "b", "x" * 21, "c"):
            yield echo.pb2.SayRequest(text=text)

    async with served(Sum=total) as stub:
        with pytest.raises(InvalidInput) as error:
            await unary(stub.Sum, texts())
    assert error.value.violations[0].field == "text"
    assert messages == ["a", "b"]


@pytest.mark.parametrize("kind", [RuntimeError, NotImplementedError])
async def test_an_unknown_exception_is_internal_and_tells_the_client_nothing(
    kind: type[Exception], servicer: Any, echo: Echo
) -> None:
    async def say(request: Any, context: Any) -> Any:
        raise kind("password=hunter2 in /etc/secret")

    error = await failure_of(servicer(Say=say), echo)
    assert (error.code(), error.details()) == (Code.INTERNAL, "Something went wrong inside the suite.")
    assert details_of(error)["ErrorInfo"].reason == "INTERNAL"
    assert "hunter2" not in str(error.trailing_metadata()) + str(error)


async def test_a_method_left_out_is_unimplemented_with_details(servicer: Any, echo: Echo) -> None:
    error = await failure_of(servicer(), echo)
    assert error.code() is Code.UNIMPLEMENTED
    assert details_of(error)["ErrorInfo"].reason == "NOT_IMPLEMENTED"


async def test_a_method_nobody_knows_is_unimplemented_with_details(servicer: Any) -> None:
    async with running(servicer()) as server, grpc.aio.insecure_channel(server.target) as channel:
        raw_channel: Any = channel
        with pytest.raises(grpc.aio.AioRpcError) as single:
            await raw_channel.unary_unary("/trial.v1.EchoService/Nothing")(b"")
        with pytest.raises(grpc.aio.AioRpcError) as stream_error:
            await anext(aiter(raw_channel.unary_stream("/nobody.v1.Service/Nothing")(b"")))
    for error in (single.value, stream_error.value):
        assert error.code() is Code.UNIMPLEMENTED
        assert details_of(error)["ErrorInfo"].reason == "NOT_IMPLEMENTED"


@pytest.mark.parametrize(("relays", "expected"), [(False, Code.INTERNAL), (True, Code.INVALID_ARGUMENT)])
async def test_a_request_that_the_next_process_refuses_is_our_fault_unless_we_only_relay_it(
    relays: bool, expected: Code, servicer: Any, echo: Echo
) -> None:
    async def inner_say(request: Any, context: Any) -> Any:
        raise InvalidInput("text", "must be a question")

    async with running(servicer(Say=inner_say)) as inner, open_channel(inner.target) as channel:

        async def outer_say(request: Any, context: Any) -> Any:
            return await unary(echo.grpc.EchoServiceStub(channel).Say, request)

        outer = Service.of(servicer(Say=outer_say), relays=relays)
        error = await failure_of(outer, echo)
    assert error.code() is expected
