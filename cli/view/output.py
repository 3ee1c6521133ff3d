"""The output of a command: colours and drawings on a terminal, plain lines without control codes in a pipe."""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message
from rich.console import Console
from rich.table import Table
from rich.text import Text

M = TypeVar("M", bound=Message)

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]+")

STOPS: Final = (".", "!", "?", "。", "！", "？")
"""Characters that end a sentence."""


def to_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout.isatty()


def terminal() -> Console:
    """Return a console for standard output that interprets no markup in its text."""
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False, soft_wrap=False)


def printable(text: str) -> str:
    """Return the text without control characters, which documents may contain and a terminal would obey.

    Newlines and tabs are kept: code and lists depend on them.
    """
    return _CONTROL.sub(" ", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Return the text on one line, with single spaces."""
    return " ".join(printable(text).split())


def enum_word(message: Message, field: str, unspecified: str = "unspecified") -> str:
    """Return the value of an enum field in words, such as "last turn" for STRATEGY_LAST_TURN.

    A value that this version does not know counts as unspecified.
    """
    enum = message.DESCRIPTOR.fields_by_name[field].enum_type
    assert enum is not None, field
    value = enum.values_by_number.get(getattr(message, field))
    if value is None or not value.number:
        return unspecified
    prefix = enum.values[0].name.removesuffix("UNSPECIFIED")
    return str(value.name).removeprefix(prefix).replace("_", " ").lower()


def sentence(text: str) -> str:
    """Return the text on one line with a capital and a full stop; a leading name, path or option stays unchanged."""
    line = one_line(text)
    first = line.partition(" ")[0]
    if first.isalpha() and first.islower():
        line = line[0].upper() + line[1:]
    return line if line.endswith(STOPS) else f"{line}."


def tell(text: str = "") -> None:
    """Write a line to standard output and flush it."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def tell_json(message: Message) -> None:
    """Write a message as one line of protobuf JSON with the contract's field names, including default values."""
    tell(
        MessageToJson(message, indent=None, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    )


def tell_list(messages: Iterable[M], json: bool, headings: Sequence[str], row: Callable[[M], Sequence[str]]) -> None:
    """Write messages as lines of JSON, or as a table with a row for each."""
    if not json:
        tell_table(headings, map(row, messages))
        return
    for message in messages:
        tell_json(message)


def tell_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table: aligned on a terminal; in a pipe one line per row with tab-separated cells."""
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
