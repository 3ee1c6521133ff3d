"""Writes the reference pages into `docs/reference`, or into the folder that is given."""

import sys
from pathlib import Path

from tools.generate import ROOT
from tools.reference.pages import pages

if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "reference"
    target.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (target / name).write_text(text, encoding="utf-8")
