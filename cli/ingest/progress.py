"""Show the progress of an ingest: a bar on a terminal, or a line every two seconds on request."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Final

from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from cli.connection.gateway_connection import complain
from cli.view.output import one_line, terminal, to_terminal
from parley.retrieve.v1 import corpus_pb2

SECONDS: Final = 2.0
"""Seconds between two lines."""
LONGEST_NAME: Final = 40
"""Maximum characters of a file's name beside a bar."""


class ProgressDisplay:
    """Counts what is done. Called by the reading thread and by the thread that receives acknowledgements."""

    def __init__(self, bar: Progress | None = None, task: TaskID | None = None) -> None:
        self._bar, self._task = bar, task
        self._documents = 0
        self._passages = 0
        self._doing = ""

    def reads(self, where: str) -> None:
        """Show that a file is being read, which may take a while."""
        self._tell(f"reading {_short(where)}")

    def under_way(self, where: str, answer: corpus_pb2.IngestResponse) -> None:
        """Show how many passages of a long document are done."""
        self._tell(f"{_short(where)}: {answer.passages:,} passages so far")

    def done(self, passages: int = 0) -> None:
        """Count a document that was ingested or could not be read."""
        self._documents += 1
        self._passages += passages
        if self._bar is not None and self._task is not None:
            self._bar.advance(self._task)

    def line(self) -> str:
        """Such as "120 documents, 3,400 passages; reading handbook.pdf"."""
        doing = f"; {self._doing}" if self._doing else ""
        return f"{self._documents:,} documents, {self._passages:,} passages{doing}"

    def _tell(self, doing: str) -> None:
        self._doing = doing
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=doing)


@contextmanager
def ingest_progress(total: int | None, lines: bool) -> Iterator[ProgressDisplay]:
    """Show a bar on a terminal; into a pipe nothing, or `lines` on standard error.

    Args:
        total: number of documents, possibly approximate; None if it is unknown.
        lines: whether to write a line every two seconds instead of a bar.
    """
    if lines or not to_terminal():
        progress = ProgressDisplay()
        with _reporting(progress) if lines else _quiet():
            yield progress
        return
    columns = (
        SpinnerColumn(),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=terminal(), transient=True) as bar:
        yield ProgressDisplay(bar, bar.add_task("", total=total))


@contextmanager
def _reporting(progress: ProgressDisplay) -> Iterator[None]:
    """Write a line every two seconds from a separate thread, since reading and waiting block."""
    over = threading.Event()

    def tell() -> None:
        while not over.wait(SECONDS):
            complain(one_line(progress.line()))

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def _quiet() -> Iterator[None]:
    yield


def _short(where: str) -> str:
    name = one_line(PurePath(where).name) or where
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
