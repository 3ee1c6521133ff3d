"""The words of an HTML element as headings and blocks: paragraphs, lists, tables, code, quotations, definitions.

Understands the tags of HTML and those of the main text that trafilatura gives (head, list, item, row, cell, graphic).
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
"""What is no text of the page."""
BLOCKS: Final = frozenset(
    {
        *("address", "article", "body", "caption", "center", "dd", "details", "div", "dl", "dt"),
        *("fieldset", "figcaption", "figure", "header", "hr", "html", "legend", "li", "main", "ol", "p", "pre"),
        *("section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"),
        *("ab", "item", "list", "row", "cell", "doc"),
    }
)
"""What no line of text crosses."""
HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
LISTS: Final = frozenset({"ul", "ol", "list", "dir"})
ITEMS: Final = frozenset({"li", "item"})
QUOTATIONS: Final = frozenset({"blockquote", "quote", "q"})
CODE: Final = frozenset({"pre", "listing", "xmp"})
CAPTIONS: Final = frozenset({"figcaption", "caption"})
ROWS: Final = frozenset({"tr", "row"})
CELLS: Final = frozenset({"td", "th", "cell"})
BREAK: Final = "\0"
"""Stands for `<br>` while a line is collected; HTML cannot hold it."""
_SPACE: Final = re.compile(r"[ \t\r\n\f\xa0\u200b]+")
_ANCHOR: Final = re.compile(r"\s*[¶#§]\s*\Z")
_LANGUAGE: Final = re.compile(r"(?:language|lang|highlight|brush)[-: ]+([\w+#-]{1,20})")


def write_blocks(element: _Element, builder: DocumentBuilder) -> None:
    """Hand the blocks of an element to a builder, in order."""
    _Writer(builder).write(element)


def line_of(element: _Element) -> str:
    """All words of an element on one line."""
    return _SPACE.sub(" ", "".join(map(str, element.itertext()))).strip()


class _Writer:
    """Collects inline text until a block begins or ends."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._line: list[str] = []

    def write(self, element: _Element) -> None:
        self._inside(element)
        self._close()

    def _inside(self, element: _Element) -> None:
        self._line.append(element.text or "")
        for child in element:
            if isinstance(child.tag, str) and not _hidden(child):
                self._child(child, str(child.tag))
            self._line.append(child.tail or "")

    def _child(self, child: _Element, tag: str) -> None:
        if tag in SKIPPED:
            return
        if tag in ("br", "lb"):
            self._line.append(BREAK)
        elif tag == "code" and not any(ancestor.tag in CODE for ancestor in child.iterancestors()):
            self._line.append(_ticked(line_of(child)))
        elif self._is_whole(child, tag):
            self._close()
            self._whole(child, tag)
        elif tag in BLOCKS:
            self._close()
            self._inside(child)
            self._close(BlockKind.CAPTION if tag in CAPTIONS else BlockKind.PARAGRAPH)
        else:
            self._inside(child)

    def _is_whole(self, child: _Element, tag: str) -> bool:
        """Whether an element is one block, or a heading."""
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
        """Items; what is a block of its own within one (code, a table) follows behind the list."""
        blocks = [inner for inner in element.iterdescendants() if inner.tag in CODE or inner.tag == "table"]
        items = list(_items(element, 0))
        if _is_contents(element, items):
            self._builder.items(items, kind=BlockKind.FURNITURE)
            return
        ordered = element.tag == "ol" and not any(depth for _, depth in items)
        if ordered:
            start = int(element.get("start") or 1) if (element.get("start") or "1").isdecimal() else 1
            self._builder.lines_as_items(f"{number}. {text}" for number, (text, _) in enumerate(items, start=start))
        else:
            self._builder.items(items)
        for block in blocks:
            if block.tag in CODE or _is_data(block):
                self._whole(block, str(block.tag))

    def _close(self, kind: BlockKind = BlockKind.PARAGRAPH) -> None:
        """Hand the line out; white space of the source is one space, and only a break ends a line."""
        text = _broken("".join(self._line))
        self._line.clear()
        self._builder.block(kind, text)


def _broken(text: str) -> str:
    return "\n".join(line.strip() for line in _SPACE.sub(" ", text).split(BREAK)).strip()


def _items(element: _Element, depth: int) -> Iterator[tuple[str, int]]:
    """The items of a list and of the lists in it, each with its own words."""
    for child in element:
        if child.tag in ITEMS and not _hidden(child):
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
    """An item's words but for what lists, code and tables within it say."""
    pieces: list[str] = []

    def collect(element: _Element) -> None:
        pieces.append(element.text or "")
        for child in element:
            if isinstance(child.tag, str) and child.tag == "code":
                pieces.append(_ticked(line_of(child)))
            elif isinstance(child.tag, str) and child.tag not in LISTS | CODE | SKIPPED and child.tag != "table":
                pieces.append(" " if child.tag in BLOCKS or child.tag == "br" else "")
                collect(child)
            pieces.append(child.tail or "")

    collect(item)
    return _SPACE.sub(" ", "".join(pieces)).strip()


def _definitions(element: _Element) -> Iterator[tuple[str, int]]:
    """Each term with what it means, on one line."""
    term = ""
    for child in element.iter("dt", "dd"):
        if child.tag == "dt":
            term = f"{term} / {line_of(child)}" if term else line_of(child)
        else:
            yield f"**{term}**: {line_of(child)}" if term else line_of(child), 0
            term = ""
    if term:
        yield term, 0


def _lines_of(element: _Element) -> Iterator[str]:
    """The words of a quotation, a line a paragraph of it."""
    paragraphs = [child for child in element.iterdescendants() if child.tag in ("p", "li", "lg", "l")]
    told = [line_of(paragraph) for paragraph in paragraphs] or [line_of(element)]
    yield from filter(None, told)


def _ticked(text: str) -> str:
    return f"`{text}`" if text and "`" not in text else text


def _language(element: _Element) -> str:
    """The language of code, where its classes name one."""
    classes = " ".join(filter(None, (element.get("class"), *(inner.get("class") for inner in element.iter("code")))))
    found = _LANGUAGE.search(classes)
    return found[1] if found else ""


def _hidden(element: _Element) -> bool:
    style = (element.get("style") or "").replace(" ", "").lower()
    return element.get("hidden") is not None or element.get("aria-hidden") == "true" or "display:none" in style


def _level(element: _Element) -> int:
    return int(re.sub(r"\D", "", element.get("rend") or str(element.tag)) or 2)


def _rows(table: _Element) -> Iterator[_Element]:
    return (element for element in table.iter() if element.tag in ROWS)


def _is_contents(element: _Element, items: Sequence[tuple[str, int]]) -> bool:
    """Whether a list is nothing but links to sections of its own page."""
    links = [link for link in element.iter("a", "ref") if line_of(link)]
    inward = all((link.get("href") or link.get("target") or "").startswith("#") for link in links)
    linked = "".join(map(line_of, links))
    return len(links) > 1 and inward and len(linked) >= sum(len(text) for text, _ in items) - len(items)


def _is_list(element: _Element) -> bool:
    """Whether a list holds items of words, and does not only arrange a page."""
    return not any(inner.tag in HEADINGS for inner in element.iterdescendants())


def _is_data(table: _Element) -> bool:
    """Whether a table tells data, and does not only arrange a page."""
    if any(element.tag == "table" for element in table.iterdescendants()):
        return False
    widths = [sum(cell.tag in CELLS for cell in row) for row in _rows(table)]
    return len(widths) > 1 and max(widths) > 1
