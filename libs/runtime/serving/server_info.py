"""The server info service of every process: its name and version, the engine of each task, a digest of its settings."""
# ruff: noqa: N802 - gRPC method names

import hashlib
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any, Final

from libs.runtime.settings import settings_file
from parley.runtime.v1 import server_info_pb2, server_info_pb2_grpc

SECRETS: Final = ("key", "password", "token", "secret")
"""Settings whose name ends so are left out: a digest must not help to guess them."""
OWN: Final = ("server_", "config", "port")
"""How names of settings begin in which processes that do the same may differ: addresses, limits, logs."""
MAX_BYTES: Final = 4 * 1024 * 1024
"""Files beyond this size count by their size alone."""


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
            settings_digest=settings_digest(),
        )
        self._info.started_at.GetCurrentTime()

    async def GetServerInfo(self, request: Any, context: Any) -> Any:
        return self._info


def settings_digest() -> str:
    """Return a digest of the settings from the environment and the TOML file.

    A file that a setting names counts with its content, and so do the text files in a folder that a setting names,
    such as prompts of one's own.
    """
    digest = hashlib.blake2b(digest_size=16)
    for name, value in sorted({**_file_settings(), **_variables()}.items()):
        if not name.endswith(SECRETS) and not name.startswith(OWN):
            digest.update(f"{name}\0{value}\0".encode())
            for content in _contents(value):
                digest.update(content)
    return digest.hexdigest()


def _variables() -> dict[str, str]:
    prefix = "PARLEY_"
    return {name.removeprefix(prefix).lower(): value for name, value in os.environ.items() if name.startswith(prefix)}


def _file_settings() -> dict[str, str]:
    return {name.replace("__", "_", 1): str(value) for name, value in _flat(settings_file())}


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}__")
        else:
            yield f"{prefix}{name}", value


def _contents(value: str) -> Iterator[bytes]:
    try:
        path = Path(value)
        files = [path] if path.is_file() else sorted(path.glob("*.txt")) if value and path.is_dir() else []
        for file in files:
            size = file.stat().st_size
            yield f"{file.name}\0{size}\0".encode()
            if size <= MAX_BYTES:
                yield file.read_bytes()
    except (OSError, ValueError):  # not a path, or one that cannot be read
        return
