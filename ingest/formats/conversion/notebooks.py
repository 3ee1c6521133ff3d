"""Converts Jupyter notebooks, of the versions 3 and 4 of their format: cells in order, with what the code gave."""

import json
import re
from collections.abc import Iterator
from html import escape
from typing import Any, Final

from markdown_it import MarkdownIt

from ingest.formats.converted import page, unread

_COLOUR: Final = re.compile(r"\x1b\[[\d;]*[A-Za-z]")
"""What colours the output of a terminal."""


def to_html(source: str) -> str:
    """The notebook as HTML; pictures are named by their cells.

    Raises:
        ValueError, KeyError, TypeError, AttributeError: it is not a notebook.
    """
    notebook = json.loads(source)
    cells = [cell for sheet in notebook.get("worksheets") or [notebook] for cell in sheet["cells"]]
    kernel = notebook.get("metadata", {}).get("language_info", {}).get("name", "")
    pieces = (piece for number, cell in enumerate(cells, start=1) for piece in _cell(cell, kernel, f"cell {number}"))
    return page("".join(pieces), notebook.get("metadata", {}).get("title", ""))


def _cell(cell: Any, kernel: str, place: str) -> Iterator[str]:
    text = _text(cell.get("source", cell.get("input", "")))
    if cell["cell_type"] == "code":
        yield _code(text, kernel)
    elif cell["cell_type"] == "heading":  # of version 3
        yield f"<h{cell['level']}>{escape(text)}</h{cell['level']}>"
    else:
        yield MarkdownIt("commonmark").enable("table").render(text)
    yield from (unread("PICTURE", f"{place}, {name}") for name in cell.get("attachments", {}))
    for output in cell.get("outputs", ()):
        yield from _output(output, f"{place}, output")


def _output(output: Any, place: str) -> Iterator[str]:
    """The richest form of an output that is text: HTML, such as a table, Markdown, or plain text."""
    data = output.get("data", {})
    yield _code(_plain(output.get("text", "")))
    yield _code(_plain(output.get("traceback", "")))
    if "text/html" in data:
        yield _text(data["text/html"])
    elif "text/markdown" in data:
        yield MarkdownIt("commonmark").render(_text(data["text/markdown"]))
    else:
        yield _code(_plain(data.get("text/plain", data.get("text/latex", ""))))
    yield from (unread("PICTURE", f"{place}, {kind}") for kind in sorted(data) if kind.startswith("image/"))
    if data and not any(kind.startswith(("image/", "text/")) for kind in data):
        yield unread("OBJECT", f"{place}, {', '.join(sorted(data))}")


def _code(text: str, kernel: str = "") -> str:
    return f'<pre class="language-{escape(kernel)}">{escape(text)}</pre>'


def _text(value: Any) -> str:
    """A text, which may be given as its lines."""
    return value if isinstance(value, str) else "".join(value)


def _plain(value: Any) -> str:
    """The text of a terminal, without its colours; the lines of a traceback do not say where they end."""
    lines = [value] if isinstance(value, str) else value
    separator = "" if all(line.endswith("\n") for line in lines[:-1]) else "\n"
    return _COLOUR.sub("", separator.join(lines))
