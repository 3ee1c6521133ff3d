"""A notebook is read as its reader sees it: cells in order, each with what it gave."""

import json
from typing import Any

import pytest

from ingest.content import Content
from ingest.documents import OmissionReason, ParsedDocument, Unreadable
from ingest.readers import read
from libs.contracts.structure import BlockKind

TABLE = "<table><tr><th>Part</th><th>Count</th></tr><tr><td>Valve</td><td>7</td></tr></table>"


def cell(kind: str, source: Any, **more: Any) -> dict[str, Any]:
    return {"cell_type": kind, "source": source, "metadata": {}, **more}


def output(kind: str = "display_data", **data: Any) -> dict[str, Any]:
    return {"output_type": kind, "data": {name.replace("_", "/", 1): value for name, value in data.items()}}


CELLS = [
    cell("markdown", ["# Pumps\n", "\n", "The **limit** is 42 bar.\n"], attachments={"plan.png": {}}),
    cell("code", "print(limit)", outputs=[{"output_type": "stream", "text": ["\x1b[31m42\x1b[0m\n", "bar\n"]}]),
    cell("code", "frame", outputs=[output(text_html=TABLE, text_plain="Part Count")]),
    cell("code", "value", outputs=[output("execute_result", text_plain=["7"])]),
    cell("code", "note()", outputs=[output(text_markdown="It *leaks*.", text_plain="Markdown object")]),
    cell("code", "plot()", outputs=[output(image_png="iVBO", text_plain="<Figure>"), output(application_x="{}")]),
    cell(
        "code",
        "fail()",
        outputs=[{"output_type": "error", "traceback": ["Line 1", "E: v"]}],
    ),
    cell("raw", "As it stands."),
]


def document_of(notebook: Any) -> ParsedDocument:
    (document,) = read(Content("a.ipynb", "a.ipynb", "a.ipynb", data=json.dumps(notebook).encode()))
    assert isinstance(document, ParsedDocument), document
    return document


def notebook(cells: list[Any], **metadata: Any) -> dict[str, Any]:
    return {"nbformat": 4, "metadata": {"language_info": {"name": "python"}, **metadata}, "cells": cells}


def test_cells_and_outputs_come_in_order() -> None:
    document = document_of(notebook(CELLS))
    assert document.structure
    assert document.title == "Pumps"
    assert [(block.kind, block.span.of(document.text)) for block in document.structure.blocks] == [
        (BlockKind.PARAGRAPH, "The limit is 42 bar."),
        (BlockKind.CODE, "```python\nprint(limit)\n```"),
        (BlockKind.CODE, "```\n42\nbar\n```"),
        (BlockKind.CODE, "```python\nframe\n```"),
        (BlockKind.TABLE, "| Part | Count |\n| --- | --- |\n| Valve | 7 |"),
        (BlockKind.CODE, "```python\nvalue\n```"),
        (BlockKind.CODE, "```\n7\n```"),
        (BlockKind.CODE, "```python\nnote()\n```"),
        (BlockKind.PARAGRAPH, "It leaks."),
        (BlockKind.CODE, "```python\nplot()\n```"),
        (BlockKind.CODE, "```\n<Figure>\n```"),
        (BlockKind.CODE, "```python\nfail()\n```"),
        (BlockKind.CODE, "```\nLine 1\nE: v\n```"),
        (BlockKind.PARAGRAPH, "As it stands."),
    ]


def test_what_is_no_text_is_named_with_its_cell() -> None:
    assert [(omission.reason, omission.excerpt) for omission in document_of(notebook(CELLS)).omissions] == [
        (OmissionReason.OBJECT, "cell 6, output, application/x"),
        (OmissionReason.PICTURE, "cell 1, plan.png"),
        (OmissionReason.PICTURE, "cell 6, output, image/png"),
    ]


def test_the_older_version_of_the_format_is_read_too() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Valves"},
        {"cell_type": "code", "input": ["x"], "outputs": [{"output_type": "pyout", "text": ["7"]}]},
    ]
    document = document_of({"nbformat": 3, "metadata": {}, "worksheets": [{"cells": cells}]})
    assert document.text == "## Valves\n\n```\nx\n```\n\n```\n7\n```"


def test_a_title_of_its_own_comes_first() -> None:
    assert document_of(notebook(CELLS, title="On pumps")).title == "On pumps"


@pytest.mark.parametrize("data", [b"no JSON", b"[1]", b"{}", b'{"cells": [1]}', b'{"cells": [{"source": "x"}]}'])
def test_what_is_no_notebook_is_told(data: bytes) -> None:
    (refused,) = read(Content("a.ipynb", "a.ipynb", "a.ipynb", data=data))
    assert isinstance(refused, Unreadable)
    assert refused.reason == "cannot be read as a notebook: it is damaged, or of another kind"
