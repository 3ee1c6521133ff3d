"""Exports a timeline as Markdown: one list item per event, highlights in bold, sources as footnotes."""

import re
from collections.abc import Iterator

from libs.chronology.export.words import CONTROL, date_in_words
from libs.contracts.timeline import EventSource, Timeline, TimelineEvent

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|])")
_LINE_BREAKS = re.compile(r"\s+")


def to_markdown(timeline: Timeline, title: str = "Timeline") -> str:
    """Return a heading, the events in order of time, conflicts between sources, and the supporting quotes.

    Text from sources is escaped, so that it cannot become markup, a link or HTML.
    """
    numbers = _footnotes(timeline)
    lines = [f"# {_plain(title)}", ""]
    lines += [_item(event, numbers) for event in timeline.events]
    if timeline.conflicts:
        lines += ["", "## Where sources disagree", ""]
        lines += [f"- {_plain(conflict.reason)}" for conflict in timeline.conflicts]
    lines += ["", *(f"[^{number}]: {_plain(s.document_id)}: “{_plain(s.quote)}”" for s, number in numbers.items())]
    return "\n".join(lines).rstrip() + "\n"


def _footnotes(timeline: Timeline) -> dict[EventSource, int]:
    sources = dict.fromkeys(source for event in timeline.events for source in event.sources)
    return {source: number for number, source in enumerate(sources, start=1)}


def _item(event: TimelineEvent, numbers: dict[EventSource, int]) -> str:
    notes = "".join(f"[^{numbers[source]}]" for source in event.sources)
    return f"- **{date_in_words(event)}**: {''.join(_pieces(event))}{notes}"


def _pieces(event: TimelineEvent) -> Iterator[str]:
    position = 0
    for span in event.highlights:
        yield _plain(event.text[position : span.start])
        yield f"**{_plain(span.of(event.text))}**"
        position = span.end
    yield _plain(event.text[position:])


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", _LINE_BREAKS.sub(" ", text).translate(CONTROL))
