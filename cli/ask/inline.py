"""Styled inline text of an answer: bold, code, citation markers, links with their addresses."""

from collections.abc import Sequence
from typing import Final

from markdown_it.tree import SyntaxTreeNode
from rich.style import Style
from rich.text import Text

from cli.ask.commonmark import MARKER
from cli.view.output import printable

PLAIN: Final = Style()
MARKER_STYLE: Final = Style(color="cyan", bold=True)
CODE_STYLE: Final = Style(color="green")
ADDRESS_STYLE: Final = Style(color="blue")
STYLES: Final = {"strong": Style(bold=True), "em": Style(italic=True)}
ADDRESSES: Final = ("http://", "https://", "mailto:")
"""Addresses that a reader can follow; relative ones lead nowhere from a terminal."""


def inline_text(nodes: Sequence[SyntaxTreeNode], style: Style = PLAIN, *, with_addresses: bool = True) -> Text:
    """Return styled text without control characters; line breaks of the source are kept."""
    return Text.assemble(*(_text(node, style, with_addresses) for node in nodes))


def _text(node: SyntaxTreeNode, style: Style, with_addresses: bool) -> Text:
    if node.type in ("softbreak", "hardbreak"):
        return Text("\n")
    if node.type == MARKER:
        return Text(node.content, style=MARKER_STYLE)
    if node.type == "code_inline":
        return _plain(node.content, style + CODE_STYLE)
    if node.type == "link" and with_addresses:
        return _link(node, style)
    if node.type == "image" or not node.children:
        return _plain(node.content, style)
    return inline_text(node.children, style + STYLES.get(node.type, PLAIN), with_addresses=with_addresses)


def _link(node: SyntaxTreeNode, style: Style) -> Text:
    """Return a link's text and its address unless the text shows it: a hidden address could lead anywhere."""
    words, address = inline_text(node.children, style), printable(str(node.attrs.get("href", "")))
    if not address.startswith(ADDRESSES) or address == words.plain:
        return words
    return Text.assemble(words, " (", (address, ADDRESS_STYLE), ")")


def _plain(text: str, style: Style) -> Text:
    return Text(printable(text).replace("\n", " "), style=style)
