"""What became of documents: counts, and failures by file or url."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from gateway.cli.ingest.sources import Item
from gateway.cli.output import one_line
from gateway.ingest.documents import Unreadable
from parley.retrieve.v1 import corpus_pb2

WAYS: Final = ("added", "replaced", "unchanged", "empty", "failed")
MOST_TOLD: Final = 10
"""Failures of one file that are told one by one."""


@dataclass(slots=True)
class Tally:
    """Filled while documents are read in one thread and acknowledged in another."""

    counts: Counter[str] = field(default_factory=Counter)
    passages: int = 0
    failures: dict[str, list[str]] = field(default_factory=dict)
    _failing: Lock = field(default_factory=Lock)

    def acknowledge(self, item: Item, answer: corpus_pb2.IngestResponse) -> None:
        """The suite took a document, or refused it."""
        if answer.status == corpus_pb2.INGEST_STATUS_FAILED:
            self._fail(item.where, item.line, f"{answer.description} ({answer.reason})")
            return
        self.counts[corpus_pb2.IngestStatus.Name(answer.status).removeprefix("INGEST_STATUS_").lower()] += 1
        self.passages += answer.passages

    def refuse(self, found: Unreadable) -> None:
        """A file or line gave no document."""
        self._fail(found.where, found.line, found.reason)

    @property
    def failed(self) -> bool:
        """Whether anything was not taken in."""
        return bool(self.failures)

    def summary(self) -> str:
        """Such as "added 70, replaced 1, unchanged 0, empty 0, failed 2 (312 passages)"."""
        told = ", ".join(f"{way} {self.counts[way]:,}" for way in WAYS)
        pruned = f", pruned {self.counts['pruned']:,}" if "pruned" in self.counts else ""
        return f"{told}{pruned} ({self.passages:,} passages)"

    def complaints(self) -> Iterator[str]:
        """A line a failure, file by file; of many in one file the first ones and their number."""
        for where, failures in self.failures.items():
            yield from (one_line(f"{where}{failure}") for failure in failures[:MOST_TOLD])
            if len(failures) > MOST_TOLD:
                yield f"{where}: {len(failures) - MOST_TOLD:,} more of its lines failed"

    def _fail(self, where: str, line: int | None, reason: str) -> None:
        place = f", line {line}" if line is not None else ""
        with self._failing:
            self.failures.setdefault(where, []).append(f"{place}: {reason}")
            self.counts["failed"] += 1
