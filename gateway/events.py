"""What happens in a turn, as plain values, in the order in which a client hears of it."""

from collections.abc import Iterable
from dataclasses import dataclass
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
    """Where the turn is; also a sign of life."""

    stage: Stage
    activity: str
    done: bool = False
    milliseconds: float = 0.0
    """How long it took, once it is done."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the question was split into."""

    graph: QueryGraph
    timeline: bool = False


class SubQueryStatus(StrEnum):
    """How a sub-query goes."""

    STARTED = "STARTED"
    DONE = "DONE"
    DEGRADED = "DEGRADED"


@dataclass(frozen=True, slots=True)
class SubQuery:
    """How a node of the graph goes."""

    node_id: str
    status: SubQueryStatus
    text: str
    evidence: int = 0
    answer: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class References:
    """What the answer may cite, and the places of the ranking before grouping."""

    references: tuple[Reference, ...] = ()
    ranking: tuple[RankedPassage, ...] = ()


@dataclass(frozen=True, slots=True)
class TextEnd:
    """The answer as it holds."""

    text: str
    gaps: tuple[str, ...] = ()
    engine: str = ""
    """Who wrote it: `rules` or `llm`; empty for the suite's own words."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What to ask next."""

    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spending:
    """What language models took for one part of a turn; models without a known price add nothing to the cost."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    cost_source: CostSource = CostSource.NONE

    @classmethod
    def of(cls, tasks: Iterable[Usage]) -> "Spending":
        """The sums over tasks; the price is unknown where one of them has none."""
        asked = [task for task in tasks if task.input_tokens or task.output_tokens]
        sources = {task.cost_source for task in asked}
        known = CostSource.PRICE_TABLE if asked else CostSource.NONE
        return cls(
            sum(task.input_tokens for task in asked),
            sum(task.output_tokens for task in asked),
            sum(task.cost_usd for task in asked),
            CostSource.UNKNOWN if CostSource.UNKNOWN in sources else known,
        )


@dataclass(frozen=True, slots=True)
class UsageReport:
    """What the turn used: one entry a task, and the sums."""

    tasks: tuple[Usage, ...]
    milliseconds: float

    @property
    def rewriting(self) -> Spending:
        """What it took to make the question stand alone and to reword it."""
        return Spending.of(task for task in self.tasks if task.stage is Stage.DECOMPOSE)

    @property
    def answering(self) -> Spending:
        """What it took to write the answer."""
        return Spending.of(task for task in self.tasks if task.stage is Stage.ANSWER)

    @property
    def input_tokens(self) -> int:
        """Tokens sent to language models."""
        return sum(task.input_tokens for task in self.tasks)

    @property
    def output_tokens(self) -> int:
        """Tokens that came back."""
        return sum(task.output_tokens for task in self.tasks)

    @property
    def cost_usd(self) -> float:
        """In US dollars."""
        return sum(task.cost_usd for task in self.tasks)


@dataclass(frozen=True, slots=True)
class Completed:
    """How the turn ended; the last event of a good stream."""

    outcome: Outcome
    abstain_score: float = 0.0
    context: str = ""
    session_id: str = ""
    abstains: bool = False
    """Whether the evidence is judged to hold no answer, acted on or only recorded."""


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
)


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a turn, numbered from 1."""

    turn_id: str
    seq: int
    content: TurnEvent
