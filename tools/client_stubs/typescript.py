"""The contracts' TypeScript, and that of the details of errors. The plugin is pinned by the client's lock file."""

import shutil
import subprocess
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from google import rpc
from grpc_tools import protoc  # type: ignore[import-untyped]

from tools.client_package import generate_without_rules
from tools.generate import ROOT

FOLDER: Final = ROOT / "clients" / "typescript"
PLUGIN: Final = FOLDER / "node_modules" / ".bin" / "protoc-gen-es"
DETAILS: Final = "google/rpc/error_details.proto"


def generate_typescript(target: Path) -> None:
    """Replace the generated modules below the folder.

    Raises:
        SystemExit: the contracts do not compile.
        subprocess.CalledProcessError: the plugin cannot be installed.
    """
    install_plugin()
    modules = target / "gen"
    shutil.rmtree(modules, ignore_errors=True)
    modules.mkdir(parents=True)
    outputs = [
        f"--plugin=protoc-gen-es={PLUGIN}",
        f"--es_out={modules}",
        "--es_opt=target=ts,import_extension=js",
    ]
    generate_without_rules(lambda _: outputs)
    _generate_details(outputs)


def install_plugin(npm: str = "npm") -> None:
    """Install what the client is built with, unless it is there.

    Raises:
        subprocess.CalledProcessError: it cannot be installed.
    """
    if not PLUGIN.exists():
        subprocess.run([npm, "ci", "--no-audit", "--no-fund", "--silent"], cwd=FOLDER, check=True)


def _generate_details(outputs: Sequence[str]) -> None:
    includes = [Path(rpc.__path__[0]).parents[1], files("grpc_tools") / "_proto"]
    if protoc.main(["protoc", *(f"-I{folder}" for folder in includes), *outputs, DETAILS]):
        raise SystemExit(f"{DETAILS} does not compile")
