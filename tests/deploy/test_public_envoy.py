"""Envoy with `deploy/envoy/public.yaml`: TLS, tokens, and limits for each principal."""

import asyncio
import json
import os
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from gateway.access.principals import PRINCIPAL_KEY
from libs.runtime.security.trust import ORIGIN_KEY
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from tests.deploy.envoys import INFO, VERSION, Gateway, envoy, placed
from tests.deploy.tools import ROOT, path_of
from tests.fakes.certificates import Authority, CertificateFiles
from tests.fakes.token_issuer import Issuer

GUIDE = (ROOT / "docs" / "how-to" / "envoy.md").read_text(encoding="utf-8")
ISSUER = "https://login.example.org"
"""The issuer of public.yaml."""
BURST, ADDRESS_BURST = 30, 200
"""Calls at once that public.yaml allows to a principal, and to an address."""


@dataclass
class Door:
    """An Envoy, the folder of its files, and who issues what it believes."""

    port: int
    folder: Path
    gateway: Gateway
    issuer: Issuer
    authority: Authority
    files: CertificateFiles

    def channel(self) -> grpc.aio.Channel:
        return grpc.aio.secure_channel(
            f"localhost:{self.port}",
            grpc.ssl_channel_credentials(self.authority.pem),
            [("grpc.use_local_subchannel_pool", 1)],
        )

    async def call(self, token: str | None = None, principal: str | None = None) -> grpc.StatusCode:
        """The status of a call."""
        metadata = [("authorization", f"Bearer {token}")] if token else []
        metadata += [(PRINCIPAL_KEY, principal), (ORIGIN_KEY, "ipv4:192.0.2.1:1")] if principal else []
        async with self.channel() as channel:
            return await status_of(channel, metadata)


async def status_of(channel: grpc.aio.Channel, metadata: list[tuple[str, str]]) -> grpc.StatusCode:
    stub = gateway_pb2_grpc.GatewayServiceStub(channel)
    try:
        await stub.GetServerInfo(gateway_pb2.GetServerInfoRequest(), metadata=metadata, timeout=10)
    except grpc.aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK


@pytest.fixture
async def door(tmp_path: Path, unused_tcp_port_factory: Callable[[], int]) -> AsyncIterator[Door]:
    authority, issuer, gateway = Authority(), Issuer(url=ISSUER), Gateway()  # type: ignore[abstract]
    files = CertificateFiles(tmp_path / "tls").trust(authority).hold(authority, "localhost")
    placed("certificate.yaml", tmp_path)
    (tmp_path / "jwks.json").write_bytes(issuer.key_set())
    async with envoy("public.yaml", tmp_path, gateway, unused_tcp_port_factory) as port:
        yield Door(port, tmp_path, gateway, issuer, authority, files)


class TestTokens:
    async def test_the_subject_of_a_token_is_the_caller_s_principal(self, door: Door) -> None:
        assert await door.call(door.issuer.token("ann")) is grpc.StatusCode.OK
        assert door.gateway.callers == [("ann",)]

    async def test_a_principal_and_an_origin_that_a_caller_claims_itself_are_removed(self, door: Door) -> None:
        assert await door.call(door.issuer.token("ann"), principal="bob") is grpc.StatusCode.OK
        assert door.gateway.callers == [("ann",)]

    async def test_without_a_token_that_holds_nobody_gets_in(self, door: Door) -> None:
        forged = Issuer(url=ISSUER).token("ann")
        expired = door.issuer.token("ann", exp=int(time.time()) - 3600)
        endless = door.issuer.token("ann", exp=None)
        foreign = door.issuer.token("ann", iss="https://another.example.org")
        for token in (None, "nonsense", forged, expired, endless, foreign):
            assert await door.call(token, principal="ann") is grpc.StatusCode.UNAUTHENTICATED
        assert await door.call(door.issuer.token("ann", aud="another")) is grpc.StatusCode.PERMISSION_DENIED
        assert door.gateway.callers == []

    async def test_health_is_open_to_everybody(self, door: Door) -> None:
        async with door.channel() as channel:
            answer = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=10)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING

    async def test_json_without_a_token_is_401(self, door: Door) -> None:
        url = f"https://localhost:{door.port}{INFO}"
        request = urllib.request.Request(url, b"{}", {"content-type": "application/json"})
        trust = ssl.create_default_context(cadata=door.authority.pem.decode())
        with pytest.raises(urllib.error.HTTPError) as error:
            await asyncio.to_thread(urllib.request.urlopen, request, timeout=5, context=trust)
        assert error.value.code == 401
        error.value.close()


class TestLimits:
    async def test_a_principal_that_sends_too_much_is_refused_and_others_are_not(self, door: Door) -> None:
        ann, bob = ([("authorization", f"Bearer {door.issuer.token(name)}")] for name in ("ann", "bob"))
        async with door.channel() as channel:
            statuses = await asyncio.gather(*(status_of(channel, ann) for _ in range(3 * BURST)))
            assert set(statuses) == {grpc.StatusCode.OK, grpc.StatusCode.RESOURCE_EXHAUSTED}
            assert statuses.count(grpc.StatusCode.OK) >= BURST
            assert await status_of(channel, bob) is grpc.StatusCode.OK

    async def test_an_address_that_calls_too_often_is_not_asked_for_tokens(self, door: Door) -> None:
        async with door.channel() as channel:
            statuses = await asyncio.gather(*(status_of(channel, []) for _ in range(ADDRESS_BURST + 100)))
        assert set(statuses) == {grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.RESOURCE_EXHAUSTED}
        assert statuses.count(grpc.StatusCode.UNAUTHENTICATED) >= ADDRESS_BURST


class TestCertificates:
    async def test_a_new_certificate_is_used_without_a_new_start(self, door: Door) -> None:
        successor = Authority("successor")
        new = CertificateFiles(door.folder / "new").trust(successor).hold(successor, "localhost")
        for path in (new.key, new.certificate):
            path.rename(door.files.folder / path.name)
        door.authority = successor
        deadline = time.monotonic() + 10
        while (status := await door.call(door.issuer.token("ann"))) is not grpc.StatusCode.OK:
            assert time.monotonic() < deadline, status


class TestGuide:
    @staticmethod
    def block(beginning: str) -> str:
        (code,) = [part for part in GUIDE.split("```")[1::2] if part.partition("\n")[2].startswith(beginning)]
        return code.partition("\n")[2]

    async def follow(self, door: Door, program: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
        environment = os.environ | {"TOKEN": door.issuer.token("ann")}
        code = [argument.replace("localhost:8443", f"localhost:{door.port}") for argument in arguments]
        return await asyncio.to_thread(
            subprocess.run,
            [program, *code],
            cwd=door.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )

    @pytest.mark.parametrize("command", ["grpcurl -H", "curl --cacert"])
    async def test_its_commands_reach_the_gateway(self, door: Door, command: str) -> None:
        path_of(command.split()[0])
        process = await self.follow(door, "sh", "-e", "-c", self.block(command))
        assert json.loads(process.stdout or "{}").get("version") == VERSION, process.stderr
        assert door.gateway.callers[-1] == ("ann",)

    async def test_its_python_reaches_the_gateway(self, door: Door) -> None:
        call = """
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
stub = gateway_pb2_grpc.GatewayServiceStub(channel)
print(stub.GetServerInfo(gateway_pb2.GetServerInfoRequest(), timeout=10).version)
"""
        process = await self.follow(door, sys.executable, "-c", self.block("import os") + call)
        assert process.stdout.strip() == VERSION, process.stderr
        assert door.gateway.callers == [("ann",)]
