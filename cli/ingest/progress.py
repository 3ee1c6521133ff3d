"""Show the progress of an ingest: a bar on a terminal, or a line every two seconds on request."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Final

from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from cli.connection.gateway_connection import complain
from cli.ingest.tally import Tally
from cli.view.output import one_line, terminal, to_terminal

SECONDS: Final = 2.0
"""Seconds between two lines (taste)."""
MAX_NAME: Final = 40
"""Maximum characters of a file's name beside a bar (taste)."""


class ProgressDisplay:
    """Shows what is counted and what goes on; the reading and the acknowledging thread call it."""

    def __init__(self, tally: Tally, bar: Progress, total: int | None) -> None:
        self._tally = tally
        self._bar = bar
        self._task = bar.add_task("", total=total)
        self._doing = ""

    def reads(self, where: str) -> None:
        """Show that a file is being read, which may take a while."""
        self.refresh(f"reading {_short(where)}")

    def under_way(self, where: str, passages: int) -> None:
        """Show how many passages of a long document are done."""
        self.refresh(f"{_short(where)}: {passages:,} passages so far")

    def refresh(self, doing: str = "") -> None:
        """Show the counts as they are now, and what goes on if it has changed."""
        self._doing = doing or self._doing
        self._bar.update(self._task, completed=self._tally.documents, description=self._doing)

    def tell_until(self, over: threading.Event) -> None:
        """Write lines such as "120 documents, 3,400 passages; reading handbook.pdf" until it is over."""
        while not over.wait(SECONDS):
            doing = f"; {self._doing}" if self._doing else ""
            complain(one_line(f"{self._tally.documents:,} documents, {self._tally.passages:,} passages{doing}"))


@contextmanager
def ingest_progress(tally: Tally, total: int | None, lines: bool) -> Iterator[ProgressDisplay]:
    """Show a bar on a terminal; into a pipe nothing, or `lines` on standard error.

    Args:
        tally: counts what is done.
        total: number of documents, possibly approximate; None if it is unknown.
        lines: whether to write a line every two seconds instead of a bar.
    """
    counts = (SpinnerColumn(), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    columns = (*counts, TextColumn("{task.description}"))
    over = threading.Event()
    with Progress(*columns, console=terminal(), transient=True, disable=lines or not to_terminal()) as bar:
        progress = ProgressDisplay(tally, bar, total)
        teller = threading.Thread(target=progress.tell_until, args=(over,), daemon=True)  # reading and waiting block
        if lines:
            teller.start()
        try:
            yield progress
        finally:
            over.set()
            if lines:
                teller.join()


def _short(where: str) -> str:
    name = one_line(PurePath(where).name) or where
    return name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…"
