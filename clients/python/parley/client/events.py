"""The events of a turn as plain values, one class for each kind of event in the contract."""

from dataclasses import dataclass
from typing import Any

from parley.client.values import Citation, Degraded, Outcome, PlacedImage, Reference, Timeline, Usage


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """Something that happened in a turn. An event of a kind that this client does not know is of this class itself."""

    turn_id: str
    seq: int
    """From 1; increases within a turn."""
    message: Any
    """The event as the contract defines it (`parley.gateway.v1.Event`)."""


@dataclass(frozen=True, slots=True)
class StateEvent(TurnEvent):
    """A stage begins or ends an activity; also a sign of life."""

    stage: str
    activity: str
    is_done: bool
    milliseconds: float


@dataclass(frozen=True, slots=True)
class UnderstandingEvent(TurnEvent):
    """What was understood of the question: see `message.understanding`."""


@dataclass(frozen=True, slots=True)
class CondensedEvent(TurnEvent):
    """How the question was rewritten as a standalone question, or why not."""

    standalone: str
    reason: str


@dataclass(frozen=True, slots=True)
class SubQuery:
    """A part of the question that is searched by itself."""

    node_id: str
    text: str
    needs: tuple[str, ...]
    """Ids of the sub-queries whose answers it needs."""


@dataclass(frozen=True, slots=True)
class PlanEvent(TurnEvent):
    """The sub-queries that the question was split into."""

    sub_queries: tuple[SubQuery, ...]
    is_timeline: bool
    """Whether it is the plan of the timeline."""


@dataclass(frozen=True, slots=True)
class SubQueryEvent(TurnEvent):
    """The progress of a sub-query."""

    node_id: str
    status: str
    """`started`, `done` or `degraded`."""
    evidence: int
    """Number of passages, once it is done."""
    answer: str
    """Its short answer, if another one needs it."""


@dataclass(frozen=True, slots=True)
class ReferencesEvent(TurnEvent):
    """The passages that the answer may cite. A later event replaces an earlier one."""

    references: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class TextEvent(TurnEvent):
    """A piece of the answer, to be appended."""

    delta: str
    paragraph: int
    sentence: int


@dataclass(frozen=True, slots=True)
class CitationEvent(TurnEvent):
    """A checked sentence. A later event of the same sentence replaces an earlier one."""

    citation: Citation


@dataclass(frozen=True, slots=True)
class ImageEvent(TurnEvent):
    """A picture placed beside a paragraph."""

    image: PlacedImage


@dataclass(frozen=True, slots=True)
class TimelineEventsEvent(TurnEvent):
    """The timeline. A later event replaces an earlier one."""

    timeline: Timeline


@dataclass(frozen=True, slots=True)
class TextEndEvent(TurnEvent):
    """The final text, without the sentences that were withdrawn."""

    text: str
    gaps: tuple[str, ...]
    engine: str


@dataclass(frozen=True, slots=True)
class RecommendationEvent(TurnEvent):
    """Follow-up questions to propose."""

    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DegradedEvent(TurnEvent):
    """Something was left out or done in a simpler way."""

    degraded: Degraded


@dataclass(frozen=True, slots=True)
class UsageEvent(TurnEvent):
    """Tokens, cost and time of the turn."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class RestartedEvent(TurnEvent):
    """Another gateway runs the turn anew: forget its text, references, citations, images and timeline so far."""


@dataclass(frozen=True, slots=True)
class CompletedEvent(TurnEvent):
    """The turn has ended; the last event."""

    outcome: Outcome
    abstain_score: float
    session_id: str
    context: str
    """The encoded conversation, for a client that stores it itself."""
