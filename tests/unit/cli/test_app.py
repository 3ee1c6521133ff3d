"""The command line takes commands of other installed packages, and ends in order if its output cannot be written."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import command_line
from libs.runtime.serving.server_info import own_version
from tests.unit.cli.conftest import ScriptedGateway

GREET = """
import typer

app = typer.Typer()


@app.callback()
def about() -> None:
    pass


@app.command()
def greet(name: str) -> None:
    print(f"Hello, {name}.")
"""


def install(folder: Path) -> None:
    """A package with a command, as an installer leaves it."""
    (folder / "greeting.py").write_text(GREET)
    about = folder / "greeting-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: greeting\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[parley.commands]\ngreeting = greeting:app\n")


def test_a_package_adds_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    result = CliRunner().invoke(command_line(), ["greeting", "greet", "Ada"])
    assert (result.exit_code, result.stdout) == (0, "Hello, Ada.\n")


def test_the_version_is_told() -> None:
    result = CliRunner().invoke(command_line(), ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"parley {own_version()}\n")


def test_an_output_that_cannot_be_written_is_told_in_one_line(gateway: ScriptedGateway) -> None:
    command = [sys.executable, "-m", "cli", "collections", "--port", str(gateway.port)]
    with Path("/dev/full").open("w") as full:
        process = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
    assert process.returncode != 0
    assert process.stderr.splitlines()[0] == "The output cannot be written: No space left on device."
    assert "Traceback" not in process.stderr
