"""Converts an HTML element to headings and blocks: paragraphs, lists, tables, code, quotations, definitions.

Supports HTML tags and the tags of trafilatura's main text (head, list, item, row, cell, graphic). CPU work alone,
which raises nothing: lxml cuts off what is nested deeper than 256 elements. Names of tags are the HTML standard's.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from lxml.etree import _Element

from libs.contracts.structure import BlockKind
from libs.documents.building import DocumentBuilder

SKIPPED: Final = frozenset(
    {
        *("script", "style", "noscript", "template", "head", "title", "nav", "footer", "aside", "form", "button"),
        *("select", "iframe", "object", "svg", "canvas", "audio", "video", "math", "dialog", "menu", "input"),
    }
)
"""Elements whose text does not belong to the page's text."""
BLOCKS: Final = frozenset(
    {
        *("address", "article", "body", "caption", "center", "dd", "details", "div", "dl", "dt"),
        *("fieldset", "figcaption", "figure", "header", "hr", "html", "legend", "li", "main", "ol", "p", "pre"),
        *("section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"),
        *("ab", "item", "list", "row", "cell", "doc"),
    }
)
"""Block-level elements: a line of text ends at their boundaries."""
HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}  # HTML has six levels
LISTS: Final = frozenset({"ul", "ol", "list", "dir"})
ITEMS: Final = frozenset({"li", "item"})
QUOTATIONS: Final = frozenset({"blockquote", "quote", "q"})
CODE: Final = frozenset({"pre", "listing", "xmp"})
CAPTIONS: Final = frozenset({"figcaption", "caption"})
ROWS: Final = frozenset({"tr", "row"})
CELLS: Final = frozenset({"td", "th", "cell"})
BREAK: Final = "\0"
"""Placeholder for `<br>` while a line is collected; it cannot occur in HTML."""
_SPACE: Final = re.compile(r"[ \t\r\n\f\xa0\u200b]+")
_ANCHOR: Final = re.compile(r"\s*[¶#§]\s*\Z")
_TITLE: Final = re.compile(r"\b(?:admonition|alert|callout|custom-block)[\w-]{0,9}(?:title|heading)", re.IGNORECASE)
"""Classes that documentation tools give to the title of a warning or note."""
_LANGUAGE: Final = re.compile(r"(?:language|lang|highlight|brush)[-: ]+([\w+#-]{1,20})")  # length: taste


def write_blocks(element: _Element, builder: DocumentBuilder) -> None:
    """Add the blocks of an element to a builder, in order."""
    _Writer(builder).write(element)


def line_of(element: _Element) -> str:
    """The text of an element on one line."""
    return _SPACE.sub(" ", "".join(map(str, element.itertext()))).strip()


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
            if isinstance(child.tag, str) and not _is_hidden(child):
                self._child(child, str(child.tag))
            self._line.append(child.tail or "")

    def _child(self, child: _Element, tag: str) -> None:
        if tag in SKIPPED and "admonition" not in (child.get("class") or ""):
            return
        if _TITLE.search(child.get("class") or ""):
            self._close()
            self._label = line_of(child)
            return
        if tag in ("br", "lb"):
            self._line.append(BREAK)
        elif tag == "code" and not any(ancestor.tag in CODE for ancestor in child.iterancestors()):
            self._line.append(_in_backticks(line_of(child)))
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
            or (tag in QUOTATIONS and tag != "q")
            or tag == "dl"
        )

    def _whole(self, child: _Element, tag: str) -> None:
        builder = self._builder
        if tag in LISTS:
            self._list(child)
        elif tag == "table":
            for caption in child.iterchildren("caption"):
                builder.block(BlockKind.CAPTION, line_of(caption))
            builder.table([[line_of(cell) for cell in row if cell.tag in CELLS] for row in _rows(child)])
        elif tag in CODE:
            builder.code("".join(map(str, child.itertext())), _language(child))
        elif tag in QUOTATIONS:
            builder.block(BlockKind.QUOTATION, "\n".join(f"> {line}" for line in _lines_of(child)))
        elif tag == "dl":
            builder.items(_definitions(child), kind=BlockKind.DEFINITION)
        else:
            builder.heading(_ANCHOR.sub("", line_of(child)), _level(child))

    def _list(self, element: _Element) -> None:
        """Add a list; code and tables inside its items become blocks after the list."""
        blocks = [inner for inner in element.iterdescendants() if inner.tag in CODE or inner.tag == "table"]
        items = list(_items(element, 0))
        if _is_contents(element, items):
            self._builder.items(items, kind=BlockKind.FURNITURE)
            return
        is_ordered = element.tag == "ol" and not any(depth for _, depth in items)
        if is_ordered:
            start = int(element.get("start") or 1) if (element.get("start") or "1").isdecimal() else 1
            self._builder.lines_as_items(f"{number}. {text}" for number, (text, _) in enumerate(items, start=start))
        else:
            self._builder.items(items)
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
    return "\n".join(line.strip() for line in _SPACE.sub(" ", text).split(BREAK)).strip()


def _items(element: _Element, depth: int) -> Iterator[tuple[str, int]]:
    """The items of a list and its nested lists: each item's own text and depth."""
    for child in element:
        if child.tag in ITEMS and not _is_hidden(child):
            yield _own_words(child), depth
            for inner in _inner_lists(child):
                yield from _items(inner, depth + 1)
        elif child.tag in LISTS:
            yield from _items(child, depth + 1)


def _inner_lists(item: _Element) -> Iterator[_Element]:
    for child in item:
        if child.tag in LISTS:
            yield child
        elif isinstance(child.tag, str) and child.tag not in CODE:
            yield from _inner_lists(child)


def _own_words(item: _Element) -> str:
    """An item's text without its nested lists, code and tables."""
    pieces: list[str] = []

    def collect(element: _Element) -> None:
        pieces.append(element.text or "")
        for child in element:
            if isinstance(child.tag, str) and child.tag == "code":
                pieces.append(_in_backticks(line_of(child)))
            elif isinstance(child.tag, str) and child.tag not in LISTS | CODE | SKIPPED and child.tag != "table":
                pieces.append(" " if child.tag in BLOCKS or child.tag == "br" else "")
                collect(child)
            pieces.append(child.tail or "")

    collect(item)
    return _SPACE.sub(" ", "".join(pieces)).strip()


def _definitions(element: _Element) -> Iterator[tuple[str, int]]:
    """Each term with its definition, on one line."""
    term = ""
    for child in element.iter("dt", "dd"):
        if child.tag == "dt":
            word = line_of(child).rstrip(":")
            term = f"{term} / {word}" if term else word
        else:
            yield f"**{term}**: {line_of(child)}" if term else line_of(child), 0
            term = ""
    if term:
        yield term, 0


def _lines_of(element: _Element) -> Iterator[str]:
    """The text of a quotation, one line per paragraph."""
    paragraphs = [child for child in element.iterdescendants() if child.tag in ("p", "li", "lg", "l")]
    lines = [line_of(paragraph) for paragraph in paragraphs] or [line_of(element)]
    yield from filter(None, lines)


def _in_backticks(text: str) -> str:
    return f"`{text}`" if text and "`" not in text else text


def _language(element: _Element) -> str:
    """The language of code from its classes; empty if they name none."""
    classes = " ".join(filter(None, (element.get("class"), *(inner.get("class") for inner in element.iter("code")))))
    match = _LANGUAGE.search(classes)
    return match[1] if match else ""


def _is_hidden(element: _Element) -> bool:
    style = (element.get("style") or "").replace(" ", "").lower()
    return element.get("hidden") is not None or element.get("aria-hidden") == "true" or "display:none" in style


def _level(element: _Element) -> int:
    """The level of a heading; 2, below the page's title, if its tag has no number (taste)."""
    return int(re.sub(r"\D", "", element.get("rend") or str(element.tag)) or 2)


def _rows(table: _Element) -> Iterator[_Element]:
    return (element for element in table.iter() if element.tag in ROWS)


def _is_contents(element: _Element, items: Sequence[tuple[str, int]]) -> bool:
    """Whether a list consists only of links to sections of the same page, but for a character an item."""
    links = [link for link in element.iter("a", "ref") if line_of(link)]
    inward = all((link.get("href") or link.get("target") or "").startswith("#") for link in links)
    link_text = "".join(map(line_of, links))
    return len(links) > 1 and inward and len(link_text) >= sum(len(text) for text, _ in items) - len(items)


def _is_list(element: _Element) -> bool:
    """Whether a list holds text items and is not used for layout."""
    return not any(inner.tag in HEADINGS for inner in element.iterdescendants())


def _is_data(table: _Element) -> bool:
    """Whether a table holds data and is not used for layout."""
    if any(element.tag == "table" for element in table.iterdescendants()):
        return False
    widths = [sum(cell.tag in CELLS for cell in row) for row in _rows(table)]
    return len(widths) > 1 and max(widths) > 1
