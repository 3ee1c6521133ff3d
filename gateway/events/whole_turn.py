"""Collects the final content of a turn's events in one message, for clients that want no stream."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from gateway.events.events import Event
from parley.context.v1 import answer_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2


async def whole_turn(turn: AsyncGenerator[Event, None]) -> gateway_pb2.WholeTurn:
    """Return the content of a turn's events, the last of those that replace each other; raises the turn's error."""
    whole, citations = gateway_pb2.WholeTurn(), dict[int, answer_pb2.Citation]()
    async with aclosing(turn) as events:
        async for event in events:
            message = event_pb2.Event.FromString(event.encoded)
            if message.HasField("restarted"):
                whole.Clear()
                citations.clear()
            elif message.HasField("citation"):
                citations[message.citation.sentence] = message.citation
            else:
                _take(whole, message)
            whole.turn_id = event.turn_id
    whole.citations.extend(citations[sentence] for sentence in sorted(citations))
    return whole


def _take(turn: gateway_pb2.WholeTurn, event: event_pb2.Event) -> None:
    kind = event.WhichOneof("event")
    if kind in ("condensed", "understanding", "timeline", "usage", "completed"):
        getattr(turn, kind).CopyFrom(getattr(event, kind))
    elif kind == "plan" and not event.plan.timeline:
        turn.plan.CopyFrom(event.plan.graph)
    elif kind == "references":
        turn.ClearField("references")
        turn.ClearField("ranking")
        turn.references.extend(event.references.references)
        turn.ranking.extend(event.references.ranking)
    elif kind == "text_end":
        turn.answer.CopyFrom(event.text_end)
    elif kind == "image":
        turn.images.add().CopyFrom(event.image)
    elif kind == "recommendation":
        turn.recommendations.extend(event.recommendation.questions)
    elif kind == "degraded":
        turn.degraded.add().CopyFrom(event.degraded)
