"""The contracts' Rust. The generator is a crate of the client's workspace."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from tools.client_package import write_without_rules
from tools.generate import ROOT

FOLDER: Final = ROOT / "clients" / "rust"
GENERATED: Final = Path("src") / "proto"


def generate_rust(target: Path) -> None:
    """Replace the generated modules below the folder.

    Raises:
        SystemExit: the contracts do not compile.
        subprocess.CalledProcessError: the generator cannot be built, or refuses the contracts.
    """
    modules = target / GENERATED
    shutil.rmtree(modules, ignore_errors=True)
    modules.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        descriptors = Path(folder) / "contracts.binpb"
        write_without_rules(descriptors)
        generator = ["cargo", "run", "--quiet", "--package", "generate", "--", str(descriptors), str(modules)]
        environment = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "build" / "rust")}
        subprocess.run(generator, cwd=FOLDER, env=environment, check=True)
