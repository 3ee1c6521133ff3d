"""The Protocol of the codec between turns and what the stores keep of them."""

from typing import Protocol

from gateway.events.events import Event
from gateway.request import AskedTurn
from libs.runtime.errors import ParleyError


class TurnCodec(Protocol):
    """Encodes questions, events and errors as bytes, and decodes them."""

    def asked_to_bytes(self, asked: AskedTurn) -> bytes:
        """Encode what a turn is run from, with the result of phase 1 if there is one."""
        ...

    def asked_from_bytes(self, turn_id: str, content: bytes) -> AskedTurn:
        """Decode what a turn is run from."""
        ...

    def event_to_bytes(self, event: Event) -> bytes:
        """Encode an event."""
        ...

    def event_from_bytes(self, content: bytes) -> Event:
        """Decode an event."""
        ...

    def error_to_bytes(self, error: ParleyError) -> bytes:
        """Encode the error that a turn ended with."""
        ...

    def error_from_bytes(self, content: bytes) -> ParleyError:
        """Decode the error that a turn ended with."""
        ...
