"""Anonymous callers of the HTTP server share the gateway by where they come from; nobody else says where that is."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import httpx2
import pytest

from doors.grpc_web import DATA, frame
from gateway.access.principals import caller_of, is_stranger, sender_of, sent_from
from gateway.identity.gate import open_gate
from gateway.identity.settings import AuthSettings
from libs.runtime.calling.channel import open_channel
from libs.runtime.limits.admission import AdmissionSettings, admission_of
from libs.runtime.limits.callers import CallerLimits, QuotaSettings
from libs.runtime.security.trust import ORIGIN_KEY, ORIGIN_SIGNATURE_KEY, Secrets, TrustSettings, signed_origin
from libs.runtime.serving.service import Service
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from tests.fakes.call_context import REMOTE, CallContext, claiming
from tests.fakes.running_server import running
from tests.unit.doors.conftest import GATEWAY, messages_and_trailers, serving

QUOTA = 2
ONE, OTHER = "127.0.0.1", "127.0.0.2"
"""Two addresses of this machine, from either of which a client can call."""
Metadata = Sequence[tuple[str, str]]


@dataclass
class Listener(gateway_pb2_grpc.GatewayServiceServicer):
    """Notes who calls."""

    senders: list[str] = field(default_factory=list)

    async def GetServerInfo(self, request: Any, context: Any) -> gateway_pb2.GetServerInfoResponse:
        self.senders.append(sender_of(context))
        return gateway_pb2.GetServerInfoResponse()


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "origin.secret"
    file.write_text("o" * 32)
    return file


@pytest.fixture
def listener() -> Listener:
    return Listener()  # type: ignore[abstract]


@asynccontextmanager
async def gateway(listener: Listener, secret: Path, quota: int = 0) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to a gateway that believes nobody's principals, and has a quota of calls a minute."""
    limits = CallerLimits(QuotaSettings(requests_per_minute=quota), admission_of(AdmissionSettings()), sender_of)
    async with (
        open_gate(AuthSettings(local_principals=False), TrustSettings(origin_secret=secret)) as gate,
        running(Service.of(listener, limits=limits), gate=gate) as server,
        open_channel(server.target) as channel,
    ):
        yield channel


async def call_over_http(port: int, address: str) -> str:
    """The status of a call from an address, as a number."""
    transport = httpx2.AsyncHTTPTransport(local_address=address)
    async with httpx2.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{port}") as client:
        headers = {"content-type": "application/grpc-web+proto"}
        response = await client.post(f"{GATEWAY}/GetServerInfo", content=frame(DATA, b""), headers=headers)
    _, trailers = messages_and_trailers(response.content)
    return trailers["grpc-status"]


async def call(channel: grpc.aio.Channel, *metadata: tuple[str, str]) -> str:
    """The name of the status of a call that is made directly."""
    stub = gateway_pb2_grpc.GatewayServiceStub(channel)
    try:
        await stub.GetServerInfo(gateway_pb2.GetServerInfoRequest(), metadata=metadata)
    except grpc.aio.AioRpcError as error:
        return error.code().name
    return "OK"


async def test_two_anonymous_clients_of_the_http_process_have_a_quota_each(listener: Listener, secret: Path) -> None:
    async with (
        gateway(listener, secret, QUOTA) as channel,
        serving(channel, secrets=Secrets(secret)) as port,
    ):
        statuses = [await call_over_http(port, ONE) for _ in range(QUOTA + 1)]
        assert statuses == ["0"] * QUOTA + ["8"]
        assert [await call_over_http(port, OTHER) for _ in range(QUOTA)] == ["0"] * QUOTA
    assert len(set(listener.senders)) == 2


async def test_without_the_secret_they_are_one_sender(listener: Listener, secret: Path) -> None:
    async with gateway(listener, secret) as channel, serving(channel) as port:
        for address in (ONE, OTHER):
            assert await call_over_http(port, address) == "0"
    assert len(set(listener.senders)) == 1


async def test_a_stranger_who_claims_origins_has_one_quota(listener: Listener, secret: Path, tmp_path: Path) -> None:
    (tmp_path / "guessed").write_text("s" * 32)
    guessed = Secrets(tmp_path / "guessed")
    async with gateway(listener, secret, QUOTA) as channel:
        forged: list[Metadata] = [
            signed_origin(guessed, "ipv4:192.0.2.1:1"),
            [(ORIGIN_KEY, "ipv4:192.0.2.2:1")],
            [(ORIGIN_KEY, "ipv4:192.0.2.3:1"), (ORIGIN_SIGNATURE_KEY, "v1.1.")],
        ]
        assert [await call(channel, *metadata) for metadata in forged] == ["OK"] * QUOTA + ["RESOURCE_EXHAUSTED"]
    assert len(set(listener.senders)) == 1


async def test_a_signature_holds_for_its_address_alone(listener: Listener, secret: Path) -> None:
    (origin, signature) = signed_origin(Secrets(secret), "ipv4:192.0.2.1:1")
    async with gateway(listener, secret) as channel:
        for metadata in (
            [origin, signature],
            [(ORIGIN_KEY, "ipv4:192.0.2.2:1"), signature],
            [origin, (ORIGIN_KEY, "ipv4:192.0.2.2:1"), signature],
            [origin, signature, signature],
            [origin],
        ):
            assert await call(channel, *metadata) == "OK"
    believed, *others = listener.senders
    assert believed == "ipv4:192.0.2.1"
    assert set(others) == {"ipv4:127.0.0.1"}


async def test_a_signature_of_long_ago_is_not_believed(
    listener: Listener, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("libs.runtime.security.trust.time.time", lambda: 1e9)
        signed = signed_origin(Secrets(secret), "ipv4:192.0.2.1:1")
    async with gateway(listener, secret) as channel:
        assert await call(channel, *signed) == "OK"
    assert listener.senders == ["ipv4:127.0.0.1"]


async def test_an_origin_makes_nobody_a_caller_of_the_gateway_s_own_machine(secret: Path) -> None:
    """The HTTP server may be on another machine: what is local there is not local here."""
    origin = "ipv4:127.0.0.1:1"
    call = CallContext(REMOTE, (*signed_origin(Secrets(secret), origin), *claiming("alice")))

    async def seen() -> tuple[str, tuple[str, ...], bool]:
        async with open_gate(AuthSettings(), TrustSettings(origin_secret=secret)) as gate:
            await gate.admit("/Service/Method", call)
        return sent_from(call), caller_of(call), is_stranger(call)

    assert await asyncio.create_task(seen()) == (origin, (), True)
