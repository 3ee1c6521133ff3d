"""Generates the code of the clients that is committed: `python -m tools.client_stubs [LANGUAGE…]`.

Go modules, Rust crates and TypeScript sources are used from the repository as they are, so their code is committed;
tests say whether it is current. Java is used as a jar: its build generates its 9.5 MB from what is written here. All of
it comes from the contracts without their validation rules, which only servers read.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tools.client_stubs import go, java, rust, typescript

GENERATORS: Final[Mapping[str, tuple[Callable[[Path], None], Path]]] = {
    "go": (go.generate_go, go.FOLDER),
    "java": (java.write_contracts, java.FOLDER),
    "rust": (rust.generate_rust, rust.FOLDER),
    "typescript": (typescript.generate_typescript, typescript.FOLDER),
}


def main(languages: list[str]) -> None:
    """Generate the code of these languages; of all of them if there are none."""
    for language in languages or GENERATORS:
        generate, folder = GENERATORS[language]
        generate(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
