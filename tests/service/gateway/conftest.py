"""A server with the gateway's gate, whose methods answer with the principals of their caller."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from gateway.access.principals import caller_of
from gateway.identity.gate import open_gate
from gateway.identity.settings import AuthSettings
from libs.runtime.calling.channel import unary
from libs.runtime.errors import ParleyError
from libs.runtime.security.trust import TrustSettings
from libs.runtime.status import error_from_rpc
from tests.fakes.running_server import running
from tests.fakes.token_issuer import AUDIENCE, ISSUER, Issuer
from tests.service.runtime.conftest import echo, servicer

__all__ = ["echo", "servicer"]
Metadata = tuple[tuple[str, str], ...]


class Door:
    """Calls the server as one caller or another."""

    def __init__(self, echo: SimpleNamespace, address: str, channel: grpc.aio.Channel) -> None:
        self.address = address
        self.channel = channel
        self._echo = echo
        self._stub = echo.grpc.EchoServiceStub(channel)

    async def principals(self, *metadata: tuple[str, str]) -> list[str]:
        """Those that the server takes the caller to have.

        Raises:
            ParleyError: the call is refused.
        """
        response = await unary(self._stub.Say, self._echo.pb2.SayRequest(), timeout=10, metadata=metadata)
        return list(json.loads(response.text))

    async def refusal(self, *metadata: tuple[str, str]) -> ParleyError:
        """The error of a call that is refused."""
        try:
            principals = await self.principals(*metadata)
        except ParleyError as error:
            return error
        raise AssertionError(f"admitted as {principals}")

    async def refusal_before_the_message(self, *metadata: tuple[str, str]) -> ParleyError:
        """The error of a call whose message never comes."""
        call: Any = self.channel.stream_unary("/trial.v1.EchoService/Say")(metadata=metadata, timeout=10)
        try:
            await call
        except grpc.aio.AioRpcError as error:
            return error_from_rpc(error)
        raise AssertionError("admitted")

    async def by_every_type_of_call(self, *metadata: tuple[str, str]) -> Mapping[str, list[str]]:
        """The principals in each of the four types of calls, all running at once with those of other callers."""
        request, options = self._echo.pb2.SayRequest(), {"metadata": metadata, "timeout": 10}
        responses = {
            "Say": [await self._stub.Say(request, **options)],
            "Count": [each async for each in self._stub.Count(request, **options)],
            "Sum": [await self._stub.Sum(iter([request]), **options)],
            "Chat": [each async for each in self._stub.Chat(iter([request]), **options)],
        }
        return {name: [own for each in some for own in json.loads(each.text)] for name, some in responses.items()}


OpenDoor = Callable[[AuthSettings], AbstractAsyncContextManager[Door]]


@pytest.fixture
def mirror(echo: SimpleNamespace, servicer: Any) -> object:
    """Answers by each method with its caller's principals."""

    def response(context: Any) -> Any:
        return echo.pb2.SayResponse(text=json.dumps(caller_of(context)))

    async def say(request: Any, context: Any) -> Any:
        return response(context)

    async def count(request: Any, context: Any) -> AsyncIterator[Any]:
        yield response(context)

    async def sum_up(requests: Any, context: Any) -> Any:
        async for _ in requests:
            pass
        return response(context)

    async def chat(requests: Any, context: Any) -> AsyncIterator[Any]:
        async for _ in requests:
            yield response(context)

    return servicer(Say=say, Count=count, Sum=sum_up, Chat=chat)


@pytest.fixture
def open_door(echo: SimpleNamespace, mirror: object) -> OpenDoor:
    """Opens a server with these settings."""

    @asynccontextmanager
    async def opening(auth: AuthSettings) -> AsyncIterator[Door]:
        async with (
            open_gate(auth, TrustSettings()) as gate,
            running(mirror, gate=gate) as server,
            grpc.aio.insecure_channel(server.target) as channel,
        ):
            yield Door(echo, server.target, channel)

    return opening


@pytest.fixture(scope="session")
def issuer() -> Issuer:
    return Issuer()


@pytest.fixture(scope="session")
def tokens(issuer: Issuer, tmp_path_factory: pytest.TempPathFactory) -> AuthSettings:
    """Settings that accept the issuer's tokens."""
    path = tmp_path_factory.mktemp("issuer") / "keys.json"
    path.write_bytes(issuer.key_set())
    return token_settings(str(path))


def token_settings(jwks: str, **more: Any) -> AuthSettings:
    """Settings for tokens whose keys are there."""
    return AuthSettings(jwks=jwks, issuer=ISSUER, audience=(AUDIENCE,), **more)


def bearer(token: str) -> tuple[str, str]:
    """The metadata of a token."""
    return "authorization", f"Bearer {token}"


def write(path: Path, *lines: str) -> Path:
    """A file of these lines."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
