"""The Protocols of the codecs of conversations: as text for clients, and as rows of a store."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from gateway.store.sessions import StoredTurn
from libs.contracts.conversation import ConversationView
from libs.contracts.session import Outcome, SessionContext, Turn


@dataclass(frozen=True, slots=True)
class TurnSummary:
    """A turn in a listing."""

    turn_id: str
    position: int
    """From 1."""
    question: str
    answer: str = ""
    """The answer's text; empty for a turn that was cancelled before."""
    outcome: Outcome | None = None
    asked_at: datetime | None = None


class TurnRowCodec(Protocol):
    """Encodes turns and views as bytes for a store, and decodes them."""

    def pack(self, turn: Turn, position: int, created: datetime) -> tuple[StoredTurn, Mapping[bytes, bytes]]:
        """Return a turn's row, and the texts that it names by digest."""
        ...

    def unpack(self, row: StoredTurn, texts: Mapping[bytes, bytes]) -> Turn:
        """Return the turn of a row; a text that is not among `texts` is empty."""
        ...

    def summary(self, row: StoredTurn) -> TurnSummary:
        """Return the turn of a row in brief; costs a fraction of `unpack`."""
        ...

    def pack_view(self, view: ConversationView) -> bytes:
        """Encode what the next turn reads."""
        ...

    def unpack_view(self, content: bytes) -> ConversationView:
        """Decode the result of `pack_view`."""
        ...


class ContextCodec(Protocol):
    """Encodes conversations as text for clients, and decodes them."""

    def encode(self, context: SessionContext) -> str:
        """Encode for a client."""
        ...

    def decode(self, text: str) -> SessionContext:
        """Decode from a client.

        Raises:
            InvalidInput: the text is truncated, modified or of an unknown version (reason CONTEXT_BROKEN).
        """
        ...

    def decode_large(self, text: str) -> SessionContext:
        """Decode a whole session, which may be several times as large as a turn's own context; see `decode`."""
        ...
