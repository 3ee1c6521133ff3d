"""Articles with events marked by people, in the format of TimeSET (Hasegawa et al., 2024): one JSON line per article.

{id, title, dateline ("Tuesday, July 11, 2023"), text, events [{id, start, end: the trigger's place in the text; timex:
the words that date it; timex_note: `2023-07-11`, `2018-09-xx`}], after [[earlier, later] ids of events]}; other keys
are ignored. A pair in `after` means that the second event comes after the first; this holds for all pairs in which both
events have dates.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from evaluation.files import read_lines

DATELINE: Final = "%A, %B %d, %Y"


@dataclass(frozen=True, slots=True)
class MarkedEvent:
    """An event that people found worth marking."""

    start: int
    end: int
    expression: str = ""
    """The words that date it; empty if there are none."""
    date: str = ""
    """In the format of an event's date in a run: `2023-07-11`, `2018-09-xx`; empty if there is none."""


@dataclass(frozen=True, slots=True)
class Article:
    """An article with its marked events."""

    article_id: str
    title: str
    date: str
    """The date of its dateline, ISO 8601."""
    text: str
    events: Mapping[str, MarkedEvent]
    after: tuple[tuple[str, str], ...]
    """Pairs of events: the second comes after the first."""


def read_articles(path: Path) -> list[Article]:
    """Read all articles of a file.

    Raises:
        CommandError: the file cannot be read, or a line is not an article.
    """
    return list(read_lines(path, _article, "an article"))


def _article(fields: Mapping[str, Any]) -> Article:
    events = {
        str(event["id"]): MarkedEvent(
            *(int(event["start"]), int(event["end"])), event.get("timex") or "", event.get("timex_note") or ""
        )
        for event in fields["events"]
    }
    return Article(
        article_id=str(fields["id"]),
        title=str(fields["title"]),
        date=datetime.strptime(fields["dateline"], DATELINE).replace(tzinfo=UTC).date().isoformat(),
        text=str(fields["text"]),
        events=events,
        after=tuple((str(earlier), str(later)) for earlier, later in fields["after"]),
    )
