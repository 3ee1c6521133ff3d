"""Writes the reference pages into `docs/reference`, made of the code and the compiled contracts; blocks."""

from collections.abc import Mapping

from tools.generate import ROOT
from tools.reference.commands import commands_page
from tools.reference.contracts import read_contracts
from tools.reference.errors import errors_page
from tools.reference.events import events_page
from tools.reference.rpcs import rpcs_page
from tools.reference.settings import settings_page


def pages() -> Mapping[str, str]:
    """Generate the pages: {file name: Markdown}. They depend on the code alone, never on the environment."""
    contracts = read_contracts()
    return {
        "command-line.md": commands_page(),
        "settings.md": settings_page(),
        "rpcs.md": rpcs_page(contracts),
        "events.md": events_page(contracts),
        "errors.md": errors_page(contracts),
    }


if __name__ == "__main__":
    for name, text in pages().items():
        (ROOT / "docs" / "reference" / name).write_text(text, encoding="utf-8")
