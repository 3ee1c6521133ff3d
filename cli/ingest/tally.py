"""The results of an ingest: counts, failures by file or url, and the names of empty and skipped files."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from threading import Lock
from typing import Final

from cli.ingest.report import Report
from cli.ingest.sources import Item
from cli.view.output import enum_word, one_line
from ingest.documents import PassedOver, Unreadable
from parley.retrieve.v1 import corpus_pb2

STATUSES: Final = ("added", "replaced", "unchanged", "empty", "failed")
MAX_TOLD: Final = 10
"""Maximum failures of one file that are listed (taste)."""
MAX_FILES: Final = 20
"""Maximum files that are listed by name, each for failed, empty and skipped ones (taste)."""
NO_TEXT: Final = "has no text, so a search cannot find it"
NO_TEXT_IN_PDF: Final = f"{NO_TEXT}: scanned pages need OCR first"
NO_CONTENT: Final = "has no content of its own, such as an index alone, so a search cannot find it"

VECTORS_IGNORED: Final = (
    "were embedded by the suite itself, because it cuts them otherwise than the workers: run the command with the "
    "suite's settings (PARLEY_RETRIEVE_…) and version"
)


@dataclass(slots=True)
class Tally:
    """Filled in one thread while documents are read, and in another while they are acknowledged."""

    counts: Counter[str] = field(default_factory=Counter)
    passages: int = 0
    failures: dict[str, list[str]] = field(default_factory=dict)
    empty: list[str] = field(default_factory=list)
    """The first documents without a passage, as lines."""
    skipped: list[str] = field(default_factory=list)
    """The first files that were skipped, as lines."""
    vectors_ignored: int = 0
    """Documents whose vectors of their passages the suite could not use."""
    without_vectors: int = 0
    """Passages of the collection that were without vectors at the end, which follow."""
    report: Report = field(default_factory=Report)
    _counting: Lock = field(default_factory=Lock)

    def acknowledge(self, item: Item, answer: corpus_pb2.IngestResponse) -> None:
        """Count a document that the suite accepted or refused."""
        if answer.status == corpus_pb2.INGEST_STATUS_FAILED:
            self.refuse(Unreadable(item.where, f"{answer.description} ({answer.reason})", item.line))
            return
        self.report.read(item)
        if answer.status == corpus_pb2.INGEST_STATUS_EMPTY and len(self.empty) < MAX_FILES:
            self.empty.append(f"{item.where}{_place(item.line)}: {_why_empty(item)}")
        self.vectors_ignored += answer.vectors_ignored
        self._count(enum_word(answer, "status"), answer.passages)

    def keep(self, item: Item) -> None:
        """Count a document that is stored already and need not be sent."""
        self.report.read(item)
        self._count("unchanged", item.stored_passages)

    def refuse(self, failure: Unreadable | PassedOver) -> None:
        """Count a file or line that gave no document."""
        self.report.failed(failure)
        if isinstance(failure, Unreadable):
            self._fail(failure.where, failure.line, failure.reason)
            return
        if len(self.skipped) < MAX_FILES:
            self.skipped.append(f"{failure.where}: {failure.reason}")
        self.counts["skipped"] += 1

    @property
    def documents(self) -> int:
        """How many were ingested or failed."""
        return sum(self.counts[status] for status in STATUSES)

    def summary(self) -> str:
        """Such as "added 70, replaced 1, unchanged 0, empty 0, failed 2 (312 passages)"."""
        statuses = (*STATUSES, *(status for status in ("skipped", "pruned") if status in self.counts))
        counts = ", ".join(f"{status} {self.counts[status]:,}" for status in statuses)
        return f"{counts} ({self.passages:,} passages)"

    def complaints(self) -> Iterator[str]:
        """Yield a line per failure, file by file, then a line per empty or skipped file; each list is limited."""
        for where, failures in islice(self.failures.items(), MAX_FILES):
            yield from (one_line(f"{where}{failure}") for failure in failures[:MAX_TOLD])
            if len(failures) > MAX_TOLD:
                yield f"{where}: {len(failures) - MAX_TOLD:,} more of its lines failed"
        if len(self.failures) > MAX_FILES:
            yield f"and {len(self.failures) - MAX_FILES:,} more failed"
        yield from _first(self.empty, self.counts["empty"], "that are empty")
        yield from _first(self.skipped, self.counts["skipped"], "that were skipped")
        if self.vectors_ignored:
            yield f"{self.vectors_ignored:,} documents {VECTORS_IGNORED}"

    def _count(self, status: str, passages: int) -> None:
        with self._counting:
            self.counts[status] += 1
            self.passages += passages

    def _fail(self, where: str, line: int | None, reason: str) -> None:
        with self._counting:
            self.failures.setdefault(where, []).append(f"{_place(line)}: {reason}")
            self.counts["failed"] += 1


def _first(lines: list[str], count: int, description: str) -> Iterator[str]:
    yield from map(one_line, lines)
    if count > len(lines):
        yield f"and {count - len(lines):,} more {description}"


def _place(line: int | None) -> str:
    return f", line {line}" if line is not None else ""


def _why_empty(item: Item) -> str:
    if item.document.text.strip():
        return NO_CONTENT
    return NO_TEXT_IN_PDF if item.where.lower().endswith(".pdf") else NO_TEXT
