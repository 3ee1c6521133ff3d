"""Every client does what the scenarios say, against the same suite."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from bench.suite import RunningSuite, running_suite
from tests.clients.breaking_proxy import BreakingProxy, breaking_proxy
from tests.clients.python_steps import PythonRun
from tests.clients.scenario_files import NAMES, steps, written
from tools.client_stubs.go import generate_go
from tools.client_stubs.java import FOLDER, write_contracts
from tools.client_stubs.rust import generate_rust

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
    run(suite, proxy, tmp_path, str(program))


@pytest.mark.toolchain
def test_the_rust_client(suite: RunningSuite, proxy: BreakingProxy, tmp_path: Path) -> None:
    environment = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "build" / "rust")}
    for command in (["test", "--quiet", "--lib"], ["build", "--quiet", "--examples"]):
        subprocess.run([tool("cargo"), *command], cwd=ROOT / "clients" / "rust", env=environment, check=True)
    examples = ROOT / "build" / "rust" / "debug" / "examples"
    run(suite, proxy, tmp_path, str(examples / "scenario"))
    converse(suite, str(examples / "ask"))


@pytest.mark.toolchain
def test_the_java_client(suite: RunningSuite, proxy: BreakingProxy, tmp_path: Path) -> None:
    build = ROOT / "build" / "java"
    write_contracts(FOLDER)
    subprocess.run([tool("mvn"), "-B", "-q", "package"], cwd=ROOT / "clients" / "java", check=True)
    folders = [str(build / "classes"), str(build / "test-classes"), (build / "class-path.txt").read_text()]
    java = [tool("java"), "-cp", os.pathsep.join(folders)]
    run(suite, proxy, tmp_path, *java, "ai.parley.client.scenario.Scenarios")
    converse(suite, *java, str(ROOT / "clients" / "java" / "example" / "Ask.java"))


@pytest.mark.toolchain
@pytest.mark.parametrize(
    ("program", "generate", "folder", "ending"),
    [("go", generate_go, "go/gen", "*.go"), ("cargo", generate_rust, "rust/src/proto", "*.rs")],
    ids=["go", "rust"],
)
def test_the_generated_code_is_current(
    tmp_path: Path, program: str, generate: Callable[[Path], None], folder: str, ending: str
) -> None:
    tool(program)
    language, _, path = folder.partition("/")
    generate(tmp_path)
    fresh, committed = (files_below(root / path, ending) for root in (tmp_path, ROOT / "clients" / language))
    assert fresh == committed, "run `python -m tools.client_stubs`"


def files_below(folder: Path, ending: str) -> dict[str, str]:
    return {f"{path.relative_to(folder)}": path.read_text(encoding="utf-8") for path in folder.rglob(ending)}
