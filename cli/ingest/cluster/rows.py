"""What travels through the cluster: files to read, what they gave, and whether everything came back.

A file's results are numbered from 0 and end with `FileEnd`. So the command line notices if a part is missing, or comes
twice because a worker's task was repeated, whatever the cluster does.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cli.connection.gateway_connection import CommandError
from cli.ingest.sources import ReadItem
from ingest.documents import Unreadable

LOST: Final = "was not read completely, because its workers died again and again; ingest it once more"
"""Why a file failed."""


@dataclass(frozen=True, slots=True)
class FileEnd:
    """Everything of a file has been yielded."""


@dataclass(frozen=True, slots=True)
class WorkerFault:
    """No worker can do its work: a message for people."""

    message: str


RowContent = ReadItem | FileEnd | WorkerFault


@dataclass(frozen=True, slots=True)
class Row:
    """A result of a file."""

    place: int
    """Position of the file, from 0."""
    number: int
    """Position of the result in the file, from 0."""
    content: RowContent


Batch = Mapping[str, Sequence[Any]]
"""Columns of rows: `place`, `number`, `content`."""


def packed_rows(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Rows as columns that the cluster can store; the content is pickled, since only our own processes read it."""
    return {
        "place": [row.place for row in rows],
        "number": [row.number for row in rows],
        "content": [pickle.dumps(row.content) for row in rows],
    }


def unpacked_rows(batch: Batch) -> Iterator[Row]:
    """The rows of a batch."""
    for place, number, content in zip(batch["place"], batch["number"], batch["content"], strict=True):
        yield Row(int(place), int(number), pickle.loads(content))


def delivered(rows: Iterable[Row], files: Sequence[str], began: Callable[[str], None]) -> Iterator[ReadItem]:
    """Yield what each file gave exactly once, in order, and one failure for each file of which something is missing.

    Args:
        rows: in the order of the files, possibly repeated or incomplete.
        files: names of the files for messages.
        began: called with each file.

    Raises:
        CommandError: the workers cannot do their work.
    """
    delivery = _Delivery(files, began)
    for row in rows:
        yield from delivery.take(row)
    yield from delivery.end()


class _Delivery:
    """Which row comes next."""

    def __init__(self, files: Sequence[str], began: Callable[[str], None]) -> None:
        self._files = files
        self._began = began
        self._place = self._number = 0
        self._lost_place = -1

    def take(self, row: Row) -> Iterator[ReadItem]:
        """Yield what a row adds: nothing if it came before; first the failures of files that it skips."""
        if (row.place, row.number) < (self._place, self._number):
            return
        yield from self._go_to(row.place)
        if self._number < row.number:
            yield from self._lose()
        if row.number == 0:
            self._began(self._files[row.place])
        self._number = row.number + 1
        if isinstance(row.content, WorkerFault):
            raise CommandError(row.content.message)
        if isinstance(row.content, FileEnd):
            self._place, self._number = row.place + 1, 0
        else:
            yield row.content

    def end(self) -> Iterator[ReadItem]:
        """Yield the failures of the files that did not come."""
        yield from self._go_to(len(self._files))

    def _go_to(self, place: int) -> Iterator[ReadItem]:
        while self._place < place:
            yield from self._lose()
            self._place, self._number = self._place + 1, 0

    def _lose(self) -> Iterator[ReadItem]:
        if self._lost_place != self._place:
            self._lost_place = self._place
            yield Unreadable(self._files[self._place], LOST)
