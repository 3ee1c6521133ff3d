"""Where audit records go: the process's log, or a file of JSON lines that a thread writes."""

import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from queue import Full, Queue
from typing import Any, Final

import structlog
from pydantic import Field

from libs.runtime.settings import AreaSettings, SettingsError

MAX_WAITING: Final = 10_000
"""Records that wait for the disk, of some 400 bytes each (taste)."""
SUCCESSES: Final = frozenset(("ADDED", "REPLACED", "UNCHANGED", "EMPTY"))
"""Outcomes of documents that were put; they are logged at the level `debug`."""

_log = structlog.get_logger("parley.audit")

Record = Mapping[str, Any]


class AuditSettings(AreaSettings, area="audit"):
    """Where the gateway records writes and refusals."""

    file: Path | None = Field(default=None)
    """File to which JSON lines are appended, created if missing. Without it the records go to the process's log (those
    of documents that were put with the level `debug`). If the
    file cannot be written (a full disk), the gateway serves on; the number of lost records is logged, and recorded as
    soon as the file can be written again. It may be moved away at any time."""


AuditSink = Callable[[Record], None]
"""Takes a record; never blocks and never fails."""


def log_record(record: Record) -> None:
    """Write a record to the process's log; the many of documents that went well at the level `debug`."""
    is_usual = record.get("outcome") in SUCCESSES
    say = _log.debug if is_usual else _log.info
    say("audit", **{key: value for key, value in record.items() if key != "time"})


class AuditFile:
    """Appends records to a file, from a thread of its own. Close it to write what waits."""

    def __init__(self, path: Path, max_waiting: int = MAX_WAITING) -> None:
        """Start the thread.

        Raises:
            OSError: the file cannot be opened.
        """
        self._path = path
        self._append(b"")
        self._waiting: Queue[Record | None] = Queue(max_waiting)
        self._lost = 0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="audit", daemon=True)
        self._thread.start()

    def write(self, record: Record) -> None:
        """Queue a record for the thread; one that finds no place is counted as lost."""
        try:
            self._waiting.put_nowait(record)
        except Full:
            self._lose(1)

    def close(self) -> None:
        """Write what waits, then stop; blocks until that is done."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        is_over = False
        while not is_over:
            records = [self._waiting.get()]
            while not self._waiting.empty():
                records.append(self._waiting.get())
            is_over = None in records
            self._write_all([record for record in records if record is not None])

    def _write_all(self, records: list[Record]) -> None:
        with self._lock:
            lost, self._lost = self._lost, 0
        lines = [{"time": now(), "lost": lost}, *records] if lost else records
        try:
            self._append(b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines))
        except OSError as error:
            self._lose(lost + len(records))
            _log.error("audit records are lost: the file cannot be written", lost=self._lost, reason=error.strerror)

    def _append(self, content: bytes) -> None:
        """Append lines to a file that only its owner reads; opened each time, so that it may be moved away."""
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            while content:
                content = content[os.write(file, content) :]
        finally:
            os.close(file)

    def _lose(self, count: int) -> None:
        with self._lock:
            self._lost += count


@contextmanager
def open_sink(settings: AuditSettings) -> Iterator[AuditSink]:
    """Open the sink that the settings name.

    Raises:
        SettingsError: the file cannot be opened.
    """
    if settings.file is None:
        yield log_record
        return
    try:
        sink = AuditFile(settings.file)
    except OSError as error:
        raise SettingsError(f"{settings.variable('file')}: {error.filename}: {error.strerror}") from None
    with closing(sink):
        yield sink.write


def now() -> str:
    """The time of a record."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
