"""The commands of the README and the documentation, as a reader would copy them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt

from tests.system.door import ROOT

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page.parent.name != "reference"),
]
"""The reference pages are generated from the code; their blocks are synopses."""

NO_COMMANDS = {
    "> When did Phoenix land on Mars?": "output of `make demo`",
    "client ──►": "a diagram and a list of folders",
    "client (any language": "a diagram",
    'text "It landed on"': "a diagram",
    "[1] Travel guide": "output",
    '{"id": "leave-2"': "a line of a file",
    "from parley.client.evaluation": "Python",
    "import grpc": "Python",
}
"""Blocks that hold no commands, by how they begin."""


@dataclass(frozen=True)
class Block:
    """A code block of a page."""

    page: str
    """Its path in the repository."""
    text: str
    language: str = ""
    """Of a fenced block; empty for commands."""

    @property
    def is_commands(self) -> bool:
        """Whether a shell would run it."""
        return not self.language and not any(self.text.lstrip().startswith(beginning) for beginning in NO_COMMANDS)

    @property
    def commands(self) -> tuple[str, ...]:
        """One command each, a continued line joined; empty for a block without commands."""
        if not self.is_commands:
            return ()
        lines = re.sub(r"\\\n\s*", "", self.text).splitlines()
        return tuple(line.strip() for line in lines if line.strip())


def blocks() -> Iterator[Block]:
    """All code blocks, in the order of the pages."""
    for page in PAGES:
        for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
            if token.type in ("code_block", "fence"):
                yield Block(page.relative_to(ROOT).as_posix(), token.content, token.info.strip())


def block_beginning(beginning: str) -> str:
    """The text of the only block that begins so."""
    (block,) = [block for block in blocks() if block.text.lstrip().startswith(beginning)]
    return block.text


def inline_commands() -> Iterator[tuple[str, str]]:
    """Page and text of `make …` and `parley …` within sentences and tables."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for command in re.findall(r"`((?:make|parley) [a-z][^`\n]*)`", text):
            yield page.relative_to(ROOT).as_posix(), command


def words(command: str) -> list[str]:
    """The words that the shell makes of a command, without its comment."""
    return shlex.split(command, comments=True)


def plain(command: str) -> str:
    """The command without comment, quotation marks and repeated spaces: how tables name it."""
    return " ".join(words(command))
