"""The programs that check deployment files; tests skip where one is not installed."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


def run(program: str, *arguments: str, cwd: Path = DEPLOY) -> subprocess.CompletedProcess[str]:
    """Run a program of the PATH; the test is skipped if it is not there."""
    path = shutil.which(program)
    if path is None:
        pytest.skip(f"{program} is not installed")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HELM_")}
    return subprocess.run(
        [path, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
