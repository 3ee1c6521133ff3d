"""Filters and permissions as labels that every engine understands.

A document has labels (its id, its source, each metadata pair, each principal, or that it is public). A filter is a list
of conditions, each met by any one of several labels, and a time range. SQLite and the lexical index store the same
labels, so all engines give the same passages for the same filter.
"""

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from libs.contracts.dates import TimeRange
from libs.contracts.query import Filters
from libs.text.memoize import memoized
from services.retrieve.corpus.documents import Document

PUBLIC = "public"
RESTRICTED = "restricted"
UNDATED = "undated"
MAX_LABEL_CHARACTERS = 600
"""Characters of a label; PostgreSQL indexes 2,704 bytes, Elasticsearch 32,766."""


EARLIEST, LATEST = -(2**62), 2**62
"""Stand for an open side of a range, beyond every date."""


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
        principal_labels = frozenset({PUBLIC, *map(principal_label, self.principals)})
        return Admission((*self.conditions.labels, principal_labels), self.conditions.seconds, self.conditions.undated)


def access_of(filters: Filters, principals: tuple[str, ...]) -> Access:
    """A request's filters and principals as labels."""
    labels = [frozenset({metadata_label(key, value)}) for key, value in sorted(filters.metadata.items())]
    if filters.sources:
        labels.append(frozenset(map(source_label, filters.sources)))
    if filters.document_ids:
        labels.append(frozenset(map(document_label, filters.document_ids)))
    seconds = None if filters.dates is None else seconds_of_range(filters.dates)
    return Access(Admission(tuple(labels), seconds, filters.undated), frozenset(principals))


def labels_of(document: Document) -> frozenset[str]:
    """All labels of a document."""
    access = map(principal_label, document.principals) if document.principals else (PUBLIC,)
    labels = {document_label(document.document_id), *access}
    labels.update(metadata_label(key, value) for key, value in document.metadata.items())
    if document.source:
        labels.add(source_label(document.source))
    if document.principals:
        labels.add(RESTRICTED)
    if not document.date:
        labels.add(UNDATED)
    return frozenset(labels)


def document_label(document_id: str) -> str:
    """Label of the document itself."""
    return f"document:{document_id}"


def source_label(source: str) -> str:
    """Label of the source of a document."""
    return f"source:{source}"


def principal_label(principal: str) -> str:
    """Label of a principal who may see a document."""
    return f"principal:{principal}"


def metadata_label(key: str, value: str) -> str:
    """Label of a metadata pair; the key's length makes it unambiguous even if the key contains the separator."""
    return _bounded(f"metadata:{len(key)}:{key}={value}")


def _bounded(label: str) -> str:
    """A label that every engine can index: a long one is replaced by its digest, as it is only compared."""
    return label if len(label) <= MAX_LABEL_CHARACTERS else f"digest:{hashlib.sha256(label.encode()).hexdigest()}"


_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](.+))?)?)?\Z")


@memoized(texts=2048, longest=40)
def seconds_of_date(date: str) -> Seconds:
    """The range of an ISO 8601 date (year, year-month, day, or moment; UTC unless it has an offset).

    Raises:
        ValueError: it is no such date.
    """
    match = _ISO.match(date.strip())
    if not match:
        raise ValueError(f"not an ISO 8601 date: {date[:40]!r}")
    if match[4]:
        moment = _epoch(_aware(datetime.fromisoformat(date.strip())))
        return Seconds(moment, moment)
    year, month, day = int(match[1]), int(match[2] or 1), int(match[3] or 1)
    first = datetime(year, month, day, tzinfo=UTC)
    return Seconds(_epoch(first), _epoch(_following(first, bool(match[2]), bool(match[3]))) - 1)


def seconds_of_range(dates: TimeRange) -> Seconds:
    """A range as whole seconds; its end is exclusive."""
    return Seconds(
        EARLIEST if dates.start is None else _epoch(_aware(dates.start)),
        LATEST if dates.end is None else _epoch(_aware(dates.end)) - 1,
    )


def _following(first: datetime, has_month: bool, has_day: bool) -> datetime:
    """The beginning of the next day, month or year."""
    if has_day:
        return (
            first + timedelta(days=1)
            if first < datetime(9999, 12, 31, tzinfo=UTC)
            else datetime.max.replace(tzinfo=UTC)
        )
    if not has_month:
        return first.replace(year=first.year + 1) if first.year < 9999 else datetime.max.replace(tzinfo=UTC)
    if first.month < 12:
        return first.replace(month=first.month + 1)
    return _following(first.replace(month=1), has_month=False, has_day=False)


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _epoch(moment: datetime) -> int:
    return int((moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())
