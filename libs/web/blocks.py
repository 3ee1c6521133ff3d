"""Converts an HTML element to headings and blocks: paragraphs, lists, tables, code, quotations, definitions.

Supports HTML tags and the tags of trafilatura's main text (head, list, item, row, cell, graphic). CPU work alone,
which raises nothing. Names of tags are the HTML standard's.
"""

import re
from collections.abc import Sequence
from typing import Final

from lxml.etree import _Element

from libs.contracts.structure import BlockKind
from libs.documents.building import DocumentBuilder
from libs.web.elements import (
    BLOCKS,
    CELLS,
    CODE,
    LISTS,
    SPACE,
    definitions_of,
    formula_of,
    grid_of,
    in_backticks,
    items_of,
    line_of,
    rows_of,
)
from libs.web.unread import LeftOut, flatten, pruned

HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}  # HTML has six levels
QUOTATIONS: Final = frozenset({"blockquote", "quote"})
CAPTIONS: Final = frozenset({"figcaption", "caption"})
BREAK: Final = "\0"
"""Placeholder for `<br>` while a line is collected; it cannot occur in HTML."""
_ANCHOR: Final = re.compile(r"\s*[¶#§]\s*\Z")
_TITLE: Final = re.compile(r"\b(?:admonition|alert|callout|custom-block)[\w-]{0,9}(?:title|heading)", re.IGNORECASE)
"""Classes that documentation tools give to the title of a warning or note."""
_LANGUAGE: Final = re.compile(r"(?:language|lang|highlight|brush)[-: ]+([\w+#-]{1,20})")  # length: taste


def blocks_of(element: _Element) -> tuple[DocumentBuilder, list[tuple[LeftOut, str]]]:
    """The blocks of an element, which is changed, and what is left out: reasons, words."""
    builder, left_out = DocumentBuilder(), list(pruned(element))
    flatten(element)
    _Writer(builder).write(element)
    return builder, left_out


class _Writer:
    """Collects inline text until a block begins or ends."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._line: list[str] = []
        self._label = ""
        """The title of an admonition, until its text begins."""

    def write(self, element: _Element) -> None:
        self._inside(element)
        self._close()

    def _inside(self, element: _Element) -> None:
        self._line.append(element.text or "")
        for child in element:
            if isinstance(child.tag, str):
                self._child(child, str(child.tag))
            self._line.append(child.tail or "")

    def _child(self, child: _Element, tag: str) -> None:
        if _TITLE.search(child.get("class") or ""):
            self._close()
            self._label = line_of(child)
        elif tag == "math":
            self._line.append(formula_of(child))
        elif _is_furniture(child, tag):
            self._close()
            self._builder.block(BlockKind.FURNITURE, self._text_inside(child))
        elif tag in ("br", "lb"):
            self._line.append(BREAK)
        elif tag == "code" and not any(ancestor.tag in CODE for ancestor in child.iterancestors()):
            self._line.append(in_backticks(line_of(child)))
        elif self._is_whole(child, tag):
            self._close()
            self._builder.paragraph(self._take_label())
            self._whole(child, tag)
        elif tag in BLOCKS:
            self._close()
            self._inside(child)
            parent = child.getparent()
            is_caption = tag in CAPTIONS or (parent is not None and parent.tag in CAPTIONS)
            self._close(BlockKind.CAPTION if is_caption else BlockKind.PARAGRAPH)
            self._builder.paragraph(self._take_label())
        else:
            self._inside(child)

    def _is_whole(self, child: _Element, tag: str) -> bool:
        """Whether an element is a heading or becomes a single block."""
        return (
            tag in HEADINGS
            or (tag == "head" and child.get("rend", "").startswith("h"))
            or (tag in LISTS and _is_list(child))
            or (tag == "table" and _is_data(child))
            or tag in CODE
            or tag in QUOTATIONS
            or tag == "dl"
        )

    def _whole(self, child: _Element, tag: str) -> None:
        builder = self._builder
        if tag in LISTS:
            self._list(child)
        elif tag == "table":
            for caption in child.iterchildren("caption"):
                builder.block(BlockKind.CAPTION, line_of(caption))
            builder.table(grid_of(child))
        elif tag in CODE:
            builder.code("".join(map(str, child.itertext())), _language(child))
        elif tag in QUOTATIONS:
            lines = filter(None, self._text_inside(child).split("\n"))
            builder.block(BlockKind.QUOTATION, "\n".join(f"> {line}" for line in lines))
        elif tag == "dl":
            builder.items(definitions_of(child), kind=BlockKind.DEFINITION)
        else:
            builder.heading(_ANCHOR.sub("", line_of(child)), _level(child))

    def _text_inside(self, element: _Element) -> str:
        """The text of an element's own blocks."""
        builder = DocumentBuilder()
        _Writer(builder).write(element)
        return builder.build()[0]

    def _list(self, element: _Element) -> None:
        """Add a list; code and tables inside its items become blocks after the list."""
        blocks = [inner for inner in element.iterdescendants() if inner.tag in CODE or inner.tag == "table"]
        items = list(items_of(element, 0))
        if _is_contents(element, items):
            self._builder.items(((text, depth) for _, text, depth in items), kind=BlockKind.FURNITURE)
            return
        self._builder.marked_items(items)
        for block in blocks:
            if block.tag in CODE or _is_data(block):
                self._whole(block, str(block.tag))

    def _close(self, kind: BlockKind = BlockKind.PARAGRAPH) -> None:
        """Emit the collected line: white space collapses to one space, and only `<br>` breaks it."""
        text = _break_lines("".join(self._line))
        self._line.clear()
        self._builder.block(kind, f"{self._take_label()} {text}" if text else "")

    def _take_label(self) -> str:
        """The label of an admonition, once: `**Warning:**`."""
        label, self._label = self._label.rstrip(":"), ""
        return label and (f"**{label}**" if label[-1] in ".!?" else f"**{label}:**")


def _break_lines(text: str) -> str:
    return "\n".join(line.strip() for line in SPACE.sub(" ", text).split(BREAK)).strip()


def _is_furniture(element: _Element, tag: str) -> bool:
    """Whether an element leads to other pages or stands on every page."""
    if tag in ("nav", "menu"):
        return True
    if tag == "footer":
        return next(element.iterancestors("article", "section", "blockquote"), None) is None
    if tag != "aside" or "admonition" in (element.get("class") or ""):
        return False
    return 2 * sum(len(line_of(link)) for link in element.iter("a")) > len(line_of(element))


def _language(element: _Element) -> str:
    """The language of code from its classes; empty if they name none."""
    classes = " ".join(filter(None, (element.get("class"), *(inner.get("class") for inner in element.iter("code")))))
    match = _LANGUAGE.search(classes)
    return match[1] if match else ""


def _level(element: _Element) -> int:
    """The level of a heading; 2, below the page's title, if its tag has no number (taste)."""
    return int(re.sub(r"\D", "", element.get("rend") or str(element.tag)) or 2)


def _is_contents(element: _Element, items: Sequence[tuple[str, str, int]]) -> bool:
    """Whether a list consists only of links to sections of the same page, but for a character an item."""
    links = [link for link in element.iter("a", "ref") if line_of(link)]
    inward = all((link.get("href") or link.get("target") or "").startswith("#") for link in links)
    link_text = "".join(map(line_of, links))
    return len(links) > 1 and inward and len(link_text) >= sum(len(text) for _, text, _ in items) - len(items)


def _is_list(element: _Element) -> bool:
    """Whether a list holds text items and is not used for layout."""
    return not any(inner.tag in HEADINGS for inner in element.iterdescendants())


def _is_data(table: _Element) -> bool:
    """Whether a table holds data and is not used for layout."""
    if any(element.tag == "table" for element in table.iterdescendants()):
        return False
    widths = [sum(cell.tag in CELLS for cell in row) for row in rows_of(table)]
    return len(widths) > 1 and max(widths) > 1
