"""Render units of documents in an answer: as CommonMark, without marks that look like references. Pure functions.

Lengths of fences and heading marks are CommonMark's; those of numbers, labels and addresses bound the search (taste).
"""

import re
from collections.abc import Callable
from itertools import accumulate
from textwrap import dedent
from typing import Final

from libs.contracts.structure import BlockKind
from libs.text.citation_marks import escape_lookalikes
from libs.text.prompt_injection import APART

MAX_RECORD: Final = 60
"""Maximum words of a data set's row; a longer one shows its first cells, then wanted cells, then others that fit
(taste)."""
FIRST_CELLS: Final = 2
"""Number of leading cells, which identify the row (taste)."""
ELLIPSIS: Final = "…"
DASH: Final = "-"
INDENT: Final = "  "
_CELL: Final = "; "

_FENCED: Final = re.compile(r"\A[ \t]*(?:`{3,}|~{3,})")
_FENCE: Final = re.compile(r"`{3,}")
_QUOTE_MARK: Final = re.compile(r"(?m)^[ \t]*(?:>[ \t]?)+")
_ITEM: Final = re.compile(r"\A[ \t]*(?:(?P<number>\(?(?:\d{1,3}|[a-zA-Z])[.)])|[-*+•‣▪·–o])[ \t]+")
_NOTE: Final = re.compile(
    r"(?:(?<=[^\W\d_]{2})|(?<=[.,;:!?)”’\"'。，；：！？）])|\A)"
    r"\[(\d{1,3}(?:\s?[,–-]\s?\d{1,3})*(?:\]\[\d{1,3})*)\](?![(\[\w])"
)
_PICTURE: Final = re.compile(r"!\[([^\[\]\n]{0,200})\](?:\([^()\n]{0,300}\)|\[[^\[\]\n]{0,200}\])")
_LAST_PICTURE: Final = re.compile(rf"(?<=[^\s:])\s{{1,9}}{_PICTURE.pattern}\s*\Z")
_LABELLED: Final = re.compile(r"\[(?!\d{1,3}\])([^\[\]\n]{1,200})\]\[[^\[\]\n]{0,200}\]")
_STRONG: Final = re.compile(r"(\*\*|__)(?=\S)(?!\w{1,40}__(?!\w))(.{1,1000}?)(?<=\S)\1|\A\*\*(?=\S)|(?<=\S)\*\*\Z")
"""Strong emphasis, or one end of it where it spans several units, but no name such as `__init__`."""
_CELL_WORDS: Final = re.compile(r"[^\s|](?:(?:\\\||[^|])*[^\s|])?")
_PUT_ASIDE: Final = re.compile(r"\ue000(\d+)\ue001")
_CODE: Final = re.compile(r"(?<!`)(`++).+?(?<!`)\1(?!`)", re.DOTALL)


def render_prose(text: str) -> str:
    """Return a sentence on one line."""
    return clean(" ".join(_QUOTE_MARK.sub("", text.replace(APART, " ")).split()))


def item_body(text: str) -> int:
    """Return the offset of a list item's words, after its marker."""
    mark = _ITEM.match(text)
    return mark.end() if mark else 0


def render_item(text: str, depth: int) -> str:
    """Return a list item with its own number, or a dash; line breaks of fenced code are kept."""
    mark = _ITEM.match(text)
    number = mark["number"] if mark else None
    body = text[mark.end() :] if mark else text
    lead = f"{INDENT * depth}{number or DASH} "
    if _FENCE.search(body):
        return lead + ("\n" + " " * len(lead)).join(dedent_following(body).split("\n"))
    return lead + clean(" ".join(body.split()))


def render_row(text: str) -> str:
    """Return a table row between bars, or a head with its rule; one aligned by spaces becomes a list item."""
    row = clean(text.strip())
    if "|" not in row:
        return f"{DASH} {' '.join(row.split())}"
    return "\n".join(line if line.startswith("|") else f"| {line} |" for line in row.split("\n"))


def render_code(text: str) -> str:
    """Return a code block with a fence."""
    if _FENCED.match(text):
        return text.strip("\n")
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{dedent(text.expandtabs(4)).strip()}\n{fence}"  # CommonMark's width of a tab


def dedent_following(text: str) -> str:
    """Return the text with the common indentation of all lines after the first removed."""
    first, newline, rest = text.rstrip().partition("\n")
    return first + newline + dedent(rest)


def clean(text: str) -> str:
    """Return the text without strong emphasis, images, link labels, and marks of notes, which look like references.

    What is strong in an answer is the suite's mark. Code is not changed.
    """
    if not any(mark in text for mark in ("[", "**", "__")):
        return text
    code_spans: list[str] = []

    def put_aside(code: re.Match[str]) -> str:
        code_spans.append(code[0])
        return f"\ue000{len(code_spans) - 1}\ue001"

    plain = _LABELLED.sub(
        r"\1", _PICTURE.sub(r"\1", _LAST_PICTURE.sub("", _STRONG.sub(r"\2", _CODE.sub(put_aside, text))))
    )
    return _PUT_ASIDE.sub(lambda place: code_spans[int(place[1])], escape_lookalikes(_NOTE.sub("", plain).lstrip()))


def render_record(text: str, is_relevant: Callable[[str], bool]) -> str:
    """Return a row of a data set, `column: value; column: value`; a long one keeps first and wanted cells."""
    record = render_item(text, 0)
    if len(record.split()) <= MAX_RECORD:
        return record
    cells = record.split(_CELL)
    order = sorted(range(len(cells)), key=lambda index: (index >= FIRST_CELLS and not is_relevant(cells[index]), index))
    lengths = accumulate(len(cells[index].split()) for index in order)
    selection = {index for index, length in zip(order, lengths, strict=True) if length <= MAX_RECORD}
    row = [cell if index in selection else ELLIPSIS for index, cell in enumerate(cells)]
    return _CELL.join(
        cell for index, cell in enumerate(row) if cell != ELLIPSIS or index == 0 or row[index - 1] != ELLIPSIS
    )


def emphasise(text: str, kind: BlockKind) -> str:
    """Return the text in bold, of a row each cell, unless it is code or has markup that this would break."""
    if kind is BlockKind.CODE or any(mark in text for mark in ("**", "__", "\n")):
        return text
    if kind is BlockKind.TABLE and "|" in text:
        return _CELL_WORDS.sub(r"**\g<0>**", text)
    lead = item_body(text)
    return f"{text[:lead]}**{text[lead:]}**"
