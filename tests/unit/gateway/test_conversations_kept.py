"""A conversation is kept turn by turn, and read as a whole."""

import asyncio

from gateway.context_codec import SessionCodec
from gateway.conversations import Conversations
from gateway.recent import RecentConversations
from gateway.request import TurnRequest
from gateway.store.contexts import StoredContext
from libs.contracts.answers import Answer
from libs.contracts.session import SessionContext, Turn


class Shelf:
    """A store of conversations in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, StoredContext] = {}

    async def load(self, session_id: str) -> StoredContext | None:
        return self.kept.get(session_id)

    async def save(self, session_id: str, content: bytes, version: int) -> None:
        self.kept[session_id] = StoredContext(content, version)


class CountingCodec(SessionCodec):
    """Counts the turns that are written."""

    def __init__(self) -> None:
        self.written = 0

    def to_bytes(self, context: SessionContext) -> bytes:
        self.written += len(context.turns)
        return super().to_bytes(context)


def turn(number: int) -> Turn:
    return Turn(f"q-{number}", f"Question {number}?", answer=Answer(f"Answer {number}."))


def converse(shelf: Shelf, codec: SessionCodec, principals: list[tuple[str, ...]]) -> None:
    """A turn for each of these, by gateways that remember nothing of each other."""
    for number, own in enumerate(principals):
        conversations = Conversations(shelf, codec, RecentConversations())
        request = TurnRequest("", session_id="s", principals=own)
        conversation = asyncio.run(conversations.open(request))
        assert [previous_turn.question_id for previous_turn in conversation.context.turns] == [
            f"q-{earlier}" for earlier in range(number)
        ]
        asyncio.run(conversations.add(conversation, turn(number)))


def test_each_turn_is_written_once_and_all_of_them_are_read() -> None:
    shelf, codec = Shelf(), CountingCodec()
    converse(shelf, codec, [("ann",)] * 5)
    expected = SessionContext("s", tuple(map(turn, range(5))), principals=("ann",), version=5)
    assert codec.from_bytes(shelf.kept["s"].content) == expected
    assert codec.written == 5


def test_new_principals_are_kept_with_the_conversation_and_none_of_them_twice() -> None:
    shelf, codec = Shelf(), SessionCodec()
    converse(shelf, codec, [(), ("ann",), ("ann",), ("ann", "bea"), ("bea", "ann")])
    context = codec.from_bytes(shelf.kept["s"].content)
    assert (context.principals, context.version, len(context.turns)) == (("ann", "bea"), 5, 5)
