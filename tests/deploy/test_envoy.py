"""Envoy with the file of `deploy/envoy`, started before a real gRPC server."""

import asyncio
import json
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from gateway.principals import PRINCIPAL_KEY
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from tests.deploy.tools import DEPLOY, ROOT, path_of, run

METHOD = "/parley.gateway.v1.GatewayService/GetServerInfo"


class Gateway(gateway_pb2_grpc.GatewayServiceServicer):
    def __init__(self) -> None:
        self.principals: list[str] = []

    async def GetServerInfo(self, request: Any, context: Any) -> Any:
        self.principals += [value for key, value in context.invocation_metadata() if key == PRINCIPAL_KEY]
        return gateway_pb2.GetServerInfoResponse(version="9.8.7")


class Healthy(health_pb2_grpc.HealthServicer):  # type: ignore[misc]
    async def Check(self, request: Any, context: Any) -> Any:
        return health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.SERVING)


@pytest.fixture
def gateway() -> Gateway:
    return Gateway()  # type: ignore[abstract]


@pytest.fixture
async def web(gateway: Gateway, tmp_path: Path, unused_tcp_port_factory: Callable[[], int]) -> AsyncIterator[str]:
    """The base URL of an Envoy before a server."""
    program = path_of("envoy")
    built = run("buf", "build", "-o", str(tmp_path / "parley.binpb"), "--as-file-descriptor-set", cwd=ROOT)
    assert built.returncode == 0, built.stderr
    server = grpc.aio.server()
    gateway_pb2_grpc.add_GatewayServiceServicer_to_server(gateway, server)
    health_pb2_grpc.add_HealthServicer_to_server(Healthy(), server)
    gateway_port, web_port = server.add_insecure_port("127.0.0.1:0"), unused_tcp_port_factory()
    await server.start()
    text = (DEPLOY / "envoy" / "envoy.yaml").read_text(encoding="utf-8").replace("/etc/envoy", str(tmp_path))
    text = text.replace("port_value: 50051", f"port_value: {gateway_port}")
    file = tmp_path / "envoy.yaml"
    file.write_text(text.replace("port_value: 8080", f"port_value: {web_port}"))
    options = ("--use-dynamic-base-id", "--concurrency", "1", "--log-level", "error")
    process = await asyncio.create_subprocess_exec(program, "-c", str(file), *options)
    try:
        yield f"http://127.0.0.1:{web_port}"
    finally:
        process.terminate()
        await process.wait()
        await server.stop(None)


def post(url: str, body: bytes, content_type: str) -> bytes:
    """Send a request, again for ten seconds while Envoy starts."""
    request = urllib.request.Request(url, body, {"content-type": content_type, "x-grpc-web": "1", PRINCIPAL_KEY: "ann"})
    limit = time.monotonic() + 10
    while True:
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                return bytes(answer.read())
        except urllib.error.URLError:
            if time.monotonic() > limit:
                raise
            time.sleep(0.1)


async def test_json_is_a_call(web: str) -> None:
    assert json.loads(await asyncio.to_thread(post, web + METHOD, b"{}", "application/json"))["version"] == "9.8.7"


async def test_grpc_web_is_a_call(web: str) -> None:
    body = await asyncio.to_thread(post, web + METHOD, bytes(5), "application/grpc-web+proto")
    length = int.from_bytes(body[1:5])
    assert gateway_pb2.GetServerInfoResponse.FromString(body[5 : 5 + length]).version == "9.8.7"
    assert b"grpc-status:0" in body[5 + length :]


async def test_callers_cannot_claim_principals(web: str, gateway: Gateway) -> None:
    await asyncio.to_thread(post, web + METHOD, b"{}", "application/json")
    assert gateway.principals == []
