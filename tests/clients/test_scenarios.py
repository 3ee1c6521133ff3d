"""Every client does what the scenarios say, against the same suite."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from bench.suite import RunningSuite, running_suite
from tests.clients.breaking_proxy import BreakingProxy, breaking_proxy
from tests.clients.python_steps import PythonRun
from tests.clients.scenario_files import NAMES, steps, written
from tools.client_stubs import generate_go

ROOT: Final = Path(__file__).parents[2]
REQUIRED: Final = "PARLEY_REQUIRE_CLIENTS"
"""Set by `make clients`: a missing toolchain is a failure."""

pytestmark = [pytest.mark.xdist_group("clients"), pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSuite]:
    with running_suite(tmp_path_factory.mktemp("suite") / "data", processes=1) as running:
        running.parley("ingest", str(ROOT / "samples" / "corpus"))
        yield running


@pytest.fixture
def proxy(suite: RunningSuite) -> Iterator[BreakingProxy]:
    with breaking_proxy(suite.port) as proxy:
        yield proxy


@pytest.mark.parametrize("name", NAMES)
def test_the_python_client(suite: RunningSuite, proxy: BreakingProxy, name: str) -> None:
    run = PythonRun(suite.address, proxy.address)
    for kind, step in steps(name):
        run.step(kind, step)
    assert proxy.breaks == (name == "resuming")


def tool(name: str) -> str:
    """A program of a toolchain; without it the test is skipped, or fails where it is required."""
    path = shutil.which(name)
    if path is None and REQUIRED in os.environ:
        pytest.fail(f"{name} is not installed")
    if path is None:
        pytest.skip(f"needs {name}")
    return path


def run(suite: RunningSuite, proxy: BreakingProxy, folder: Path, *command: str) -> None:
    """Run a client's program over all scenarios."""
    plan = written(folder, suite.address, proxy.address)
    process = subprocess.run([*command, str(plan)], capture_output=True, text=True, check=False, timeout=300)
    assert process.returncode == 0, process.stdout + process.stderr
    assert [line for line in process.stdout.splitlines() if line] == [f"{name}: ok" for name in NAMES]
    assert proxy.breaks == 1


@pytest.mark.toolchain
def test_the_go_client(suite: RunningSuite, proxy: BreakingProxy, tmp_path: Path) -> None:
    program = tmp_path / "scenario"
    environment = {**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false"}
    build = [tool("go"), "build", "-o", str(program), "./scenario"]
    subprocess.run(build, cwd=ROOT / "clients" / "go", env=environment, check=True)
    run(suite, proxy, tmp_path, str(program))


@pytest.mark.toolchain
def test_the_generated_go_is_current(tmp_path: Path) -> None:
    tool("go")
    generate_go(tmp_path)
    fresh, committed = (files_below(folder / "gen") for folder in (tmp_path, ROOT / "clients" / "go"))
    assert fresh == committed, "run `python -m tools.client_stubs`"


def files_below(folder: Path) -> dict[str, str]:
    return {f"{path.relative_to(folder)}": path.read_text(encoding="utf-8") for path in folder.rglob("*.go")}
