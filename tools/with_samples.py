"""Runs a command beside a suite over the samples, and ends as the command does.

    .venv/bin/python tools/with_samples.py COMMAND…

The command finds the suite's address in the variable PARLEY_CLIENT_ADDRESS.
"""

import os
import subprocess
import sys

from bench.samples import suite_over_samples


def main(command: list[str]) -> int:
    """The command's exit code."""
    with suite_over_samples() as suite:
        return subprocess.run(command, env=os.environ | {"PARLEY_CLIENT_ADDRESS": suite.address}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
