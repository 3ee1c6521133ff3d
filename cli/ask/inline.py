"""Words of an answer with their styles: bold, code, references, links as words with their addresses."""

from collections.abc import Sequence
from typing import Final

from markdown_it.tree import SyntaxTreeNode
from rich.style import Style
from rich.text import Text

from cli.ask.commonmark import MARKER
from cli.output import printable

PLAIN: Final = Style()
MARKER_STYLE: Final = Style(color="cyan", bold=True)
CODE_STYLE: Final = Style(color="green")
ADDRESS_STYLE: Final = Style(color="blue")
STYLES: Final = {"strong": Style(bold=True), "em": Style(italic=True)}
ADDRESSES: Final = ("http://", "https://", "mailto:")
"""What a reader can follow; an address within the document's own pages leads nowhere from here."""


def inline_text(nodes: Sequence[SyntaxTreeNode], style: Style = PLAIN, *, with_addresses: bool = True) -> Text:
    """Styled words without control characters; a line break of the source stays one."""
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
    """The words, and where they lead to unless they say so: an address that is not seen could be any."""
    words, address = inline_text(node.children, style), printable(str(node.attrs.get("href", "")))
    if not address.startswith(ADDRESSES) or address == words.plain:
        return words
    return Text.assemble(words, " (", (address, ADDRESS_STYLE), ")")


def _plain(text: str, style: Style) -> Text:
    return Text(printable(text).replace("\n", " "), style=style)
