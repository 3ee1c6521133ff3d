"""Ctrl-C during an ingest: what is stored stays, and a second run goes on."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from cli.ingest.ingest_job import IngestJob
from cli.ingest.tally import Tally
from ingest.sources.roots import Roots
from ingest.sources.walking import NamedFile, walk

INTERRUPTED: Final = 130
"""The exit code of a command that Ctrl-C ended, as shells have it."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Let the first Ctrl-C raise KeyboardInterrupt, and a second one end the process at once."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, lambda number, frame: os._exit(INTERRUPTED))
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():  # only there can signals be handled
        yield
        return
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def interruption(job: IngestJob, tally: Tally) -> str:
    """One line on what is done, and what is left."""
    files = {str(file.path) for file in walk(job.paths, Roots()) if isinstance(file, NamedFile)} | set(job.urls)
    left = len(files - tally.report.files.keys())
    pages = " and the pages of the sitemaps" if job.sitemaps else ""
    return (
        f"Interrupted: {tally.summary()}; {left:,} of {len(files):,} files{pages} are left. "
        "Run the same command again: it goes on with them."
    )
