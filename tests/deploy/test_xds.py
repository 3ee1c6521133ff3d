"""Channels to `xds:///NAME`: a control plane says which processes serve a name, and no proxy stands between."""

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from libs.runtime.calling.channel import ChannelSettings, open_channel, unary
from libs.runtime.errors import DeadlineExceeded, Unavailable
from libs.runtime.security.tls import TlsSettings
from libs.runtime.settings import ServerSettings
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from tests.deploy.envoys import Gateway
from tests.deploy.tools import ROOT, folder_of
from tests.fakes.certificates import Authority, CertificateFiles
from tests.fakes.running_server import running

serving = partial(running, settings=ServerSettings(port=0, lame_duck_seconds=0, drain_seconds=5))
NO_RETRIES = ChannelSettings(retries=False)
CALLERS = 8
SETTLE_SECONDS = 0.5
"""Longer than the control plane goes without looking at its file."""


@dataclass
class ControlPlane:
    """A running control plane."""

    file: Path

    def place(self, **addresses: list[str]) -> None:
        """Say where each service is."""
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(addresses))
        new.rename(self.file)


@pytest.fixture
def control_plane(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ControlPlane]:
    """Channels of this process, and of those that it starts, ask it."""
    plane = ControlPlane(tmp_path / "addresses.json")
    plane.place()
    command = [sys.executable, str(ROOT / "tests" / "deploy" / "control_plane.py"), str(plane.file)]
    environment = os.environ | {"PYTHONPATH": str(folder_of("xds_protos"))}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        server = {
            "server_uri": f"127.0.0.1:{process.stdout.readline().strip()}",
            "channel_creds": [{"type": "insecure"}],
            "server_features": ["xds_v3"],
        }
        bootstrap = tmp_path / "bootstrap.json"
        bootstrap.write_text(json.dumps({"xds_servers": [server], "node": {"id": "parley"}}))
        monkeypatch.setenv("GRPC_XDS_BOOTSTRAP", str(bootstrap))
        yield plane
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


class Named(Gateway):
    """A server whose version is its name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    async def GetServerInfo(self, request: object, context: object) -> gateway_pb2.GetServerInfoResponse:
        await asyncio.sleep(0.01)
        return gateway_pb2.GetServerInfoResponse(version=self.name)


async def name_of(stub: Any) -> str:
    """Which server a call got to."""
    answer = await unary(stub.GetServerInfo, gateway_pb2.GetServerInfoRequest(), timeout=10)
    return str(answer.version)


async def test_calls_are_spread_over_the_processes_that_serve_a_name(control_plane: ControlPlane) -> None:
    async with serving(Named("first")) as first, serving(Named("second")) as second:  # type: ignore[abstract]
        control_plane.place(gateway=[first.target, second.target])
        async with open_channel("xds:///gateway", NO_RETRIES) as channel:
            stub = gateway_pb2_grpc.GatewayServiceStub(channel)
            await name_of(stub)
            await asyncio.sleep(SETTLE_SECONDS)
            names = Counter([await name_of(stub) for _ in range(20)])
    assert names == {"first": 10, "second": 10}


async def test_no_call_fails_while_the_processes_of_a_name_are_replaced(control_plane: ControlPlane) -> None:
    calls: Counter[str] = Counter()

    async def call_on(stub: Any) -> None:
        while True:
            calls[await name_of(stub)] += 1

    async with serving(Named("new")) as new, serving(Named("old")) as old:  # type: ignore[abstract]
        control_plane.place(gateway=[old.target])
        async with open_channel("xds:///gateway", NO_RETRIES) as channel:
            stub = gateway_pb2_grpc.GatewayServiceStub(channel)
            callers = [asyncio.create_task(call_on(stub)) for _ in range(CALLERS)]
            for addresses in ([old.target, new.target], [new.target]):
                await asyncio.sleep(SETTLE_SECONDS)
                control_plane.place(gateway=addresses)
            await asyncio.sleep(SETTLE_SECONDS)
            await old.stop()
            await asyncio.sleep(SETTLE_SECONDS)
            assert [caller.exception() for caller in callers if caller.done()] == []
            for caller in callers:
                caller.cancel()
            await asyncio.gather(*callers, return_exceptions=True)
    assert calls["old"] > CALLERS
    assert calls["new"] > CALLERS


async def test_a_name_that_nobody_serves_is_unavailable(control_plane: ControlPlane) -> None:
    control_plane.place(gateway=[])
    async with open_channel("xds:///gateway", NO_RETRIES) as channel:
        with pytest.raises(Unavailable):
            await name_of(gateway_pb2_grpc.GatewayServiceStub(channel))


async def test_certificates_are_those_of_the_suite_s_own_settings(control_plane: ControlPlane, tmp_path: Path) -> None:
    authority = Authority()
    files = CertificateFiles(tmp_path / "tls").trust(authority).hold(authority, "parley.test")
    encrypted = TlsSettings(certificate=files.certificate, key=files.key, ca=str(files.ca), client_ca=files.ca)
    named = encrypted.model_copy(update={"server_name": "parley.test"})
    async with serving(Named("first"), tls=encrypted) as server:  # type: ignore[abstract]
        control_plane.place(gateway=[server.target])
        async with open_channel("xds:///gateway", NO_RETRIES, tls=named) as channel:
            assert await name_of(gateway_pb2_grpc.GatewayServiceStub(channel)) == "first"
        async with open_channel("xds:///gateway", NO_RETRIES, tls=TlsSettings()) as channel:
            with pytest.raises((Unavailable, DeadlineExceeded)):  # after or while it connects again
                await name_of(gateway_pb2_grpc.GatewayServiceStub(channel))
