"""Checks that somebody may still see the passages inside messages: a recording may be older than a permission."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any, Final

from google.protobuf.message import Message

from libs.runtime.errors import NotFound
from parley.context.v1 import evidence_pb2
from parley.retrieve.v1 import corpus_pb2

AT_ONCE: Final = 16
"""Passages that are looked up at the same time."""


class CorpusVisibility:
    """The Visibility that asks the corpus for each passage."""

    def __init__(self, corpus: Any) -> None:
        """`corpus` is the servicer of CorpusService, or a `Forwarding` to it."""
        self._corpus = corpus

    async def are_visible(self, messages: Sequence[Message], principals: tuple[str, ...]) -> bool:
        """See Visibility. A passage that is gone counts as one that may not be seen."""
        passages = {(passage.collection, passage.passage_id) for item in messages for passage in passages_in(item)}
        slots = asyncio.Semaphore(AT_ONCE)

        async def is_visible(collection: str, passage_id: str) -> bool:
            request = corpus_pb2.GetPassageRequest(collection=collection, passage_id=passage_id, principals=principals)
            async with slots:
                try:
                    await self._corpus.GetPassage(request, None)
                except NotFound:
                    return False
            return True

        return all(await asyncio.gather(*(is_visible(*passage) for passage in passages)))


def passages_in(message: Message) -> Iterator[evidence_pb2.Passage]:
    """Yield all passages inside a message."""
    if isinstance(message, evidence_pb2.Passage):
        yield message
        return
    for field, content in message.ListFields():
        if field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for item in content if field.is_repeated else (content,):
                yield from passages_in(item)
