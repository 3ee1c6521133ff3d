"""Jupyter notebooks: their cells in order, with what the code gave. Reading blocks."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from ingest.content import BrokenContent, Content
from ingest.detection.charsets import decoded
from ingest.documents import Omission, OmissionReason, ReadResult
from ingest.formats.markup import clean_markdown
from ingest.reader import Format, Sample
from libs.documents.building import DocumentBuilder
from libs.documents.markdown import parse_markdown
from libs.documents.titles import main_heading

_COLOUR: Final = re.compile(r"\x1b\[[\d;]*[A-Za-z]")
"""What colours the output of a terminal."""


class NotebookReader:
    """Reads notebooks of the versions 3 and 4 of their format."""

    format: Final = Format("a notebook", (".ipynb",), ("application/x-ipynb+json",))

    def detects(self, sample: Sample) -> bool:
        """Return whether the first bytes, or the names of the parts, show this format."""
        return False  # any JSON begins alike

    def read(self, content: Content) -> Iterator[ReadResult]:
        """Yield one document.

        Raises:
            BrokenContent: the content is not a notebook.
        """
        source = decoded(content.read(), content.charset)
        try:
            notebook = json.loads(source.text)
            sheets = notebook.get("worksheets") or [notebook]
            cells = [cell for sheet in sheets for cell in sheet["cells"]]
            builder, omissions = DocumentBuilder(), list(source.omissions)
            language = str(notebook.get("metadata", {}).get("language_info", {}).get("name", ""))
            for number, cell in enumerate(cells, start=1):
                omissions += _read_cell(cell, f"cell {number}", language, builder)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BrokenContent("is not a notebook, or is damaged") from None
        text, structure = builder.build()
        title = str(notebook.get("metadata", {}).get("title", "")) or main_heading(structure)
        yield content.document(text, title=title, structure=structure, omissions=tuple(omissions))


def _read_cell(cell: Any, place: str, language: str, builder: DocumentBuilder) -> Iterator[Omission]:
    """Add a cell and its outputs to a document; yield what of them is left out."""
    text = _text(cell.get("source", cell.get("input", "")))
    if cell["cell_type"] == "code":
        builder.code(text, language)
    elif cell["cell_type"] == "heading":  # of version 3
        builder.heading(text, cell["level"])
    else:
        _read_markdown(text, builder)
    for name in cell.get("attachments", {}):
        yield Omission(OmissionReason.PICTURE, f"{place}, {name}")
    for output in cell.get("outputs", ()):
        yield from _read_output(output, f"{place}, output", builder)


def _read_output(output: Any, place: str, builder: DocumentBuilder) -> Iterator[Omission]:
    """Add the richest form of an output that is text: a table of HTML, Markdown, or plain text."""
    data = output.get("data", {})
    builder.code(_plain(output.get("text", "")))
    if output["output_type"] in ("error", "pyerr"):
        builder.code(_plain(output.get("traceback") or f"{output.get('ename')}: {output.get('evalue')}"))
    if "text/html" in data:
        _read_html(_text(data["text/html"]), builder)
    elif "text/markdown" in data:
        _read_markdown(_text(data["text/markdown"]), builder)
    else:
        builder.code(_plain(data.get("text/plain", data.get("text/latex", ""))))
    for kind in sorted(data):
        if kind.startswith("image/"):
            yield Omission(OmissionReason.PICTURE, place)
    if data and not any(kind.startswith(("image/", "text/")) for kind in data):
        yield Omission(OmissionReason.OBJECT, f"{place}, {', '.join(sorted(data))}")


def _read_markdown(source: str, builder: DocumentBuilder) -> None:
    text = clean_markdown(source)
    builder.append(text, parse_markdown(text))


def _read_html(markup: str, builder: DocumentBuilder) -> None:
    from libs.web.pages import NoPage, read_page  # imports lxml

    try:
        page = read_page(markup)
    except NoPage:
        return
    builder.append(page.text, page.structure)


def _text(value: Any) -> str:
    """A text, which may be given as its lines."""
    return value if isinstance(value, str) else "".join(value)


def _plain(value: Any) -> str:
    """The text of a terminal, without its colours; the lines of a traceback do not say where they end."""
    lines = [value] if isinstance(value, str) else value
    separator = "" if all(line.endswith("\n") for line in lines[:-1]) else "\n"
    return _COLOUR.sub("", separator.join(lines))
