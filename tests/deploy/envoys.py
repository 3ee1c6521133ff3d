"""Envoy with a file of `deploy/envoy`, before a real server of the suite's runtime."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from gateway.access.principals import caller_of, origin_of
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from tests.deploy.tools import DEPLOY, ROOT, path_of, run
from tests.fakes.running_server import running

VERSION = "9.8.7"
INFO = "/parley.gateway.v1.GatewayService/GetServerInfo"
ADMIN = """
admin: {address: {socket_address: {address: 127.0.0.1, port_value: %d}}}
"""
START_SECONDS = 10.0


class Gateway(gateway_pb2_grpc.GatewayServiceServicer):
    """Says its version, and remembers the principals and the origin of each call."""

    def __init__(self) -> None:
        self.callers: list[tuple[str, ...]] = []
        self.origins: list[str] = []

    async def GetServerInfo(self, request: Any, context: Any) -> Any:
        self.callers.append(caller_of(context))
        self.origins.append(origin_of(context))
        return gateway_pb2.GetServerInfoResponse(version=VERSION)


@asynccontextmanager
async def envoy(name: str, folder: Path, gateway: Gateway, free_port: Callable[[], int]) -> AsyncIterator[int]:
    """The port of an Envoy that listens, with `deploy/envoy/NAME`.

    Args:
        folder: stands for /etc/envoy; gets the contract, and the file itself.
    """
    program = path_of("envoy")
    async with running(gateway) as server:
        port, admin = free_port(), free_port()
        file = placed(name, folder, server.port, port)
        file.write_text(file.read_text(encoding="utf-8") + ADMIN % admin, encoding="utf-8")
        options = ("--use-dynamic-base-id", "--concurrency", "1", "--log-level", "error")
        process = await asyncio.create_subprocess_exec(program, "-c", str(file), *options)
        try:
            await _listening(process, admin)
            yield port
        finally:
            process.terminate()
            await process.wait()


def placed(name: str, folder: Path, gateway_port: int = 50051, port: int = 8080) -> Path:
    """A file of `deploy/envoy` in the folder, with ports of its own, beside the contract."""
    built = run("buf", "build", "-o", str(folder / "parley.binpb"), "--as-file-descriptor-set", cwd=ROOT)
    assert built.returncode == 0, built.stderr
    text = (DEPLOY / "envoy" / name).read_text(encoding="utf-8").replace("/etc/envoy", str(folder))
    for default in (8080, 8443):
        text = text.replace(f"port_value: {default}", f"port_value: {port}")
    file = folder / name
    text = text.replace("address: 0.0.0.0", "address: 127.0.0.1")
    file.write_text(text.replace("port_value: 50051", f"port_value: {gateway_port}"), encoding="utf-8")
    return file


async def _listening(process: asyncio.subprocess.Process, admin: int) -> None:
    """Wait until Envoy is LIVE and its cluster has an answer to the first health check."""
    async with asyncio.timeout(START_SECONDS):
        while b"health_flags::healthy" not in await _ask(admin, "/ready", "/clusters"):
            assert process.returncode is None, "Envoy has ended"
            await asyncio.sleep(0.05)


async def _ask(admin: int, *paths: str) -> bytes:
    answers = b""
    for path in paths:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", admin)
        except OSError:
            return b""
        writer.write(f"GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        if b"200 OK" not in answer:
            return b""
        answers += answer
    return answers
