"""Exports a timeline as JSON, without I/O: dates as ISO 8601 (`1969-07`), spans as [start, end) of code points."""

import json
from typing import Any

from libs.contracts.spans import Span
from libs.contracts.timeline import DateConflict, EventSource, Timeline, TimelineEvent


def to_json(timeline: Timeline, title: str = "") -> str:
    """Return one object: title, granularity, engine, events in order of time, conflicts; events omit empty values."""
    content = {
        "title": title,
        "granularity": timeline.granularity.value,
        "engine": timeline.engine,
        "events": [_event(event) for event in timeline.events],
        "conflicts": [_conflict(conflict) for conflict in timeline.conflicts],
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _event(event: TimelineEvent) -> dict[str, Any]:
    content = {
        "event_id": event.event_id,
        "text": event.text,
        "start": str(event.start),
        "end": str(event.end) if event.end else "",
        "precision": event.precision.value,
        "date_text": event.date_text,
        "group": event.group,
        "highlights": [_span(span) for span in event.highlights],
        "image_id": event.image.image_id if event.image else "",
        "sources": [_source(source) for source in event.sources],
    }
    return {name: value for name, value in content.items() if value}


def _conflict(conflict: DateConflict) -> dict[str, Any]:
    return {"event_ids": list(conflict.event_ids), "reason": conflict.reason}


def _source(source: EventSource) -> dict[str, Any]:
    return {
        "passage_id": source.passage_id,
        "document_id": source.document_id,
        "span": _span(source.span),
        "quote": source.quote,
    }


def _span(span: Span) -> list[int]:
    return [span.start, span.end]
