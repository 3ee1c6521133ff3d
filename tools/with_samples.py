"""Runs a command beside a suite over the samples, and ends as the command does.

    .venv/bin/python tools/with_samples.py COMMAND…

The command finds the suite's address in the variable PARLEY_CLIENT_ADDRESS.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.suite import running_suite

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
PARLEY = (sys.executable, "-m", "gateway.cli.app")


def main(command: list[str]) -> int:
    """The command's exit code."""
    with tempfile.TemporaryDirectory() as folder, running_suite(Path(folder) / "data") as suite:
        ingest = [*PARLEY, "ingest", str(SAMPLES / "corpus"), "--port", str(suite.port)]
        subprocess.run(ingest, check=True, stdout=subprocess.DEVNULL)
        environment = os.environ | {"PARLEY_CLIENT_ADDRESS": suite.address}
        return subprocess.run(command, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
