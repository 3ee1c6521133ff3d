"""The events of a turn as plain values, in the order in which a client receives them. Times are in milliseconds."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from libs.contracts.answers import Citation, PlacedImage, TextDelta
from libs.contracts.evidence import RankedPassage, Reference
from libs.contracts.query import DecisionRecord, QueryGraph
from libs.contracts.session import Outcome
from libs.contracts.timeline import Timeline
from libs.contracts.understanding import Understanding
from libs.contracts.usage import CostSource, Degraded, Stage, Usage


@dataclass(frozen=True, slots=True)
class State:
    """The current activity of the turn; also used as a heartbeat."""

    stage: Stage
    activity: str
    done: bool = False
    milliseconds: float = 0.0
    """Duration of the activity, once it is done."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The query graph that the question was split into."""

    graph: QueryGraph
    timeline: bool = False
    """Whether it is the graph of the timeline instead."""


class SubQueryStatus(StrEnum):
    """The status of a sub-query."""

    STARTED = "STARTED"
    DONE = "DONE"
    DEGRADED = "DEGRADED"


@dataclass(frozen=True, slots=True)
class SubQuery:
    """The progress of one graph node."""

    node_id: str
    status: SubQueryStatus
    text: str
    evidence: int = 0
    """Passages found, once it is done."""
    answer: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class References:
    """The references that the answer may cite, and the ranking before grouping."""

    references: tuple[Reference, ...] = ()
    ranking: tuple[RankedPassage, ...] = ()


@dataclass(frozen=True, slots=True)
class TextEnd:
    """The final text of the answer."""

    text: str
    gaps: tuple[str, ...] = ()
    engine: str = ""
    """The engine that wrote it: `rules` or `llm`; empty for fixed texts such as refusals."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """Follow-up questions."""

    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spending:
    """Language model usage of one part of a turn; models without a known price add nothing to the cost."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    cost_source: CostSource = CostSource.NONE

    @classmethod
    def of(cls, tasks: Iterable[Usage]) -> "Spending":
        """Return the sums over tasks; the cost source is UNKNOWN if any task has no price."""
        requests = [task for task in tasks if task.input_tokens or task.output_tokens]
        sources = {task.cost_source for task in requests}
        source = CostSource.PRICE_TABLE if requests else CostSource.NONE
        return cls(
            sum(task.input_tokens for task in requests),
            sum(task.output_tokens for task in requests),
            sum(task.cost_usd for task in requests),
            CostSource.UNKNOWN if CostSource.UNKNOWN in sources else source,
        )


@dataclass(frozen=True, slots=True)
class UsageReport:
    """The usage of the turn: one entry per task, and the sums."""

    tasks: tuple[Usage, ...]
    milliseconds: float
    rewriting: Spending = Spending()
    """The usage of condensing and rewording the question."""
    answering: Spending = Spending()
    """The usage of writing the answer."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0

    @classmethod
    def of(cls, tasks: Sequence[Usage], milliseconds: float) -> "UsageReport":
        """Add up the tasks of a turn."""
        total = Spending.of(tasks)
        rewriting, answering = (
            Spending.of(task for task in tasks if task.stage is stage) for stage in (Stage.DECOMPOSE, Stage.ANSWER)
        )
        sums = total.input_tokens, total.output_tokens, total.cost_usd
        return cls(tuple(tasks), round(milliseconds, 3), rewriting, answering, *sums)


@dataclass(frozen=True, slots=True)
class Completed:
    """The outcome of the turn; the last event of a successful stream."""

    outcome: Outcome
    abstain_score: float = 0.0
    """How sure it is that the evidence holds no answer, from 0 to 1."""
    context: str = ""
    """The encoded conversation, for a client that stores it; `session_id` is empty then."""
    session_id: str = ""
    abstains: bool = False
    """Whether the evidence is judged to contain no answer, even if that is only recorded."""


@dataclass(frozen=True, slots=True)
class Restarted:
    """Another gateway runs the turn anew, so the content of all earlier events is void."""


TurnEvent = (
    State
    | DecisionRecord
    | Understanding
    | Plan
    | SubQuery
    | References
    | TextDelta
    | Citation
    | PlacedImage
    | Timeline
    | TextEnd
    | Recommendation
    | Degraded
    | UsageReport
    | Completed
    | Restarted
)

Emit = Callable[[TurnEvent], None]
"""Emits an event of a turn, without knowing who numbers, logs and sends it."""


def ignore(_: TurnEvent) -> None:
    """Emit nothing: for work whose events nobody gets."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a turn, numbered from 1."""

    turn_id: str
    seq: int
    content: TurnEvent
    encoded: bytes = field(default=b"", compare=False, repr=False)
    """The event as its message's bytes."""
