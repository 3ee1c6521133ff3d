"""Render an answer's blocks as terminal lines: list items are indented, columns are aligned, code is not wrapped."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from rich import box
from rich.cells import cell_len
from rich.console import Console, JustifyMethod
from rich.style import Style
from rich.table import Table
from rich.text import Text

from cli.ask.inline import CODE_STYLE, inline_text
from cli.ask.wrapping import wrap_text

PROSE_WIDTH: Final = 100
"""Maximum columns of running text; longer lines are hard to read."""
LEAST_WIDTH: Final = 10
INDENT: Final = "    "
"""Indentation of a code line."""
BULLETS: Final = ("•", "◦", "▪")
BAR: Final = "│ "
_JUSTIFIED: Final[Mapping[str, JustifyMethod]] = {"text-align:right": "right", "text-align:center": "center"}

Lines = list[Text]


class Drawing:
    """Renders blocks for a console."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._ways: Mapping[str, Callable[[SyntaxTreeNode, int, int], Lines]] = {
            "paragraph": self._paragraph,
            "heading": self._heading,
            "bullet_list": self._list,
            "ordered_list": self._list,
            "blockquote": self._quote,
            "fence": self._code,
            "code_block": self._code,
            "table": self._table,
            "hr": lambda node, width, depth: [Text("─" * min(width, 20), style="dim")],
        }

    def block(self, tokens: Sequence[Token]) -> Lines:
        """Return the lines of one block; only code lines may be wider than the console."""
        (node,) = SyntaxTreeNode(tokens).children
        return self._node(node, self._console.width, 0)

    def _node(self, node: SyntaxTreeNode, width: int, depth: int) -> Lines:
        way = self._ways.get(node.type)
        return way(node, max(width, LEAST_WIDTH), depth) if way else []

    def _paragraph(self, node: SyntaxTreeNode, width: int, depth: int) -> Lines:
        return wrap_text(_text_in(node), min(width, PROSE_WIDTH))

    def _heading(self, node: SyntaxTreeNode, width: int, depth: int) -> Lines:
        text = _text_in(node)
        text.style = Style(bold=True)
        return wrap_text(text, min(width, PROSE_WIDTH))

    def _list(self, node: SyntaxTreeNode, width: int, depth: int) -> Lines:
        marks = list(_marks(node, depth))
        indent = max((cell_len(mark) for mark in marks), default=0) + 1
        lines: Lines = []
        for mark, item in zip(marks, node.children, strict=True):
            parts = [self._node(child, width - indent, depth + 1) for child in item.children]
            lines += _hang([line for part in parts for line in part] or [Text()], f"{mark:>{indent - 1}} ")
        return lines

    def _quote(self, node: SyntaxTreeNode, width: int, depth: int) -> Lines:
        parts = [self._node(child, width - len(BAR), depth) for child in node.children]
        lines = _join(parts)
        return [Text(BAR, style="dim", end="").append_text(line) for line in lines]

    def _code(self, node: SyntaxTreeNode, width: int, depth: int) -> Lines:
        code = Text(node.content.rstrip("\n").expandtabs(4), style=CODE_STYLE)
        return [Text(INDENT).append_text(line) for line in code.split("\n", allow_blank=True)]

    def _table(self, node: SyntaxTreeNode, width: int, depth: int) -> Lines:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
        rows = [row.children for part in node.children for row in part.children]
        for cell in rows[0]:
            style = str(cell.attrs.get("style", ""))
            table.add_column(_cell(cell), justify=_JUSTIFIED.get(style, "left"), overflow="fold")
        for row in rows[1:]:
            table.add_row(*map(_cell, row))
        lines = self._render(table, width)
        if len(lines) == len(rows) + 1:  # one line per row, and one below the header
            return lines
        table.leading = 1
        return self._render(table, width)

    def _render(self, table: Table, width: int) -> Lines:
        options = self._console.options.update(width=width)
        lines = self._console.render_lines(table, options, pad=False)
        return [_strip(Text.assemble(*((s.text, s.style or "") for s in line))) for line in lines]


def _text_in(node: SyntaxTreeNode) -> Text:
    return inline_text(node.children[0].children) if node.children else Text()


def _cell(node: SyntaxTreeNode) -> Text:
    """Render a cell without link addresses, which would make its column too wide."""
    return inline_text(node.children[0].children, with_addresses=False) if node.children else Text()


def _marks(node: SyntaxTreeNode, depth: int) -> Iterator[str]:
    """Yield the mark of each item: a bullet, or its number as it was written."""
    if node.type == "bullet_list":
        yield from [BULLETS[min(depth, len(BULLETS) - 1)]] * len(node.children)
        return
    first = int(node.attrs.get("start", 1))
    for number, item in enumerate(node.children, start=first):
        yield f"{number}{item.markup}"


def _hang(lines: Lines, mark: str) -> Lines:
    """Put a mark before the first line and align the other lines with its text."""
    space = " " * cell_len(mark)
    return [Text(mark if number == 0 else space).append_text(line) for number, line in enumerate(lines)]


def _join(parts: Sequence[Lines]) -> Lines:
    """Join blocks with an empty line between them."""
    lines: Lines = []
    for part in parts:
        lines += [Text(), *part] if lines else part
    return lines


def _strip(line: Text) -> Text:
    line.rstrip()
    return line
