"""What of a stored turn its reader may still see: the documents that it cites may have been deleted or closed since."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from gateway.access.guard import AccessGuard
from gateway.session.row_codec import passages_of
from libs.contracts.evidence import PassageKey
from parley.context.v1 import answer_pb2, basics_pb2, evidence_pb2, session_pb2
from parley.retrieve.v1 import corpus_pb2

KEYS_AT_ONCE: Final = 1000
"""Maximum number of keys of a request, by the contract."""


Lookups = Mapping[PassageKey, corpus_pb2.PassageLookup]
"""What is known of each passage: whether its document exists and the caller may see it, and its present content."""


@dataclass(frozen=True, slots=True)
class PassageLookups:
    """Looks up passages in the corpus; collections that the caller may not read are closed to it."""

    corpus: Any
    """The retrieve stage's servicer of the CorpusService, or a `Forwarding` to it."""
    guard: AccessGuard

    async def look_up(self, keys: Sequence[PassageKey], principals: Sequence[str], *, content: bool) -> Lookups:
        """Return what is known of each passage.

        Args:
            keys: the passages.
            principals: all principals of the caller.
            content: whether to return the passages as well.

        Raises:
            Unavailable: the corpus cannot be asked.
        """
        lookups = {key: corpus_pb2.PassageLookup() for key in keys}
        granted = [key for key in lookups if self.guard.reads(principals, key.collection)]
        for start in range(0, len(granted), KEYS_AT_ONCE):
            some = granted[start : start + KEYS_AT_ONCE]
            request = corpus_pb2.LookUpPassagesRequest(principals=principals, content=content)
            for key in some:
                request.keys.add(**asdict(key))
            response = await self.corpus.LookUpPassages(request, None)
            lookups |= dict(zip(some, response.lookups, strict=True))
        return lookups

    async def are_visible(self, keys: Sequence[PassageKey], principals: Sequence[str]) -> bool:
        """Return whether all passages exist and the caller may see them; raises as `look_up`."""
        lookups = await self.look_up(keys, principals, content=False)
        return all(lookup.visible for lookup in lookups.values())


def cited_passages(turn: session_pb2.Turn) -> Iterator[PassageKey]:
    """Yield all passages whose words a turn holds."""
    collection = ""
    for passage in passages_of(turn):
        collection = collection or passage.collection
        yield _key(passage)
    for event in turn.timeline.events:
        for source in event.sources:
            yield PassageKey(collection, source.document_id, source.passage_id)
    for image in turn.answer.images:
        yield PassageKey(collection, image.document_id, image.image.image_id)


def withhold(turn: session_pb2.Turn, lookups: Lookups, *, new_content: bool) -> None:
    """Remove the words of documents that its reader may not see from a turn.

    Args:
        turn: the stored turn.
        lookups: all of its `cited_passages`.
        new_content: whether passages get their present content; those that are gone get an empty text.
    """
    documents = {key.document_id for key, lookup in lookups.items() if lookup.visible}
    passage_ids = {key.passage_id for key, lookup in lookups.items() if lookup.visible}
    for passage in passages_of(turn):
        _show(passage, lookups.get(_key(passage)), new_content)
    for span in _cited_spans(turn):
        if span.passage_id not in passage_ids:
            span.ClearField("quote")
            span.ClearField("cells")
    _keep(turn.answer.images, lambda image: image.document_id in documents)
    _keep(turn.answer.triplets, lambda triplet: triplet.passage_id in passage_ids)
    _withhold_events(turn, documents)


def _key(passage: evidence_pb2.Passage) -> PassageKey:
    return PassageKey(passage.collection, passage.document_id, passage.passage_id)


def _show(passage: evidence_pb2.Passage, lookup: corpus_pb2.PassageLookup | None, new_content: bool) -> None:
    """Leave of a passage what its reader may see, which is the ids alone if its document is closed or gone."""
    if lookup is None or not lookup.visible:
        passage.CopyFrom(evidence_pb2.Passage(**asdict(_key(passage)), span=basics_pb2.Span()))
    elif new_content and lookup.HasField("passage"):
        passage.CopyFrom(lookup.passage)
    elif new_content:
        passage.ClearField("text")
        passage.ClearField("blocks")


def _cited_spans(turn: session_pb2.Turn) -> Iterator[answer_pb2.CitedSpan]:
    for node in turn.graph.nodes:
        if node.HasField("source"):
            yield node.source
    for citation in turn.answer.citations:
        yield from citation.references


def _withhold_events(turn: session_pb2.Turn, documents: Collection[str]) -> None:
    for event in turn.timeline.events:
        closed = [source for source in event.sources if source.document_id not in documents]
        for source in closed:
            source.ClearField("quote")
        if len(closed) == len(event.sources):
            event.ClearField("image")


def _keep(items: Any, condition: Callable[[Any], bool]) -> None:
    """Remove those items of a repeated field that do not meet a condition."""
    for place in reversed(range(len(items))):
        if not condition(items[place]):
            del items[place]
