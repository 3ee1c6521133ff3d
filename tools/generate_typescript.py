"""Generates the contracts' TypeScript: `python -m tools.generate_typescript [FOLDER]`.

The console and the TypeScript client use this code. It is committed, as the console is built where no compiler of
contracts is. The contracts come without their validation rules, which only servers read. The plugin is the one that
`web/package.json` pins; `npm ci` in `web/` installs it.
"""

import shutil
import sys
from pathlib import Path
from typing import Final

from tools.client_package import generate_without_rules
from tools.generate import ROOT

FOLDER: Final = ROOT / "clients" / "typescript" / "gen"
PLUGIN: Final = ROOT / "web" / "node_modules" / ".bin" / "protoc-gen-es"


def generate(target: Path) -> None:
    """Replace the generated code in the folder.

    Raises:
        SystemExit: the plugin is not installed, or the contracts do not compile.
    """
    if not PLUGIN.exists():
        raise SystemExit("protoc-gen-es is not installed: run `npm ci` in web/")
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True, exist_ok=True)
    options = "target=ts,import_extension=js"
    generate_without_rules(
        lambda names: [f"--plugin=protoc-gen-es={PLUGIN}", f"--es_out={target}", f"--es_opt={options}"]
    )


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
