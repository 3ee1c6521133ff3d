"""The client is a part of the project that stands alone: beside the generated stubs it needs nothing of the suite."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_it_needs_the_stubs_and_nothing_else_of_the_suite() -> None:
    code = "import sys, parley.client.evaluation; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert {"parley", "grpc", "google"} <= loaded
    assert not loaded & {"libs", "services", "gateway", "pydantic", "numpy", "openai", "structlog", "protovalidate"}


def test_stubs_and_client_are_one_package_of_two_folders() -> None:
    folders = [ROOT / "protos" / "gen" / "parley", ROOT / "clients" / "python" / "parley"]
    assert not any((folder / "__init__.py").exists() for folder in folders)
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    packaged = {ROOT / folder for folder in build["targets"]["wheel"]["packages"]}
    assert set(folders) <= packaged
    assert {folder.parent for folder in folders} <= {ROOT / folder for folder in build["dev-mode-dirs"]}
