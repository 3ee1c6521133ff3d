"""The programs that check and run deployment files: see `programs/README.md`."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


REQUIRED = "PARLEY_REQUIRE_PROGRAMS"
"""A missing program fails its tests if this variable is set; otherwise they are skipped."""


def path_of(program: str) -> str:
    """Where a program of the PATH is; without it the test ends here."""
    return shutil.which(program) or _missing(program)


def folder_of(package: str) -> Path:
    """The folder with a package of `programs/requirements.txt`, for PYTHONPATH; without it the test ends here."""
    folder = ROOT / "build" / "deploy-tools" / "python"
    return folder if any(folder.glob(f"{package}-*")) else Path(_missing(package))


def _missing(name: str) -> NoReturn:
    if os.environ.get(REQUIRED):
        pytest.fail(f"{name} is not installed: `make deploy-tools`")
    pytest.skip(f"{name} is not installed")


def run(program: str, *arguments: str, cwd: Path = DEPLOY) -> subprocess.CompletedProcess[str]:
    """Run a program of the PATH to its end."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HELM_")}
    return subprocess.run(
        [path_of(program), *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
