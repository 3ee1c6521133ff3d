"""Where a command's output goes: a terminal gets colours and drawings, a pipe plain lines without control codes."""

import re
import sys
from collections.abc import Iterable, Sequence
from typing import Final

from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message
from rich.console import Console
from rich.table import Table
from rich.text import Text

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]+")

STOPS: Final = (".", "!", "?", "。", "！", "？")
"""What ends a sentence."""


def to_terminal() -> bool:
    """Whether standard output is one."""
    return sys.stdout.isatty()


def terminal() -> Console:
    """Standard output as a terminal that reads no markup into what it is given."""
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False, soft_wrap=False)


def printable(text: str) -> str:
    """The text without control characters, which documents may hold and a terminal would obey.

    New lines and tabs stay: they set code and lists.
    """
    return _CONTROL.sub(" ", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """The text on one line, with single spaces."""
    return " ".join(printable(text).split())


def sentence(text: str) -> str:
    """The text on one line with a capital and a full stop; what begins with a name, a path or an option stays so."""
    line = one_line(text)
    first = line.partition(" ")[0]
    if first.isalpha() and first.islower():
        line = line[0].upper() + line[1:]
    return line if line.endswith(STOPS) else f"{line}."


def tell(text: str = "") -> None:
    """A line on standard output, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def tell_json(message: Message) -> None:
    """A message as one line of protobuf JSON with the contract's field names; fields at their default are told too."""
    tell(
        MessageToJson(message, indent=None, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    )


def tell_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table: aligned on a terminal; into a pipe a line a row, its cells parted by tabs."""
    if not to_terminal():
        for row in (headings, *rows):
            tell("\t".join(one_line(cell) for cell in row))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading)
    for row in rows:
        table.add_row(*(Text(one_line(cell)) for cell in row))
    terminal().print(table)
