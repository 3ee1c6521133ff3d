"""Generates what clients of other languages need before their own build: `python -m tools.client_stubs [go | java]`.

A Go module is used from the repository as it is, so its code is committed; a test says whether it is current. The
build of the Java client generates its code from the descriptor set that is written here. Both leave out the
validation rules, which only servers read. The builds of the TypeScript and Rust clients read `protos/` themselves.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tools.client_package import generate_without_rules, write_without_rules
from tools.generate import ROOT

GO: Final = ROOT / "clients" / "go"
GO_MODULE: Final = "github.com/parley-qa/parley/clients/go"
GO_PLUGINS: Final = ROOT / "build" / "client-tools"
JAVA: Final = ROOT / "build" / "clients"


def generate_go(target: Path = GO) -> None:
    """Replace the generated packages below the folder, by the plugins that `clients/go/go.mod` pins.

    Raises:
        SystemExit: the contracts do not compile.
        subprocess.CalledProcessError: the plugins cannot be built.
    """
    GO_PLUGINS.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false"}
    subprocess.run(["go", "build", "-o", f"{GO_PLUGINS}{os.sep}", "tool"], cwd=GO, env=environment, check=True)
    shutil.rmtree(target / "gen", ignore_errors=True)
    target.mkdir(parents=True, exist_ok=True)
    generate_without_rules(lambda names: _go_options(target, names))


def _go_options(target: Path, names: Sequence[str]) -> list[str]:
    packages = [f"M{name}={GO_MODULE}/gen/{_go_package(name)}" for name in names]
    kinds = ("go", "go-grpc")
    return [
        *(f"--plugin=protoc-gen-{kind}={GO_PLUGINS / f'protoc-gen-{kind}'}" for kind in kinds),
        *(f"--{kind}_out={target}" for kind in kinds),
        *(f"--{kind}_opt={option}" for kind in kinds for option in (f"module={GO_MODULE}", *packages)),
    ]


def _go_package(name: str) -> str:
    """The Go package of a contract: `gatewayv1` for `parley/gateway/v1/event.proto`."""
    _, area, version, _ = name.split("/")
    return f"{area}{version}"


def write_java(target: Path = JAVA) -> None:
    """Write `contracts.binpb` and `contracts.binpb.names` into the folder, where `clients/java/pom.xml` looks for them.

    Raises:
        SystemExit: the contracts do not compile.
    """
    target.mkdir(parents=True, exist_ok=True)
    names = write_without_rules(target / "contracts.binpb")
    (target / "contracts.binpb.names").write_text(" ".join(names), encoding="utf-8")


if __name__ == "__main__":
    for language in sys.argv[1:] or ("go", "java"):
        {"go": generate_go, "java": write_java}[language]()
