"""Reads a turn's events in their order: later ones refer to the passages and sentences of earlier ones."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from parley.client import events as typed
from parley.client.reading import (
    citation_of,
    degraded_of,
    image_of,
    outcome_of,
    reference_of,
    stage_name,
    timeline_of,
    usage_of,
)
from parley.client.values import Passage, Reference
from parley.gateway.v1 import event_pb2


class EventReader:
    """Reads the events of one turn; if it was asked again or restarted, the events begin anew."""

    def __init__(self) -> None:
        self._turn_id = ""
        self._passages: dict[str, Passage] = {}
        self._sentences: defaultdict[int, str] = defaultdict(str)
        self._readers: Mapping[str, Callable[[Any, tuple[str, int, Any]], typed.TurnEvent]] = {
            "state": _state,
            "understanding": lambda _, base: typed.UnderstandingEvent(*base),
            "condensed": lambda part, base: typed.CondensedEvent(*base, part.standalone, part.reason),
            "plan": _plan,
            "sub_query": _sub_query,
            "references": self._references,
            "text": self._text,
            "citation": self._citation,
            "image": lambda part, base: typed.ImageEvent(*base, image_of(part)),
            "timeline": lambda part, base: typed.TimelineEventsEvent(*base, timeline_of(part, self._passages)),
            "text_end": lambda part, base: typed.TextEndEvent(*base, part.text, tuple(part.gaps), part.engine),
            "recommendation": lambda part, base: typed.RecommendationEvent(*base, tuple(part.questions)),
            "degraded": lambda part, base: typed.DegradedEvent(*base, degraded_of(part)),
            "usage": lambda part, base: typed.UsageEvent(*base, usage_of(part)),
            "completed": _completed,
            "restarted": lambda _, base: typed.RestartedEvent(*base),
        }

    def read(self, message: event_pb2.Event) -> typed.TurnEvent:
        """The typed event of a message."""
        if message.turn_id != self._turn_id or message.HasField("restarted"):
            self._turn_id = message.turn_id
            self._passages.clear()
            self._sentences.clear()
        base, kind = (message.turn_id, message.seq, message), message.WhichOneof("event")
        reader = self._readers.get(kind or "")
        return reader(getattr(message, str(kind)), base) if reader else typed.TurnEvent(*base)

    def _references(self, part: Any, base: tuple[str, int, Any]) -> typed.TurnEvent:
        references: tuple[Reference, ...] = tuple(map(reference_of, part.references))
        self._passages.update((each.passage.passage_id, each.passage) for each in references)
        return typed.ReferencesEvent(*base, references)

    def _text(self, part: Any, base: tuple[str, int, Any]) -> typed.TurnEvent:
        self._sentences[part.sentence] += part.delta
        return typed.TextEvent(*base, part.delta, part.paragraph, part.sentence)

    def _citation(self, part: Any, base: tuple[str, int, Any]) -> typed.TurnEvent:
        text = self._sentences[part.sentence].strip()
        return typed.CitationEvent(*base, citation_of(part, text, self._passages))


def _state(part: Any, base: tuple[str, int, Any]) -> typed.TurnEvent:
    return typed.StateEvent(*base, stage_name(part.stage), part.activity, part.done, part.milliseconds)


def _plan(part: Any, base: tuple[str, int, Any]) -> typed.TurnEvent:
    nodes = tuple(typed.SubQuery(node.id, node.text, tuple(node.links)) for node in part.graph.nodes)
    return typed.PlanEvent(*base, nodes, part.timeline)


def _sub_query(part: Any, base: tuple[str, int, Any]) -> typed.TurnEvent:
    status = event_pb2.SubQueryStatus.Name(part.status).removeprefix("SUB_QUERY_STATUS_").lower()
    return typed.SubQueryEvent(*base, part.node_id, status, part.evidence, part.answer)


def _completed(part: Any, base: tuple[str, int, Any]) -> typed.TurnEvent:
    return typed.CompletedEvent(*base, outcome_of(part.outcome), part.abstain_score, part.session_id, part.context)
