"""The clients of all languages beside each other: `python -m bench.clients [TURNS]`.

Bytes of each package, the time to build it anew with its libraries fetched, and what `ask` takes over the generated
stub. The latter is timed against a gateway that replays the events of one turn of the samples at once; turns by the
stub and by the client alternate, and the first half of them is left out, as programs warm up. Their number: taste.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc

from bench.samples import report, suite_over_samples
from bench.suite import ROOT
from bench.turns import gateway_at
from parley.client import Parley
from parley.gateway.v1 import gateway_pb2

CLIENTS: Final = ROOT / "clients"
TURNS: Final = 600
GO: Final[Mapping[str, str]] = {"CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false"}


@dataclass(frozen=True, slots=True)
class Built:
    """A client's package, and the program that times its turns."""

    package: int
    """Bytes of what is published."""
    seconds: float
    """To build it."""
    program: Sequence[str]
    """Takes an address and a number of turns."""


def build_python(folder: Path) -> Built:
    """The wheel."""
    wheels = ROOT / "dist"
    seconds = _timed([sys.executable, "-m", "tools.client_package"], ROOT)
    package = max(wheels.glob("parley_client-*.whl"), key=lambda wheel: wheel.stat().st_mtime)
    return Built(package.stat().st_size, seconds, [sys.executable, "-m", "bench.clients", "--turns"])


def build_go(folder: Path) -> Built:
    """The module as the proxies pack it: a zip of its sources. The build is that of the program."""
    program = folder / "overhead"
    command = ["go", "build", "-o", str(program), "./overhead"]
    seconds = _timed(command, CLIENTS / "go", {**GO, "GOCACHE": str(folder / "cache")})
    packed = shutil.make_archive(str(folder / "module"), "zip", CLIENTS / "go")
    return Built(Path(packed).stat().st_size, seconds, [str(program)])


def build_rust(folder: Path) -> Built:
    """The crate; the build is optimized, and builds the libraries too."""
    environment = {"CARGO_TARGET_DIR": str(folder)}
    _timed(["cargo", "fetch", "--quiet"], CLIENTS / "rust", environment)
    command = ["cargo", "build", "--quiet", "--release", "--example", "overhead"]
    seconds = _timed(command, CLIENTS / "rust", environment)
    for contracts in ("protos/parley", "third_party"):
        shutil.copytree(ROOT / contracts, CLIENTS / "rust" / contracts, dirs_exist_ok=True)
    pack = ["cargo", "package", "--quiet", "--no-verify", "--allow-dirty", "--package", "parley-client"]
    _timed(pack, CLIENTS / "rust", environment)
    (crate,) = (folder / "package").glob("*.crate")
    return Built(crate.stat().st_size, seconds, [str(folder / "release" / "examples" / "overhead")])


def build_java(folder: Path) -> Built:
    """The jar, with the generated classes."""
    _timed([sys.executable, "-m", "tools.client_stubs", "java"], ROOT)
    build = ROOT / "build" / "java"
    shutil.rmtree(build, ignore_errors=True)
    seconds = _timed(["mvn", "-B", "-q", "package"], CLIENTS / "java")
    folders = [str(build / "classes"), str(build / "test-classes"), (build / "class-path.txt").read_text()]
    (jar,) = build.glob("parley-client-*.jar")
    program = ["java", "-cp", os.pathsep.join(folders), "ai.parley.client.scenario.Overhead"]
    return Built(jar.stat().st_size, seconds, program)


def build_typescript(folder: Path) -> Built:
    """The npm package."""
    _timed(["npm", "ci", "--no-audit", "--no-fund", "--silent"], CLIENTS / "typescript")
    seconds = _timed(["npm", "run", "build", "--silent"], CLIENTS / "typescript")
    _timed(["npm", "pack", "--silent", "--pack-destination", str(folder)], CLIENTS / "typescript")
    (package,) = folder.glob("*.tgz")
    program = ["node", str(CLIENTS / "typescript" / "dist" / "scenario" / "overhead.js")]
    return Built(package.stat().st_size, seconds, program)


BUILDS: Final[Mapping[str, Callable[[Path], Built]]] = {
    "Python": build_python,
    "Go": build_go,
    "Rust": build_rust,
    "Java": build_java,
    "TypeScript": build_typescript,
}


def _timed(command: Sequence[str], folder: Path, more: Mapping[str, str] | None = None) -> float:
    start = time.perf_counter()
    environment = {**os.environ, **(more or {})}
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def recorded_turn() -> list[bytes]:
    """The responses of a turn of the samples, encoded."""
    request = gateway_pb2.AskRequest(question="When did Phoenix land on Mars?")
    with suite_over_samples() as suite, gateway_at(suite.address) as stub:
        return [response.SerializeToString() for response in stub.Ask(request, timeout=60)]


@contextmanager
def replaying(responses: Sequence[bytes]) -> Iterator[str]:
    """A gateway that answers each question by these responses; its address."""

    def ask(request: bytes, context: Any) -> Iterator[bytes]:
        yield from responses

    server = grpc.server(ThreadPoolExecutor(2))
    handlers: dict[str, Any] = {"Ask": grpc.unary_stream_rpc_method_handler(ask)}
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("parley.gateway.v1.GatewayService", handlers),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(None).wait()


def python_turns(address: str, turns: int) -> dict[str, list[float]]:
    """What the programs of the other languages do."""
    times: dict[str, list[float]] = {"stub": [], "client": []}
    request = gateway_pb2.AskRequest(question="When?")
    with Parley(address) as parley:
        for _ in range(turns):
            start = time.perf_counter()
            for _response in parley.stubs.gateway.Ask(request):
                pass
            middle = time.perf_counter()
            for _event in parley.ask("When?"):
                pass
            times["stub"].append(middle - start)
            times["client"].append(time.perf_counter() - middle)
    return times


def row(language: str, built: Built, address: str, turns: int) -> tuple[str, ...]:
    """A line of the table."""
    process = subprocess.run([*built.program, address, str(turns)], capture_output=True, check=True)
    times = json.loads(process.stdout)
    by_stub, by_client = (statistics.median(times[way][turns // 2 :]) * 1000 for way in ("stub", "client"))
    overhead = f"{by_stub:.2f} -> {by_client:.2f} ms, {(by_client - by_stub) * 1000:+.0f} µs"
    return language, f"{built.package / 1000:,.0f} kB", f"{built.seconds:.1f} s", overhead


def main(arguments: Sequence[str]) -> None:
    """Build, measure and print."""
    if arguments[:1] == ["--turns"]:
        sys.stdout.write(json.dumps(python_turns(arguments[1], int(arguments[2]))))
        return
    turns = int(arguments[0]) if arguments else TURNS
    responses = recorded_turn()
    rows = []
    with replaying(responses) as address:
        for language, build in BUILDS.items():
            with tempfile.TemporaryDirectory(prefix="parley-client-") as folder:
                rows.append(row(language, build(Path(folder)), address, turns))
    title = f"Clients: package, build, a turn of {len(responses)} events by stub -> by client (medians)"
    report(title, rows, ("client", "package", "build", "turn"))


if __name__ == "__main__":
    main(sys.argv[1:])
