"""The contracts' Go. The plugins are those that `clients/go/go.mod` pins."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tools.client_package import generate_without_rules
from tools.generate import ROOT

MODULE: Final = "github.com/parley-qa/parley/clients/go"
FOLDER: Final = ROOT / "clients" / "go"
PLUGINS: Final = ROOT / "build" / "client-tools"


def generate_go(target: Path) -> None:
    """Replace the generated packages below the folder.

    Raises:
        SystemExit: the contracts do not compile.
        subprocess.CalledProcessError: the plugins cannot be built.
    """
    build_plugins()
    shutil.rmtree(target / "gen", ignore_errors=True)
    target.mkdir(parents=True, exist_ok=True)
    generate_without_rules(lambda names: _options(target, names))


def build_plugins() -> None:
    """Build the plugins that the module pins."""
    PLUGINS.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false"}
    subprocess.run(["go", "build", "-o", f"{PLUGINS}{os.sep}", "tool"], cwd=FOLDER, env=environment, check=True)


def _options(target: Path, names: Sequence[str]) -> list[str]:
    packages = [f"M{name}={MODULE}/gen/{package_of(name)}" for name in names]
    options = [f"module={MODULE}", *packages]
    return [
        f"--plugin=protoc-gen-go={PLUGINS / 'protoc-gen-go'}",
        f"--plugin=protoc-gen-go-grpc={PLUGINS / 'protoc-gen-go-grpc'}",
        *(f"--{kind}_out={target}" for kind in ("go", "go-grpc")),
        *(f"--{kind}_opt={option}" for kind in ("go", "go-grpc") for option in options),
    ]


def package_of(name: str) -> str:
    """The Go package of a contract: `gatewayv1` for `parley/gateway/v1/event.proto`."""
    _, area, version, _ = name.split("/")
    return f"{area}{version}"
