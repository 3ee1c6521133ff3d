"""Encodes cached answers with the contract's own messages."""

from gateway.convert import event_message, event_value
from gateway.events.events import Event, TurnEvent
from libs.contracts.session import Turn
from libs.contracts.wire.codec import from_message, to_message
from parley.context.v1 import session_pb2
from parley.gateway.v1 import event_pb2


class ContractAnswerCodec:
    """The AnswerCodec over the contract's messages."""

    def turn_to_bytes(self, turn: Turn) -> bytes:
        """See AnswerCodec."""
        return to_message(turn, session_pb2.Turn).SerializeToString()

    def turn_from_bytes(self, content: bytes) -> Turn:
        """See AnswerCodec."""
        return from_message(session_pb2.Turn.FromString(content), Turn)

    def content_to_bytes(self, content: TurnEvent) -> bytes:
        """See AnswerCodec."""
        return event_message(Event("", 0, content)).SerializeToString()

    def content_from_bytes(self, content: bytes) -> TurnEvent:
        """See AnswerCodec."""
        return event_value(event_pb2.Event.FromString(content)).content
