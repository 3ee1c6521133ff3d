"""What the timeline's tests are told: passages, documents, the sample corpus in passages."""

import re
from collections.abc import Sequence
from pathlib import Path

from bench.passage_cutting import passages_of
from libs.contracts.dates import PartialDate
from libs.contracts.evidence import Evidence, Passage
from libs.contracts.spans import Span
from libs.contracts.timeline import Timeline, TimelineEvent
from services.timeline.build import TimelineBounds, order_events, timeline_of
from services.timeline.extraction.events import EventCandidate, find_events

CORPUS = Path(__file__).parents[3] / "samples" / "corpus"
_FRONT_MATTER = re.compile(r"---\n(.*?)\n---\n(.*)", re.DOTALL)


def passage(
    text: str, document: str = "d", *, date: str = "", title: str = "", start: int = 0, language: str = ""
) -> Passage:
    """A passage that stands at `start` in its document."""
    span = Span(start, start + len(text))
    return Passage(f"{document}:{start}", document, text, title=title, date=date, span=span, language=language)


def evidence(*passages: Passage) -> list[Evidence]:
    """The passages in the order of their ranking."""
    return [Evidence(item, rank=rank) for rank, item in enumerate(passages, start=1)]


def documents(*texts: str, date: str = "", language: str = "") -> list[Evidence]:
    """Each text a document of its own, as one passage."""
    return evidence(
        *(passage(text, f"d{number}", date=date, language=language) for number, text in enumerate(texts, start=1))
    )


def events_of(*texts: str, date: str = "", question: str = "timeline") -> list[EventCandidate]:
    """The events that these documents tell."""
    return list(find_events(question, documents(*texts, date=date)))


def corpus_in_passages() -> list[Evidence]:
    """All samples, cut as they are ingested."""
    return evidence(*(piece for file in sorted(CORPUS.glob("*.md")) for piece in _passages(file)))


def _passages(file: Path) -> list[Passage]:
    match = _FRONT_MATTER.match(file.read_text(encoding="utf-8"))
    assert match is not None
    head = dict(line.split(": ", 1) for line in match[1].splitlines() if ": " in line)
    return passages_of(file.stem, match[2], head["title"], head["date"])


def when(event: EventCandidate | TimelineEvent) -> str:
    """`1969-07-20`, or `2016/2017` for what lasted."""
    return f"{event.start}/{event.end}" if event.end else str(event.start)


def day(text: str) -> PartialDate:
    """`1969-07-20` or a part of it."""
    return PartialDate(*(int(part) for part in text.split("-")))


def draw_timeline(statements: Sequence[EventCandidate], max_events: int) -> Timeline:
    """The timeline of the events found: each once, the best `max_events`, in order of time."""
    assembly = order_events(statements, TimelineBounds())
    return timeline_of(assembly, TimelineBounds(), max_events)
