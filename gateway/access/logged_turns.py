"""Which collections the events of a logged turn are about."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from gateway.events.events import Event, References
from gateway.store.event_log import EventLog, LoggedTurn
from gateway.turn.asked_turn import AskedTurn


class LoggedTurnCodec(Protocol):
    """Decodes what is logged of a turn."""

    def asked_from_bytes(self, turn_id: str, content: bytes) -> AskedTurn:
        """Decode what a turn is run from."""
        ...

    def event_from_bytes(self, content: bytes) -> Event:
        """Decode an event."""
        ...


async def collections_of(turn: LoggedTurn, log: EventLog, codec: LoggedTurnCodec) -> frozenset[str]:
    """Return the collections that a turn searches or cites; the request of one that ended is no longer logged."""
    start = turn.start
    if start.request:
        return frozenset({codec.asked_from_bytes(start.turn_id, start.request).request.options.collection})
    events = await log.events(start.turn_id)
    return frozenset(_cited(codec.event_from_bytes(logged.content) for logged in events))


def _cited(events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event.content, References):
            yield from (reference.evidence.passage.collection for reference in event.content.references)
