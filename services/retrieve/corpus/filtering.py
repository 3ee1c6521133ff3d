"""Filters and permissions as labels that every engine understands.

A document has labels (its id, its source, each metadata pair, each principal, or that it is public). A filter is a list
of conditions, each met by any one of several labels, and a time range. SQLite and the lexical index store the same
labels, so all engines give the same passages for the same filter. Pure functions.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from libs.chronology.days import parse_partial_date
from libs.contracts.dates import TimeRange
from libs.contracts.query import Filters
from libs.text.dates.readings import midnights
from libs.text.memoize import memoized
from services.retrieve.corpus.documents import Document

PUBLIC = "public"
RESTRICTED = "restricted"
UNDATED = "undated"
MAX_LABEL_CHARACTERS = 600
"""Characters of a label, of at most four bytes; PostgreSQL indexes 2,704 bytes, Elasticsearch 32,766."""
EARLIEST, LATEST = -(2**62), 2**62
"""Stand for an open side of a range: beyond every date, within the 64-bit integers of the databases."""


@dataclass(frozen=True, slots=True)
class Seconds:
    """A range [first, last] of whole seconds since 1970, UTC; `2024` is all of that year."""

    first: int
    last: int

    def overlaps(self, other: "Seconds") -> bool:
        """Whether the two have a second in common."""
        return self.first <= other.last and other.first <= self.last


@dataclass(frozen=True, slots=True)
class Admission:
    """The conditions that a document must meet to be found; all must hold."""

    labels: tuple[frozenset[str], ...] = ()
    """The document has at least one label of each set."""
    seconds: Seconds | None = None
    """The document's date overlaps it."""
    undated: bool = False
    """Whether documents without a date also meet the date condition."""

    @property
    def everything(self) -> bool:
        """Whether every public document passes."""
        return not self.labels and self.seconds is None


@dataclass(frozen=True, slots=True)
class Access:
    """A caller's filters and principals."""

    conditions: Admission = Admission()
    principals: frozenset[str] = frozenset()

    def admission(self, any_restricted: bool) -> Admission:
        """The filters and, if a collection has restricted documents, the permissions."""
        if not any_restricted:
            return self.conditions
        permitted = frozenset(principal_labels(self.principals))
        return replace(self.conditions, labels=(*self.conditions.labels, permitted))


def access_of(filters: Filters, principals: tuple[str, ...]) -> Access:
    """A request's filters and principals as labels."""
    labels = [frozenset({each}) for each in _metadata_labels(filters.metadata)]
    for kind, values in (("source", filters.sources), ("document", filters.document_ids)):
        if values:
            labels.append(frozenset(label(kind, value) for value in values))
    seconds = None if filters.dates is None else seconds_of_range(filters.dates)
    return Access(Admission(tuple(labels), seconds, filters.undated), frozenset(principals))


def labels_of(document: Document) -> frozenset[str]:
    """All labels of a document."""
    labels = {label("document", document.document_id), *_metadata_labels(document.metadata)}
    labels.update(principal_labels(document.principals)[1:] or (PUBLIC,))
    if document.source:
        labels.add(label("source", document.source))
    if document.principals:
        labels.add(RESTRICTED)
    if not document.date:
        labels.add(UNDATED)
    return frozenset(labels)


def label(kind: str, value: str) -> str:
    """The label of a value, such as `source:wiki`; a long one is replaced by its digest, as it is only compared."""
    text = f"{kind}:{value}"
    if len(text) <= MAX_LABEL_CHARACTERS:
        return text
    return f"digest:{hashlib.sha256(text.encode()).hexdigest()}"


def principal_labels(principals: Iterable[str]) -> tuple[str, ...]:
    """The labels that documents have which the principals may see."""
    return (PUBLIC, *(label("principal", principal) for principal in principals))


def _metadata_labels(metadata: Mapping[str, str]) -> list[str]:
    """One for each pair; the key's length makes it unambiguous even if the key contains the separator."""
    return [label("metadata", f"{len(key)}:{key}={value}") for key, value in sorted(metadata.items())]


@memoized(texts=2048, longest=40)  # taste; a moment with microseconds and offset has 32 characters
def seconds_of_date(date: str) -> Seconds:
    """The range of an ISO 8601 date (year, year-month, day, or moment; UTC unless it has an offset).

    Raises:
        ValueError: it is no such date.
    """
    text = date.strip()
    day = parse_partial_date(text)
    if day is None or str(day) != text[:10] or text[10:11] not in ("", "T", " "):
        raise ValueError(f"not an ISO 8601 date: {date[:40]!r}")
    if text[10:]:
        moment = _epoch(datetime.fromisoformat(text))
        return Seconds(moment, moment)
    first, last = midnights(UTC, day.first_day, day.last_day)
    return Seconds(_epoch(first), _epoch(last) + 86_399)


def seconds_of_range(dates: TimeRange) -> Seconds:
    """A range as whole seconds; its end is exclusive."""
    return Seconds(
        EARLIEST if dates.start is None else _epoch(dates.start),
        LATEST if dates.end is None else _epoch(dates.end) - 1,
    )


def _epoch(moment: datetime) -> int:
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return int((aware - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())
