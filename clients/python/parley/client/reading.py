"""Reads the contract's messages into the client's values. Pure functions; unknown values are no error."""

from collections.abc import Mapping
from typing import Any

from parley.client.values import (
    Citation,
    CitedSpan,
    Degraded,
    Moment,
    Outcome,
    Passage,
    PlacedImage,
    Reference,
    Timeline,
    TimelineEvent,
    Usage,
    Verdict,
)
from parley.context.v1 import answer_pb2, session_pb2, usage_pb2

Passages = Mapping[str, Passage]
"""The passages of an answer's references by their ids."""


def passage_of(message: Any) -> Passage:
    """A `parley.context.v1.Passage`."""
    return Passage(
        passage_id=message.passage_id,
        document_id=message.document_id,
        text=message.text,
        title=message.title,
        url=message.url,
        date=message.date,
        source=message.source,
        collection=message.collection,
        headings=tuple(message.headings),
        page=message.page,
        language=message.language,
        metadata=dict(message.metadata),
        cells=message.cells,
    )


def reference_of(message: Any) -> Reference:
    """A `parley.context.v1.Reference`."""
    evidence = message.evidence
    return Reference(message.number, passage_of(evidence.passage), evidence.scores.fused)


def citation_of(message: Any, text: str, passages: Passages) -> Citation:
    """A `parley.context.v1.Citation`; `text` is the sentence as it was written."""
    return Citation(
        sentence=message.sentence,
        text=message.replacement if message.HasField("replacement") else text,
        verdict=Verdict(_name(answer_pb2.Verdict, message.verdict)),
        score=message.score,
        reason=message.reason,
        spans=tuple(
            CitedSpan(
                number=each.number,
                quote=each.quote,
                start=each.span.start,
                end=each.span.end,
                passage=passages.get(each.passage_id),
                cells=each.cells,
            )
            for each in message.references
        ),
        answers=message.answers,
    )


def image_of(message: Any) -> PlacedImage:
    """A `parley.context.v1.PlacedImage`."""
    image = message.image
    return PlacedImage(message.paragraph, image.image_id, image.caption, message.document_id, image.url)


def timeline_of(message: Any, passages: Passages) -> Timeline:
    """A `parley.context.v1.Timeline`."""
    events = tuple(_timeline_event_of(event, passages) for event in message.events)
    return Timeline(events, tuple(conflict.reason for conflict in message.conflicts))


def degraded_of(message: Any) -> Degraded:
    """A `parley.context.v1.Degraded`."""
    return Degraded(stage_name(message.stage), message.reason, message.effect)


def usage_of(message: Any) -> Usage:
    """A `parley.gateway.v1.UsageEvent`."""
    return Usage(message.input_tokens, message.output_tokens, message.cost_usd, message.milliseconds)


def outcome_of(value: int) -> Outcome:
    """A value of `parley.context.v1.Outcome`; UNSPECIFIED for one that this client does not know."""
    name = _name(session_pb2.Outcome, value)
    return Outcome(name) if name in list(Outcome) else Outcome.UNSPECIFIED


def stage_name(value: int) -> str:
    """The name of a stage, such as `retrieve`."""
    return _name(usage_pb2.Stage, value)


def _timeline_event_of(message: Any, passages: Passages) -> TimelineEvent:
    return TimelineEvent(
        event_id=message.event_id,
        text=message.text,
        start=_moment_of(message.start),
        end=_moment_of(message.end) if message.HasField("end") else None,
        date_text=message.date_text,
        quotes=tuple(
            CitedSpan(0, each.quote, each.span.start, each.span.end, passages.get(each.passage_id))
            for each in message.sources
        ),
    )


def _moment_of(message: Any) -> Moment:
    return Moment(message.year, message.month, message.day)


def _name(enum: Any, value: int) -> str:
    """The name of a value without the enum's prefix, in small letters; `unspecified` for an unknown one."""
    if value not in enum.values():
        return "unspecified"
    names = enum.keys()
    prefix = names[0].removesuffix("UNSPECIFIED")
    return str(enum.Name(value)).removeprefix(prefix).lower()
