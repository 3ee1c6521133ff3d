"""The words of an HTML element as plain text: headings, paragraphs, list items and rows of tables, a block each.

Understands the tags of HTML and those of the main text that trafilatura gives (head, list, item, row, cell, graphic).
"""

import re
from collections.abc import Iterator
from typing import Final

from lxml.etree import _Element

from services.text.tables import ROW_MARK, rows_in_words

SKIPPED: Final = frozenset(
    {
        *("script", "style", "noscript", "template", "head", "title", "nav", "footer", "aside", "form", "button"),
        *("select", "iframe", "object", "svg", "canvas", "audio", "video", "math", "dialog", "menu", "input"),
    }
)
"""What is no text of the page."""
BLOCKS: Final = frozenset(
    {
        *("address", "article", "blockquote", "body", "caption", "center", "dd", "details", "div", "dl", "dt"),
        *("fieldset", "figcaption", "figure", "header", "hr", "html", "legend", "li", "main", "ol", "p", "pre"),
        *("section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"),
        *("ab", "item", "list", "quote", "row", "cell", "doc"),
    }
)
"""What no line of text crosses."""
HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
ITEMS: Final = frozenset({"li", "item", "dd"})
ROWS: Final = frozenset({"tr", "row"})
CELLS: Final = frozenset({"td", "th", "cell"})
BREAK: Final = "\0"
"""Stands for `<br>` while a line is collected; HTML cannot hold it."""
_SPACE: Final = re.compile(r"[ \t\r\n\f\xa0\u200b]+")


def text_of(element: _Element) -> str:
    """The text of an element, its blocks parted by blank lines; items and rows that follow each other by line ends."""
    blocks = [block for block in _Blocks().of(element) if block.strip(" -#\n")]
    text = ""
    before = ""
    for block in blocks:
        close = block.startswith(ROW_MARK) and before.startswith(ROW_MARK)
        text += ("\n" if close else "\n\n" if text else "") + block
        before = block
    return text


def line_of(element: _Element) -> str:
    """All words of an element on one line."""
    return _SPACE.sub(" ", "".join(map(str, element.itertext()))).strip()


class _Blocks:
    """Collects inline text until a block begins or ends."""

    def __init__(self) -> None:
        self._line: list[str] = []
        self._mark = ""

    def of(self, element: _Element) -> Iterator[str]:
        yield from self._inside(element)
        yield from self._close()

    def _inside(self, element: _Element) -> Iterator[str]:
        self._line.append(element.text or "")
        for child in element:
            if isinstance(child.tag, str) and not _hidden(child):
                yield from self._child(child)
            self._line.append(child.tail or "")

    def _child(self, child: _Element) -> Iterator[str]:
        tag = str(child.tag)
        if tag in HEADINGS or (tag == "head" and child.get("rend", "").startswith("h")):
            yield from self._close()
            yield f"{'#' * _level(child)} {line_of(child)}"
        elif tag == "table" and _is_data(child):
            yield from self._close()
            yield from rows_in_words([line_of(cell) for cell in row if cell.tag in CELLS] for row in _rows(child))
        elif tag in SKIPPED:
            return
        elif tag in ("br", "lb"):
            self._line.append(BREAK)
        elif tag == "pre":
            yield from self._close()
            yield "".join(map(str, child.itertext())).strip("\r\n")
        elif tag in BLOCKS:
            yield from self._close()
            self._mark = ROW_MARK if tag in ITEMS else self._mark
            yield from self._inside(child)
            yield from self._close()
            self._mark = ""
        else:
            yield from self._inside(child)

    def _close(self) -> Iterator[str]:
        """Hand the line out; white space of the source is one space, and only a break ends a line."""
        lines = _SPACE.sub(" ", "".join(self._line)).split(BREAK)
        self._line.clear()
        text = "\n".join(line.strip() for line in lines).strip()
        if text:
            yield self._mark + (text if not self._mark else text.replace("\n", " "))
            self._mark = ""


def _hidden(element: _Element) -> bool:
    style = (element.get("style") or "").replace(" ", "").lower()
    return element.get("hidden") is not None or element.get("aria-hidden") == "true" or "display:none" in style


def _level(element: _Element) -> int:
    return int(re.sub(r"\D", "", element.get("rend") or str(element.tag)) or 2)


def _rows(table: _Element) -> Iterator[_Element]:
    return (element for element in table.iter() if element.tag in ROWS)


def _is_data(table: _Element) -> bool:
    """Whether a table tells data, and does not only arrange a page."""
    if any(element.tag == "table" for element in table.iterdescendants()):
        return False
    widths = [sum(cell.tag in CELLS for cell in row) for row in _rows(table)]
    return len(widths) > 1 and max(widths) > 1
