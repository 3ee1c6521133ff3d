"""Converts an HTML element to headings and blocks: paragraphs, lists, tables, code, quotations, definitions.

Supports HTML tags and the tags of trafilatura's main text (head, list, item, row, cell, graphic). CPU work alone,
which raises nothing. Names of tags are the HTML standard's.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile, zip_longest
from typing import Final

from lxml.etree import _Element, iterwalk

from libs.contracts.structure import BlockKind
from libs.documents.building import DocumentBuilder
from libs.documents.conversion import LeftOut
from libs.text.grids import Cell, spread

SKIPPED: Final = frozenset(
    {
        *("script", "style", "noscript", "template", "head", "title", "button", "select", "iframe", "object", "svg"),
        *("canvas", "audio", "video", "dialog", "input"),
    }
)
"""Elements whose text does not belong to the page's text."""
UNREAD: Final[dict[str, LeftOut]] = {
    **dict.fromkeys(("button", "select"), "FURNITURE"),
    **dict.fromkeys(("noscript", "dialog"), "HIDDEN"),
    **dict.fromkeys(("iframe", "object", "svg", "canvas", "audio", "video"), "OBJECT"),
}
"""Elements that may have words which are left out, and why."""
DEEPEST: Final = 100
"""Levels of elements; what is nested deeper is text without blocks (taste)."""
BLOCKS: Final = frozenset(
    {
        *("address", "article", "body", "caption", "center", "dd", "details", "div", "dl", "dt"),
        *("fieldset", "figcaption", "figure", "header", "hr", "html", "legend", "li", "main", "ol", "p", "pre"),
        *("section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"),
        *("ab", "item", "list", "row", "cell", "doc", "nav", "footer", "aside", "menu", "form"),
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
_UNSEEN: Final = ("display:none", "visibility:hidden")
_SPACE: Final = re.compile(r"[ \t\r\n\f\xa0\u200b]+")
_ANCHOR: Final = re.compile(r"\s*[¶#§]\s*\Z")
_TITLE: Final = re.compile(r"\b(?:admonition|alert|callout|custom-block)[\w-]{0,9}(?:title|heading)", re.IGNORECASE)
"""Classes that documentation tools give to the title of a warning or note."""
_LANGUAGE: Final = re.compile(r"(?:language|lang|highlight|brush)[-: ]+([\w+#-]{1,20})")  # length: taste


def write_blocks(element: _Element, builder: DocumentBuilder) -> list[tuple[LeftOut, str]]:
    """Add the blocks of an element, which is changed, to a builder; return what is left out: reasons, words."""
    left_out = list(_pruned(element))
    _flatten(element)
    _Writer(builder).write(element)
    return left_out


def _pruned(element: _Element) -> Iterator[tuple[LeftOut, str]]:
    """Remove what is not read with all that is in it; yield the words of it that somebody may miss."""
    walk = iterwalk(element, events=("start",))
    unread = []
    for _, inner in walk:
        if inner is not element and isinstance(inner.tag, str) and (inner.tag in SKIPPED or _is_hidden(inner)):
            unread.append(inner)
            walk.skip_subtree()
    for inner in unread:
        reason: LeftOut | None = "HIDDEN" if _is_hidden(inner) else UNREAD.get(str(inner.tag))
        if reason and (words := line_of(inner)):
            yield reason, words
        _drop(inner)


def _drop(element: _Element) -> None:
    """Remove an element; the text after it stays."""
    parent, previous, tail = element.getparent(), element.getprevious(), element.tail or ""
    if parent is None:
        return
    if previous is not None:
        previous.tail = (previous.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    element.tail = None
    parent.remove(element)


def _flatten(element: _Element) -> None:
    """Turn what is nested too deep into text."""
    level = [element]
    for _ in range(DEEPEST):
        level = [child for parent in level for child in parent]
    for deep in level:
        text = " ".join(map(str, deep.itertext()))
        for child in list(deep):
            deep.remove(child)
        if isinstance(deep.tag, str):
            deep.text = text


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
            if isinstance(child.tag, str):
                self._child(child, str(child.tag))
            self._line.append(child.tail or "")

    def _child(self, child: _Element, tag: str) -> None:
        if _TITLE.search(child.get("class") or ""):
            self._close()
            self._label = line_of(child)
        elif tag == "math":
            self._line.append(_formula(child))
        elif _is_furniture(child, tag):
            self._close()
            self._builder.block(BlockKind.FURNITURE, self._text_inside(child))
        elif tag in ("br", "lb"):
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
            builder.table(_grid(child))
        elif tag in CODE:
            builder.code("".join(map(str, child.itertext())), _language(child))
        elif tag in QUOTATIONS:
            lines = filter(None, self._text_inside(child).split("\n"))
            builder.block(BlockKind.QUOTATION, "\n".join(f"> {line}" for line in lines))
        elif tag == "dl":
            builder.items(_definitions(child), kind=BlockKind.DEFINITION)
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
    if text := _SPACE.sub(" ", " ".join([element.text or "", *(child.tail or "" for child in element)])).strip():
        yield text, depth  # which the standard does not allow
    for child in element:
        if child.tag in LISTS:
            yield from _items(child, depth + 1)
        elif isinstance(child.tag, str):
            yield own_words(child), depth
            for inner in _inner_lists(child):
                yield from _items(inner, depth + 1)


def _inner_lists(item: _Element) -> Iterator[_Element]:
    for child in item:
        if child.tag in LISTS:
            yield child
        elif isinstance(child.tag, str) and child.tag not in CODE:
            yield from _inner_lists(child)


def own_words(item: _Element, apart: frozenset[str] = LISTS | CODE | {"table"}) -> str:
    """The text of an item or cell on one line, without what stands apart from it: nested lists, code and tables."""
    pieces: list[str] = []

    def collect(element: _Element) -> None:
        pieces.append(element.text or "")
        for child in element:
            if not isinstance(child.tag, str) or child.tag in apart:
                pass
            elif child.tag == "code":
                pieces.append(_in_backticks(line_of(child)))
            elif child.tag == "math":
                pieces.append(_formula(child))
            else:
                edge = " " if child.tag in BLOCKS or child.tag == "br" else ""
                pieces.append(edge)
                collect(child)
                pieces.append(edge)
            pieces.append(child.tail or "")

    collect(item)
    return _SPACE.sub(" ", "".join(pieces)).strip()


def _definitions(element: _Element) -> Iterator[tuple[str, int]]:
    """Each term with its definition, on one line."""
    term = ""
    for child in (inner for outer in element for inner in (outer if outer.tag == "div" else (outer,))):
        if child.tag == "dt":
            word = line_of(child).rstrip(":")
            term = f"{term} / {word}" if term else word
        elif child.tag == "dd":
            words = own_words(child, frozenset())
            yield f"**{term}**: {words}" if term else words, 0
            term = ""
    if term:
        yield term, 0


def _grid(table: _Element) -> list[list[str]]:
    """The rows of a table; a cell that spans rows or columns stands in each. Rows of a head of several become one."""
    rows = list(_rows(table))
    cells = ([cell for cell in row if cell.tag in CELLS] for row in rows)
    grid = list(
        spread([Cell(own_words(c, frozenset()), _span(c, "col"), _span(c, "row")) for c in row] for row in cells)
    )
    heads = sum(1 for _ in takewhile(_is_head, rows))
    if not 1 < heads < len(grid):
        return grid
    columns = zip_longest(*grid[:heads], fillvalue="")
    return [[" ".join(dict.fromkeys(filter(None, column))) for column in columns], *grid[heads:]]


def _is_head(row: _Element) -> bool:
    cells = [cell for cell in row if cell.tag in CELLS]
    parent = row.getparent()
    return (parent is not None and parent.tag == "thead") or (
        len(cells) > 1 and all(cell.tag == "th" for cell in cells)
    )


def _span(cell: _Element, direction: str) -> int:
    stated = cell.get(f"{direction}span") or "1"
    return max(1, int(stated)) if stated.isdecimal() and len(stated) < 5 else 1


def _formula(math: _Element) -> str:
    """A formula as its source in TeX where the page has it."""
    source = math.get("alttext") or math.findtext(".//annotation")
    return f"${source.strip()}$" if source else line_of(math)


def _is_furniture(element: _Element, tag: str) -> bool:
    """Whether an element leads to other pages or stands on every page."""
    if tag in ("nav", "menu"):
        return True
    if tag == "footer":
        return next(element.iterancestors("article", "section", "blockquote"), None) is None
    if tag != "aside" or "admonition" in (element.get("class") or ""):
        return False
    return 2 * sum(len(line_of(link)) for link in element.iter("a")) > len(line_of(element))


def _in_backticks(text: str) -> str:
    return f"`{text}`" if text and "`" not in text else text


def _language(element: _Element) -> str:
    """The language of code from its classes; empty if they name none."""
    classes = " ".join(filter(None, (element.get("class"), *(inner.get("class") for inner in element.iter("code")))))
    match = _LANGUAGE.search(classes)
    return match[1] if match else ""


def _is_hidden(element: _Element) -> bool:
    style = (element.get("style") or "").replace(" ", "").lower()
    is_unseen = any(mark in style for mark in _UNSEEN)
    return element.get("hidden") is not None or element.get("aria-hidden") == "true" or is_unseen


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
