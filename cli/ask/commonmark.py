"""The text of an answer, CommonMark with tables, read into blocks as it comes."""

import re
from collections.abc import Iterator
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

MARKER: Final = "marker"
"""The type of a token that refers to a source, such as [1]."""
GROWING: Final = frozenset({"bullet_list_open", "ordered_list_open", "code_block"})
"""First tokens of blocks that may go on behind an empty line."""
_MARKER: Final = re.compile(r"\[\d{1,3}\]")


def commonmark() -> MarkdownIt:
    """A parser for answers: a reference stays one whatever stands behind it, and tags are words like others."""
    parser = MarkdownIt("commonmark").enable("table").disable(["reference", "html_block", "html_inline", "autolink"])
    parser.inline.ruler.before("link", MARKER, _read_marker)
    return parser


def _read_marker(state: StateInline, silent: bool) -> bool:
    marker = _MARKER.match(state.src, state.pos)
    if marker is None or marker.end() > state.posMax:
        return False
    if not silent:
        state.push(MARKER, "", 0).content = marker[0]
    state.pos = marker.end()
    return True


class BlockReader:
    """Takes a text in pieces and gives each of its blocks once it is whole.

    A block is whole when another one has begun below it, or, unless it may go on behind an empty line, when a line has
    come that is not its own: nothing that comes later changes it.
    """

    def __init__(self) -> None:
        self._parser = commonmark()
        self._open = ""

    def add(self, text: str) -> Iterator[list[Token]]:
        """The tokens of each block that a further piece makes whole."""
        self._open += text
        if "\n" not in text:
            return
        *lines, begun = self._open.split("\n")
        blocks = _blocks(self._parser.parse("".join(f"{line}\n" for line in lines)))
        if not blocks:
            return
        first, end = blocks[-1][0].map or (0, len(lines))
        is_whole = blocks[-1][0].type not in GROWING and end < len(lines)
        self._open = "\n".join((*lines[end if is_whole else first :], begun))
        yield from blocks if is_whole else blocks[:-1]

    def end(self) -> Iterator[list[Token]]:
        """The blocks that were still open; the reader is empty then."""
        rest, self._open = self._open, ""
        yield from _blocks(self._parser.parse(rest))


def _blocks(tokens: list[Token]) -> list[list[Token]]:
    """Tokens by the block of the document that they belong to."""
    blocks: list[list[Token]] = []
    depth = 0
    for token in tokens:
        if depth == 0 and token.nesting >= 0:
            blocks.append([])
        blocks[-1].append(token)
        depth += token.nesting
    return blocks
