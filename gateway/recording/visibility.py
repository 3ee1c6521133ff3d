"""Checks that somebody may still see the passages inside messages: a recording may be older than a permission."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from google.protobuf.message import Message

from gateway.session.reference_access import PassageKey, PassageLookups
from parley.context.v1 import evidence_pb2


@dataclass(frozen=True, slots=True)
class PassageVisibility:
    """The Visibility that looks up the passages in the corpus."""

    lookups: PassageLookups

    async def are_visible(self, messages: Sequence[Message], principals: tuple[str, ...]) -> bool:
        """See Visibility. A passage of a document that is gone may not be seen."""
        passages = [passage for message in messages for passage in _passages_in(message)]
        keys = dict.fromkeys(PassageKey(p.collection, p.document_id, p.passage_id) for p in passages)
        lookups = await self.lookups.look_up(tuple(keys), principals, content=False)
        return all(lookup.visible for lookup in lookups.values())


def _passages_in(message: Message) -> Iterator[evidence_pb2.Passage]:
    if isinstance(message, evidence_pb2.Passage):
        yield message
        return
    for field, content in message.ListFields():
        if field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for item in content if field.is_repeated else (content,):
                yield from _passages_in(item)
