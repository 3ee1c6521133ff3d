"""Files of JSON lines: read with the number of a broken line, written so that each line is on its way at once.

A line that holds a dataclass is read by `reader_of` it: keys that it does not have are ignored. All of this blocks.
"""

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from pydantic import TypeAdapter, ValidationError

from cli.connection.gateway_connection import CommandError
from ingest.content import BrokenContent, Content

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
Line = TypeVar("Line", bound="DataclassInstance")
Write = Callable[["DataclassInstance"], None]


def reader_of(kind: type[T]) -> Callable[[dict[str, Any]], T]:
    """What makes a dataclass of a line's object; a list may stand for a tuple, an integer for a float."""
    return TypeAdapter(kind).validate_python


def to_line(value: "DataclassInstance") -> str:
    """A dataclass as a line, without its end."""
    return json.dumps(asdict(value), ensure_ascii=False)


def mend(path: Path) -> None:
    """Remove a partial last line, so that more lines can be appended."""
    with path.open("r+b") as file:
        content = file.read()
        file.truncate(content.rfind(b"\n") + 1)


def read_lines(path: Path, parse: Callable[[dict[str, Any]], T], kind: str) -> Iterator[T]:
    """Parse each line of a file, packed or not, one after the other; empty lines are skipped.

    Args:
        parse: makes a value of a line's object; what it raises means that the line is none.
        kind: what a line is, for the message: "a task".

    Raises:
        CommandError: the file cannot be read, or a line is not of its kind.
    """
    try:
        with _open(path) as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _parsed(line, parse, f"Line {number} of {path} is not {kind}")
    except BrokenContent as error:
        raise CommandError(f"The file {path} cannot be read: {error}.") from None
    except (OSError, UnicodeDecodeError, zipfile.BadZipFile) as error:
        reason = getattr(error, "strerror", None) or "it is damaged or not UTF-8 text"
        raise CommandError(f"The file {path} cannot be read: {reason}.") from None


@contextmanager
def _open(path: Path) -> Iterator[TextIO]:
    """Open a text file, packed or not, or the first JSON file in a zip archive."""
    if path.suffix != ".zip":
        with Content(str(path), path.name, "", file=path).open() as file:
            yield TextIOWrapper(file, encoding="utf-8-sig")
        return
    with zipfile.ZipFile(path) as archive:
        names = (name for name in archive.namelist() if name.endswith((".jsonl", ".json")) and "__MACOSX" not in name)
        name = next(names, None)
        if name is None:
            raise zipfile.BadZipFile
        with archive.open(name) as member:
            yield TextIOWrapper(member, encoding="utf-8-sig")


def _parsed(line: str, parse: Callable[[dict[str, Any]], T], complaint: str) -> T:
    try:
        return parse(json.loads(line))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CommandError(f"{complaint} ({_fault(error)}).") from None


def _fault(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return repr(error)
    first = error.errors()[0]
    return ": ".join(filter(None, (".".join(map(str, first["loc"])), first["msg"])))


@contextmanager
def writing(path: Path, mode: str = "w") -> Iterator[Write]:
    """Write dataclasses to a file, a line each, and make its folder; each line is flushed before the next.

    Raises:
        CommandError: the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open(mode, encoding="utf-8") as file:

            def write(value: "DataclassInstance") -> None:
                file.write(f"{to_line(value)}\n")
                file.flush()

            yield write
    except OSError as error:
        raise CommandError(f"The file {path} cannot be written: {error.strerror}.") from None


def write_each(path: Path, values: Iterable[Line]) -> Iterator[Line]:
    """Yield the values as they arrive, each written to the file before the next is requested.

    Raises:
        CommandError: the file cannot be written.
    """
    with writing(path) as write:
        for value in values:
            write(value)
            yield value
