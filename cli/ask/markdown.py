"""An answer's streamed text (CommonMark with tables) for a terminal: read into blocks, drawn by rich."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, TableDataElement
from rich.padding import Padding
from rich.text import Text
from rich.theme import Theme

from cli.view.output import printable

THEME: Final = Theme(
    {
        "markdown.cite": "bold cyan",
        "markdown.code": "green",
        "markdown.code_block": "green",
        "markdown.strong": "bold underline",
        "markdown.section": "bold",
    }
)
"""What is strong within a quotation is the suite's mark of the answer; titles of sections are less so."""
PROSE_WIDTH: Final = 100
"""Maximum columns of running text; longer lines are hard to read (taste)."""
GROWING: Final = frozenset({"bullet_list_open", "ordered_list_open", "code_block"})
"""First tokens of blocks that may continue after an empty line."""
CODE: Final = frozenset({"fence", "code_block"})
LONG: Final = 4000
"""Characters from which on an open block is not read again at each line (taste)."""
INDENT: Final = "    "
"""Indentation of a code line, and the distance of the tab stops in it; both are CommonMark's."""
ADDRESSES: Final = ("http://", "https://", "mailto:")
"""Addresses that a reader can follow; relative ones lead nowhere from a terminal."""
_MARKER: Final = re.compile(r"\[\d{1,3}\]")  # of at most 150, by the contract


def commonmark() -> MarkdownIt:
    """Return a parser for answers: a citation marker stays one whatever follows it, and HTML tags are plain text."""
    parser = MarkdownIt("commonmark").enable("table").disable(["reference", "html_block", "html_inline", "autolink"])
    parser.inline.ruler.before("link", "marker", _read_marker)
    return parser


def _read_marker(state: StateInline, silent: bool) -> bool:
    marker = _MARKER.match(state.src, state.pos)
    if marker is None or marker.end() > state.posMax:
        return False
    if not silent:
        state.push("marker", "cite", 0).content = marker[0]
    state.pos = marker.end()
    return True


class BlockReader:
    """Takes a text in pieces and yields each block once it is complete.

    A block is complete when another block has begun below it. Unless it may continue after an empty line, it is also
    complete when a line follows that does not belong to it. Later text cannot change a complete block. What is still
    open is read again when it has grown by a share of its length, so that time grows with the text alone.
    """

    def __init__(self) -> None:
        self._parser = commonmark()
        self._open = ""
        self._read = 0
        """Characters of the open text when it was last read."""

    def add(self, text: str) -> Iterator[list[Token]]:
        """Yield the tokens of each block that this piece completes."""
        self._open += text
        if "\n" not in text or LONG < len(self._open) < self._read * 5 // 4:
            return
        *lines, open_line = self._open.split("\n")
        blocks = _blocks(self._parser.parse("".join(f"{line}\n" for line in lines)))
        self._read = len(self._open)
        if not blocks:
            return
        first, end = blocks[-1][0].map or (0, len(lines))
        is_whole = blocks[-1][0].type not in GROWING and end < len(lines)
        self._open = "\n".join((*lines[end if is_whole else first :], open_line))
        self._read = len(self._open)
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


def block_text(tokens: Sequence[Token], console: Console) -> Text:
    """Draw a block; only the lines of a code block may be wider than the console. `THEME` must be in use."""
    first = tokens[0]
    if first.type in CODE:
        return Text("\n").join(Text(INDENT).append_text(line) for line in _code(printable(first.content)).split("\n"))
    width = console.width if first.type == "table_open" else min(console.width, PROSE_WIDTH)
    lines = console.render_lines(_Answer(tokens), console.options.update(width=width), pad=False)
    texts = [Text.assemble(*((segment.text, segment.style or "") for segment in line)) for line in lines]
    for text in texts:
        text.rstrip()
    while texts and not texts[0]:  # rich draws empty lines around a table
        del texts[0]
    while texts and not texts[-1]:
        del texts[-1]
    return Text("\n").join(texts)


def _code(content: str) -> Text:
    return Text(content.rstrip("\n").expandtabs(len(INDENT)), style="markdown.code_block")


class _Code(CodeBlock):
    """Code within a list or a quotation, without rich's background."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Padding(_code(str(self.text)), (0, 0, 0, len(INDENT)))


class _Heading(Heading):
    LEVEL_ALIGN = {}  # noqa: RUF012 - declared so by rich; each level begins at the left


class _Cell(TableDataElement):
    """A cell whose words, if they are longer than its column, are folded; rich would cut them."""

    def __init__(self, justify: JustifyMethod) -> None:
        super().__init__(justify)
        self.content.overflow = "fold"


class _Answer(Markdown):
    """Markdown of an answer's tokens."""

    elements = {  # noqa: RUF012
        **Markdown.elements,
        **dict.fromkeys(CODE, _Code),
        **dict.fromkeys(("td_open", "th_open"), _Cell),
        "heading_open": _Heading,
    }
    inlines = {*Markdown.inlines, "cite", "section"}  # noqa: RUF012

    def __init__(self, tokens: Sequence[Token]) -> None:
        super().__init__("", justify="default")
        self.parsed = list(_readable(tokens, with_addresses=tokens[0].type != "table_open"))
        for token in self.parsed:
            _style_title(token.children or ())


def _readable(tokens: Iterable[Token], with_addresses: bool) -> Iterator[Token]:
    """Yield tokens without control characters; lines stay lines, and a link's address stands behind its words.

    A hidden address could lead anywhere. In a table it would make its column too wide.
    """
    address = words = ""
    for token in tokens:
        token.content = printable(token.content)
        if token.type == "image":  # its description
            token.type, token.children = "text", None
        if token.type == "softbreak":
            token.type = "hardbreak"
        if token.children:
            token.children = list(_readable(token.children, with_addresses))
        if token.type == "link_open":
            address, words = printable(str(token.attrs.get("href", ""))), ""
        elif token.type != "link_close":
            words += token.content
            yield token
        elif with_addresses and address.startswith(ADDRESSES) and address != words:
            yield Token("text", "", 0, content=f" ({address})")


def _style_title(line: Sequence[Token]) -> None:
    """Style a line that is a section's title with its number: `**Guide** [1]`."""
    tokens = [token for token in line if token.content or token.nesting]
    types = [token.type for token in tokens]
    if types[:1] == ["strong_open"] and types[-3:] == ["strong_close", "text", "marker"]:
        tokens[0].tag = "section"
