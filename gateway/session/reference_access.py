"""What of a stored turn its reader may still see: the documents that it cites may have been deleted or closed since."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from libs.contracts.answers import Answer, Citation, CitedSpan
from libs.contracts.evidence import Evidence, Passage, Reference
from libs.contracts.query import QueryGraph
from libs.contracts.session import Turn
from libs.contracts.timeline import Timeline


@dataclass(frozen=True, slots=True)
class PassageKey:
    """Names a passage, and the document to which it belongs or once belonged."""

    collection: str
    document_id: str
    passage_id: str


@dataclass(frozen=True, slots=True)
class PassageLookup:
    """What is known of a passage."""

    visible: bool = False
    """Whether its document exists and the caller may see it."""
    passage: Passage | None = None
    """As it is now; None if it is gone, or was not asked for."""


class PassageLookups(Protocol):
    """Looks up passages in the corpus."""

    async def look_up(
        self, keys: Sequence[PassageKey], principals: Sequence[str], *, content: bool
    ) -> Mapping[PassageKey, PassageLookup]:
        """Return what is known of each passage.

        Args:
            keys: the passages.
            principals: all principals of the caller.
            content: whether to return the passages as well.

        Raises:
            Unavailable: the corpus cannot be asked.
        """
        ...


def cited_passages(turn: Turn) -> Iterator[PassageKey]:
    """Yield all passages whose words a turn holds."""
    collection = ""
    for passage in _passages(turn.references):
        collection = collection or passage.collection
        yield _key(passage)
    for event in turn.timeline.events if turn.timeline else ():
        for source in event.sources:
            yield PassageKey(collection, source.document_id, source.passage_id)
    for image in turn.answer.images if turn.answer else ():
        yield PassageKey(collection, image.document_id, image.image.image_id)


def readable_turn(turn: Turn, lookups: Mapping[PassageKey, PassageLookup], *, new_content: bool) -> Turn:
    """Return a turn without the words of documents that its reader may not see.

    Args:
        turn: the stored turn.
        lookups: all of its `cited_passages`.
        new_content: whether passages get their present content; those that are gone get an empty text.
    """
    visible_ids = {key.document_id for key, lookup in lookups.items() if lookup.visible}
    visible_passages = {key.passage_id for key, lookup in lookups.items() if lookup.visible}

    def present(passage: Passage) -> Passage:
        lookup = lookups.get(_key(passage), PassageLookup())
        if not lookup.visible:
            return Passage(passage.passage_id, passage.document_id, "", passage.collection)
        if not new_content:
            return passage
        return lookup.passage or replace(passage, text="", blocks=())

    return replace(
        turn,
        references=tuple(_reference(reference, present) for reference in turn.references),
        graph=_graph(turn.graph, visible_passages) if turn.graph else None,
        answer=_answer(turn.answer, visible_passages, visible_ids) if turn.answer else None,
        timeline=_timeline(turn.timeline, visible_ids) if turn.timeline else None,
    )


class _Present(Protocol):
    def __call__(self, passage: Passage) -> Passage: ...


def _passages(references: Iterable[Reference]) -> Iterator[Passage]:
    for reference in references:
        yield reference.evidence.passage
        for duplicate in reference.evidence.near_duplicates:
            yield duplicate.passage


def _key(passage: Passage) -> PassageKey:
    return PassageKey(passage.collection, passage.document_id, passage.passage_id)


def _reference(reference: Reference, present: _Present) -> Reference:
    evidence: Evidence = reference.evidence
    duplicates = tuple(replace(duplicate, passage=present(duplicate.passage)) for duplicate in evidence.near_duplicates)
    return replace(reference, evidence=replace(evidence, passage=present(evidence.passage), near_duplicates=duplicates))


def _span(span: CitedSpan, visible: Collection[str]) -> CitedSpan:
    return span if span.passage_id in visible else replace(span, quote="")


def _graph(graph: QueryGraph, visible: Collection[str]) -> QueryGraph:
    nodes = (replace(node, source=_span(node.source, visible)) if node.source else node for node in graph.nodes)
    return replace(graph, nodes=tuple(nodes))


def _answer(answer: Answer, visible: Collection[str], visible_documents: Collection[str]) -> Answer:
    return replace(
        answer,
        citations=tuple(_citation(citation, visible) for citation in answer.citations),
        images=tuple(image for image in answer.images if image.document_id in visible_documents),
        triplets=tuple(triplet for triplet in answer.triplets if triplet.passage_id in visible),
    )


def _citation(citation: Citation, visible: Collection[str]) -> Citation:
    return replace(citation, references=tuple(_span(span, visible) for span in citation.references))


def _timeline(timeline: Timeline, visible_documents: Collection[str]) -> Timeline:
    events = []
    for event in timeline.events:
        sources = tuple(
            source if source.document_id in visible_documents else replace(source, quote="") for source in event.sources
        )
        image = event.image if any(source.document_id in visible_documents for source in sources) else None
        events.append(replace(event, sources=sources, image=image))
    return replace(timeline, events=tuple(events))
