"""The words of HTML elements: of a line, a list's items, a table's rows, a list of terms, a formula. Pure."""

import re
from collections.abc import Iterator
from itertools import count, takewhile, zip_longest
from typing import Final

from lxml.etree import _Element

from libs.text.grids import Cell, spread

BLOCKS: Final = frozenset(
    {
        *("address", "article", "body", "caption", "center", "dd", "details", "div", "dl", "dt"),
        *("fieldset", "figcaption", "figure", "header", "hr", "html", "legend", "li", "main", "ol", "p", "pre"),
        *("section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"),
        *("ab", "item", "list", "row", "cell", "doc", "nav", "footer", "aside", "menu", "form"),
    }
)
"""Block-level elements: a line of text ends at their boundaries."""
LISTS: Final = frozenset({"ul", "ol", "list", "dir"})
CODE: Final = frozenset({"pre", "listing", "xmp"})
ROWS: Final = frozenset({"tr", "row"})
CELLS: Final = frozenset({"td", "th", "cell"})
SPACE: Final = re.compile(r"[ \t\r\n\f\xa0\u200b]+")


def line_of(element: _Element) -> str:
    """The text of an element on one line."""
    return SPACE.sub(" ", "".join(map(str, element.itertext()))).strip()


def own_words(item: _Element, apart: frozenset[str] = LISTS | CODE | {"table"}) -> str:
    """The text of an item or cell on one line, without what stands apart from it: nested lists, code and tables."""
    pieces: list[str] = []

    def collect(element: _Element) -> None:
        pieces.append(element.text or "")
        for child in element:
            if not isinstance(child.tag, str) or child.tag in apart:
                pass
            elif child.tag == "code":
                pieces.append(in_backticks(line_of(child)))
            elif child.tag == "math":
                pieces.append(formula_of(child))
            else:
                edge = " " if child.tag in BLOCKS or child.tag == "br" else ""
                pieces.append(edge)
                collect(child)
                pieces.append(edge)
            pieces.append(child.tail or "")

    collect(item)
    return SPACE.sub(" ", "".join(pieces)).strip()


def items_of(element: _Element, depth: int) -> Iterator[tuple[str, str, int]]:
    """The items of a list and its nested lists: each item's number or "-", its own text, and its depth."""
    stated = element.get("start") or "1"
    numbers = count(int(stated) if stated.isdecimal() else 1)
    if text := SPACE.sub(" ", " ".join([element.text or "", *(child.tail or "" for child in element)])).strip():
        yield "-", text, depth  # which the standard does not allow
    for child in element:
        if child.tag in LISTS:
            yield from items_of(child, depth + 1)
        elif isinstance(child.tag, str):
            yield f"{next(numbers)}." if element.tag == "ol" else "-", own_words(child), depth
            for inner in _inner_lists(child):
                yield from items_of(inner, depth + 1)


def _inner_lists(item: _Element) -> Iterator[_Element]:
    for child in item:
        if child.tag in LISTS:
            yield child
        elif isinstance(child.tag, str) and child.tag not in CODE:
            yield from _inner_lists(child)


def definitions_of(element: _Element) -> Iterator[tuple[str, int]]:
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


def grid_of(table: _Element) -> list[list[str]]:
    """The rows of a table; a cell that spans rows or columns stands in each. Rows of a head of several become one."""
    rows = list(rows_of(table))
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


def formula_of(math: _Element) -> str:
    """A formula as its source in TeX where the page has it."""
    source = math.get("alttext") or math.findtext(".//annotation")
    return f"${source.strip()}$" if source else line_of(math)


def in_backticks(text: str) -> str:
    """A text as code of Markdown."""
    return f"`{text}`" if text and "`" not in text else text


def rows_of(table: _Element) -> Iterator[_Element]:
    """The rows of a table and of those within it."""
    return (element for element in table.iter() if element.tag in ROWS)
