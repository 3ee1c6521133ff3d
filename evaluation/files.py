"""Files of JSON lines: read with the number of a broken line, written so that each line is on its way at once."""

import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO, TypeVar

from cli.connection.gateway_connection import CommandError
from ingest.detection.kinds import UNPACKING_ERRORS, open_text

T = TypeVar("T")
Write = Callable[[str], None]


def read_lines(path: Path, parse: Callable[[dict[str, Any]], T], kind: str) -> list[T]:
    """Parse each line of a file, packed or not; empty lines are skipped.

    Args:
        parse: makes a value of a line's object; what it raises means that the line is none.
        kind: what a line is, for the message: "a task".

    Raises:
        CommandError: the file cannot be read, or a line is not of its kind.
    """
    return list(stream_lines(path, parse, kind))


def stream_lines(path: Path, parse: Callable[[dict[str, Any]], T], kind: str) -> Iterator[T]:
    """Yield what `read_lines` returns, one after the other."""
    try:
        with _open(path) as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _parsed(line, parse, f"Line {number} of {path} is not {kind}")
    except (OSError, UnicodeDecodeError, zipfile.BadZipFile, *UNPACKING_ERRORS) as error:
        reason = getattr(error, "strerror", None) or "it is damaged or not UTF-8 text"
        raise CommandError(f"The file {path} cannot be read: {reason}.") from None


@contextmanager
def _open(path: Path) -> Iterator[TextIO]:
    """Open a text file, packed or not, or the first JSON file in a zip archive."""
    if path.suffix != ".zip":
        with open_text(path) as file:
            yield file
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
        raise CommandError(f"{complaint} ({error!r}).") from None


@contextmanager
def writing(path: Path, mode: str = "w") -> Iterator[Write]:
    """Write lines to a file, whose folder is made; each is flushed before the next.

    Raises:
        CommandError: the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open(mode, encoding="utf-8") as file:

            def write(line: str) -> None:
                file.write(f"{line}\n")
                file.flush()

            yield write
    except OSError as error:
        raise CommandError(f"The file {path} cannot be written: {error.strerror}.") from None
