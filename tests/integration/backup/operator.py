"""Who follows the guide's commands for copies: a shell in a folder, with the addresses that the processes have."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SECONDS: Final = 120


@dataclass(frozen=True)
class Operator:
    """A shell that stops at the first command that fails."""

    folder: Path
    """Where files are written."""
    settings: Mapping[str, str]
    """Environment variables."""
    programs: Path | None = None
    """The folder of programs that come before those of the machine."""

    def run(self, script: str) -> str:
        """Run the commands of a block and return their output; a command that fails fails the test."""
        path = os.pathsep.join(filter(None, [str(self.programs or ""), os.environ["PATH"]]))
        environment = {**os.environ, **self.settings, "PATH": path}
        process = subprocess.run(
            ["sh", "-e", "-c", script],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            cwd=self.folder,
            env=environment,
            check=False,
        )
        assert process.returncode == 0, f"{script}\n{process.stdout}{process.stderr}"
        return process.stdout
