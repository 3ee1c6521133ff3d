"""Articles whose events people have marked, in TimeSET's form (Hasegawa et al., 2024): a JSON line an article.

{id, title, dateline ("Tuesday, July 11, 2023"), text, events [{id, start, end: the trigger's place in the text; timex:
the words that date it; timex_note: `2023-07-11`, `2018-09-xx`}], after [[earlier, later] ids of events]}; other keys
are left alone. The pairs of `after` read "the second comes after the first": so do all whose two events have dates.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from cli.door import CommandError

DATELINE: Final = "%A, %B %d, %Y"


@dataclass(frozen=True, slots=True)
class MarkedEvent:
    """An event that people found worth telling."""

    start: int
    end: int
    expression: str = ""
    """The words that date it; empty for none."""
    date: str = ""
    """As an event's date in a run: `2023-07-11`, `2018-09-xx`; empty for none."""


@dataclass(frozen=True, slots=True)
class Article:
    """A report with its events."""

    article_id: str
    title: str
    date: str
    """Of its dateline, ISO 8601."""
    text: str
    events: Mapping[str, MarkedEvent]
    after: tuple[tuple[str, str], ...]
    """Pairs of events: the second came after the first."""


def read_articles(path: Path) -> list[Article]:
    """All articles of a file.

    Raises:
        CommandError: it cannot be read, or a line is no article.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"The file {path} cannot be read: {error}.") from None
    return list(_articles(lines, path))


def _articles(lines: list[str], path: Path) -> Iterator[Article]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield _article(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise CommandError(f"Line {number} of {path} is no article ({error!r}).") from None


def _article(told: Mapping[str, Any]) -> Article:
    events = {
        str(event["id"]): MarkedEvent(
            *(int(event["start"]), int(event["end"])), event.get("timex") or "", event.get("timex_note") or ""
        )
        for event in told["events"]
    }
    return Article(
        article_id=str(told["id"]),
        title=str(told["title"]),
        date=datetime.strptime(told["dateline"], DATELINE).replace(tzinfo=UTC).date().isoformat(),
        text=str(told["text"]),
        events=events,
        after=tuple((str(earlier), str(later)) for earlier, later in told["after"]),
    )
