"""Envoy with `deploy/envoy/envoy.yaml`: browsers and JSON on the gateway's own machine."""

import asyncio
import json
import urllib.request
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from gateway.access.principals import PRINCIPAL_KEY
from libs.runtime.security.trust import ORIGIN_KEY
from parley.gateway.v1 import gateway_pb2
from tests.deploy.envoys import INFO, VERSION, Gateway, envoy, placed
from tests.deploy.tools import run
from tests.fakes.certificates import Authority, CertificateFiles
from tests.fakes.token_issuer import Issuer


@pytest.fixture
def gateway() -> Gateway:
    return Gateway()  # type: ignore[abstract]


@pytest.fixture
async def web(gateway: Gateway, tmp_path: Path, unused_tcp_port_factory: Callable[[], int]) -> AsyncIterator[str]:
    """The URL of a method."""
    async with envoy("envoy.yaml", tmp_path, gateway, unused_tcp_port_factory) as port:
        yield f"http://127.0.0.1:{port}{INFO}"


async def post(url: str, body: bytes, content_type: str) -> bytes:
    headers = {"content-type": content_type, "x-grpc-web": "1", PRINCIPAL_KEY: "ann", ORIGIN_KEY: "ipv4:192.0.2.1:1"}

    def send() -> bytes:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=5) as answer:
            return bytes(answer.read())

    return await asyncio.to_thread(send)


async def test_json_is_a_call(web: str) -> None:
    assert json.loads(await post(web, b"{}", "application/json"))["version"] == VERSION


async def test_grpc_web_is_a_call(web: str) -> None:
    body = await post(web, bytes(5), "application/grpc-web+proto")
    length = int.from_bytes(body[1:5])
    assert gateway_pb2.GetServerInfoResponse.FromString(body[5 : 5 + length]).version == VERSION
    assert b"grpc-status:0" in body[5 + length :]


async def test_callers_cannot_claim_principals_or_an_origin(web: str, gateway: Gateway) -> None:
    await post(web, b"{}", "application/json")
    assert gateway.callers == [()]
    assert gateway.origins[0].startswith("ipv4:127.0.0.1:")


@pytest.mark.parametrize("name", ["envoy.yaml", "public.yaml"])
def test_envoy_accepts_the_file(name: str, tmp_path: Path) -> None:
    authority = Authority()
    CertificateFiles(tmp_path / "tls").trust(authority).hold(authority)
    placed("certificate.yaml", tmp_path)
    (tmp_path / "jwks.json").write_bytes(Issuer().key_set())
    process = run("envoy", "--mode", "validate", "-c", str(placed(name, tmp_path)))
    assert process.returncode == 0, process.stdout + process.stderr
