"""The previous release, and suites whose gateway and stages are of two releases."""

import os
import secrets
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from bench.suite import PARLEY, ROOT, environment_of, free_ports, is_serving, tree_of
from cli.suite.running import INFERENCE
from gateway.names import STAGES
from gateway.settings import GatewaySettings
from tests.system.waiting import wait_for

PREVIOUS: Final = "c5b99a653840bcc39cee4c7c5f59a69939467ff1"
"""What this checkout is upgraded from: a tag or commit. docs/how-to/release.md says when it changes."""
START_SECONDS: Final = 240.0


@contextmanager
def previous_release() -> Iterator[Path]:
    """The files of the previous release; without the history that holds it the test ends here."""
    command = ("git", "cat-file", "-e", f"{PREVIOUS}^{{commit}}")
    try:
        is_known = subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        is_known = False
    if not is_known:
        pytest.skip(f"this checkout has no history with the previous release, {PREVIOUS[:12]}")
    with tree_of(PREVIOUS) as tree:
        yield tree


@dataclass(frozen=True)
class Side:
    """What a gateway or the stages run: the code of a release, and settings of their own."""

    tree: Path | None = None
    """The checkout whose code it is; None for this one's."""
    settings: Mapping[str, str] | None = None


@dataclass(frozen=True)
class MixedSuite:
    """A gateway in one process, the stages in another."""

    port: int
    """The gateway's."""

    @property
    def address(self) -> str:
        """The gateway's."""
        return f"127.0.0.1:{self.port}"


@contextmanager
def mixed_suite(data: Path, gateway: Side, stages: Side) -> Iterator[MixedSuite]:
    """A suite over `data` while its processes run; each ends with 0."""
    port = free_ports(2)
    of_stages = f"127.0.0.1:{port + 1}"
    addresses = {GatewaySettings.variable(name): of_stages for name in STAGES}
    common = dict.fromkeys(INFERENCE, of_stages) | {
        "PARLEY_GATEWAY_DATA": str(data),
        "PARLEY_RETRIEVE_DATA": str(data),
        "PARLEY_ANSWER_PICTURES_SECONDS": "30",  # the machine may be busy
    }
    data.mkdir(exist_ok=True)
    with ExitStack() as stack:
        stack.enter_context(_serving(stages, STAGES, port + 1, common, data / "stages.log"))
        stack.enter_context(_serving(gateway, ("gateway",), port, common | addresses, data / "gateway.log"))
        yield MixedSuite(port)


@contextmanager
def _serving(side: Side, names: tuple[str, ...], port: int, common: Mapping[str, str], log: Path) -> Iterator[None]:
    environment = {**environment_of(side.tree), **common, **(side.settings or {})}
    command = [*PARLEY, "serve", *names, "--port", str(port)]
    with log.open("ab") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, cwd=side.tree or ROOT, env=environment)
    try:
        wait_for(lambda: process.poll() is not None or is_serving(f"127.0.0.1:{port}"), START_SECONDS)
        assert process.poll() is None, log.read_text()
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        code = process.wait(timeout=60)
    assert code == 0, log.read_text()


def secret_in(folder: Path) -> dict[str, str]:
    """The setting of a new secret of the suite."""
    file = folder / "suite.secret"
    file.touch(mode=0o600)
    file.write_text(secrets.token_hex(32))
    return {"PARLEY_TRUST_SECRET": os.fspath(file)}
