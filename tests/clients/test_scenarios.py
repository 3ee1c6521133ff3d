"""Every client does what the scenarios say, against the same suite."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from bench.suite import RunningSuite, free_ports, running_suite
from tests.clients.breaking_proxy import BreakingProxy, breaking_proxy
from tests.clients.python_steps import PythonRun
from tests.clients.scenario_files import NAMES, steps, written
from tests.system.waiting import wait_for
from tools.client_stubs import GO, generate_go, write_java

ROOT: Final = Path(__file__).parents[2]
TYPESCRIPT: Final = ROOT / "clients" / "typescript"
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


def run(address: str, proxy: BreakingProxy, folder: Path, *command: str, more: Sequence[str] = ()) -> None:
    """Run a client's program over all scenarios."""
    plan = written(folder, address, proxy.address)
    process = subprocess.run([*command, str(plan), *more], capture_output=True, text=True, check=False, timeout=300)
    assert process.returncode == 0, process.stdout + process.stderr
    assert [line for line in process.stdout.splitlines() if line] == [f"{name}: ok" for name in NAMES]
    assert proxy.breaks == 1


def converse(suite: RunningSuite, *command: str) -> None:
    """Run a client's example: a question and a follow-up."""
    process = subprocess.run([*command, suite.address], capture_output=True, text=True, check=False, timeout=60)
    assert process.returncode == 0, process.stderr
    first, second = process.stdout.find("25 May 2008"), process.stdout.find("Spirit")
    assert 0 <= first < second, process.stdout


@pytest.mark.toolchain
def test_the_go_client(suite: RunningSuite, proxy: BreakingProxy, tmp_path: Path) -> None:
    program = tmp_path / "scenario"
    environment = {**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false"}
    build = [tool("go"), "build", "-o", str(program), "./scenario"]
    subprocess.run(build, cwd=ROOT / "clients" / "go", env=environment, check=True)
    run(suite.address, proxy, tmp_path, str(program))


@pytest.mark.toolchain
def test_the_rust_client(suite: RunningSuite, proxy: BreakingProxy, tmp_path: Path) -> None:
    environment = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "build" / "rust")}
    for command in (["test", "--quiet", "--lib"], ["build", "--quiet", "--examples"]):
        subprocess.run([tool("cargo"), *command], cwd=ROOT / "clients" / "rust", env=environment, check=True)
    examples = ROOT / "build" / "rust" / "debug" / "examples"
    run(suite.address, proxy, tmp_path, str(examples / "scenario"))
    converse(suite, str(examples / "ask"))


@pytest.mark.toolchain
def test_the_java_client(suite: RunningSuite, proxy: BreakingProxy, tmp_path: Path) -> None:
    build = ROOT / "build" / "java"
    write_java()
    subprocess.run([tool("mvn"), "-B", "-q", "package"], cwd=ROOT / "clients" / "java", check=True)
    folders = [str(build / "classes"), str(build / "test-classes"), (build / "class-path.txt").read_text()]
    java = [tool("java"), "-cp", os.pathsep.join(folders)]
    run(suite.address, proxy, tmp_path, *java, "ai.parley.client.scenario.Scenarios")
    converse(suite, *java, str(ROOT / "clients" / "java" / "example" / "Ask.java"))


@pytest.mark.toolchain
def test_the_typescript_client_on_node(suite: RunningSuite, proxy: BreakingProxy, tmp_path: Path) -> None:
    build_typescript()
    subprocess.run(["npm", "test", "--silent"], cwd=TYPESCRIPT, check=True, stdout=subprocess.DEVNULL)
    run(suite.address, proxy, tmp_path, tool("node"), str(TYPESCRIPT / "dist" / "scenario" / "scenario.js"))
    converse(suite, tool("node"), str(TYPESCRIPT / "dist" / "example" / "ask.js"))


@pytest.mark.toolchain
def test_the_typescript_client_of_browsers(suite: RunningSuite, tmp_path: Path) -> None:
    build_typescript()
    program = [tool("node"), str(TYPESCRIPT / "dist" / "scenario" / "scenario.js")]
    with doors(suite.address) as address, breaking_proxy(int(address.rpartition(":")[2])) as proxy:
        run(address, proxy, tmp_path, *program, more=["web"])


def build_typescript() -> None:
    if not (TYPESCRIPT / "node_modules").exists():
        subprocess.run([tool("npm"), "ci", "--no-audit", "--no-fund", "--silent"], cwd=TYPESCRIPT, check=True)
    subprocess.run([tool("npm"), "run", "build", "--silent"], cwd=TYPESCRIPT, check=True)


@contextmanager
def doors(gateway: str) -> Iterator[str]:
    """The process that speaks gRPC-Web, before a gateway; its address."""
    address = f"127.0.0.1:{free_ports(1)}"
    environment = {**os.environ, "PARLEY_DOORS_GATEWAY": gateway}
    command = [sys.executable, "-m", "doors", "--port", address.rpartition(":")[2]]
    process = subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: is_open(address), 60)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=60)


def is_open(address: str) -> bool:
    host, _, port = address.partition(":")
    with socket.socket() as probe:
        return probe.connect_ex((host, int(port))) == 0


@pytest.mark.toolchain
def test_the_committed_go_code_is_current(tmp_path: Path) -> None:
    tool("go")
    generate_go(tmp_path)
    fresh, committed = (files_below(folder / "gen") for folder in (tmp_path, GO))
    assert fresh == committed, "run `python -m tools.client_stubs go`"


def files_below(folder: Path) -> dict[str, str]:
    return {f"{path.relative_to(folder)}": path.read_text(encoding="utf-8") for path in folder.rglob("*.go")}
