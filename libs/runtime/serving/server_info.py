"""The server info service of every process: its name and version, and the engine of each task."""
# ruff: noqa: N802 - gRPC method names

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from typing import Any

from parley.runtime.v1 import server_info_pb2, server_info_pb2_grpc


@dataclass(frozen=True, slots=True)
class Capability:
    """A task's engine: ("condense", "rules"), ("embed", "onnx", "a model's name"); "none" if it can't be done."""

    task: str
    engine: str
    detail: str = ""


def own_version() -> str:
    """The version of the installed suite; "0" if it isn't installed."""
    try:
        return version_of("parley")
    except PackageNotFoundError:
        return "0"


class ServerInfoServicer(server_info_pb2_grpc.ServerInfoServiceServicer):
    """Returns the information that was collected when the process started."""

    def __init__(self, name: str, capabilities: Sequence[Capability], version: str) -> None:
        self._info = server_info_pb2.GetServerInfoResponse(
            name=name,
            version=version,
            capabilities=[
                server_info_pb2.Capability(task=c.task, engine=c.engine, detail=c.detail) for c in capabilities
            ],
            python_version=platform.python_version(),
        )
        self._info.started_at.GetCurrentTime()

    async def GetServerInfo(self, request: Any, context: Any) -> Any:
        return self._info
