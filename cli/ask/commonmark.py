"""Read an answer's streamed text (CommonMark with tables) into blocks."""

import re
from collections.abc import Iterator
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

MARKER: Final = "marker"
"""Token type of a citation marker, such as [1]."""
GROWING: Final = frozenset({"bullet_list_open", "ordered_list_open", "code_block"})
"""First tokens of blocks that may continue after an empty line."""
_MARKER: Final = re.compile(r"\[\d{1,3}\]")


def commonmark() -> MarkdownIt:
    """Return a parser for answers: a citation marker stays one whatever follows it, and HTML tags are plain text."""
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
    """Takes a text in pieces and yields each block once it is complete.

    A block is complete when another block has begun below it. Unless it may continue after an empty line, it is also
    complete when a line follows that does not belong to it. Later text cannot change a complete block.
    """

    def __init__(self) -> None:
        self._parser = commonmark()
        self._open = ""

    def add(self, text: str) -> Iterator[list[Token]]:
        """Yield the tokens of each block that this piece completes."""
        self._open += text
        if "\n" not in text:
            return
        *lines, open_line = self._open.split("\n")
        blocks = _blocks(self._parser.parse("".join(f"{line}\n" for line in lines)))
        if not blocks:
            return
        first, end = blocks[-1][0].map or (0, len(lines))
        is_whole = blocks[-1][0].type not in GROWING and end < len(lines)
        self._open = "\n".join((*lines[end if is_whole else first :], open_line))
        yield from blocks if is_whole else blocks[:-1]

    def end(self) -> Iterator[list[Token]]:
        """Yield the blocks that are still open, and empty the reader."""
        rest, self._open = self._open, ""
        yield from _blocks(self._parser.parse(rest))


def _blocks(tokens: list[Token]) -> list[list[Token]]:
    """Group tokens by the top-level block that they belong to."""
    blocks: list[list[Token]] = []
    depth = 0
    for token in tokens:
        if depth == 0 and token.nesting >= 0:
            blocks.append([])
        blocks[-1].append(token)
        depth += token.nesting
    return blocks
