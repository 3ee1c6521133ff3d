"""Takes the pictures of the web console over the samples: `python -m tools.console_pictures` (`make console-pictures`).

They are `docs/images/console-*.png`, in light and dark, at the width of a desk and of a phone.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.samples import ingest
from bench.suite import free_ports, running_suite
from tools.generate import ROOT


def main() -> int:
    """Start a suite, take the pictures, stop it."""
    port = free_ports(1)
    with tempfile.TemporaryDirectory(prefix="parley-pictures-") as folder:
        settings = {"PARLEY_ANSWER_PICTURES_SECONDS": "30"}  # the machine may be busy
        arguments = ("--web", "--web-port", str(port))
        with running_suite(Path(folder) / "data", settings, processes=1, arguments=arguments) as suite:
            ingest(suite)
            environment = {"CONSOLE_URL": f"http://127.0.0.1:{port}/", "PICTURES": str(ROOT / "docs" / "images")}
            command = ["node", str(ROOT / "web" / "browser" / "pictures.mjs")]
            return subprocess.run(command, env={**os.environ, **environment}, cwd=ROOT / "web").returncode


if __name__ == "__main__":
    sys.exit(main())
