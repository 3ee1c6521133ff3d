"""The decompose stage: condenses the last turn into a standalone question, and splits it into sub-queries."""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from libs.contracts.conversation import ConversationView, TurnReading
from libs.contracts.methods import StreamMethod, UnaryMethod
from libs.contracts.options import Scene
from libs.contracts.query import DecisionRecord, QueryGraph, Strategy
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded, Progress, Usage


@dataclass(frozen=True, slots=True)
class CondenseRequest:
    """A turn to condense, and how."""

    question: str
    """The last turn, verbatim."""
    view: ConversationView = field(default_factory=ConversationView)
    """The conversation before it."""
    strategy: Strategy | None = None
    """None for the stage's setting."""
    context_sentences: int = 0
    """How many sentences of the history the strategy MMR selects; 0 for the stage's setting."""
    wordings: tuple[str, ...] = ()
    """The caller's own rewordings for the strategy MULTI_QUERY."""
    model: str = ""
    """The language model to use; empty for the stage's default."""
    reading: TurnReading | None = None
    """How the turn was read where it entered; None: the stage reads it."""


@dataclass(frozen=True, slots=True)
class CondenseInStepsRequest:
    """A turn to condense step by step."""

    condense: CondenseRequest
    plan: bool = False
    """Whether sub-queries are planned as well: by the language model, if one is asked, else by rules."""


@dataclass(frozen=True, slots=True)
class PlanVerdict:
    """The decision in a language model's first output fields, while it generates the rest."""

    suffices: bool
    """Whether the rules' rewrite is kept."""
    split: bool
    """Whether the question is split into sub-queries."""


@dataclass(frozen=True, slots=True)
class Condensed:
    """The result of condensing; the last step."""

    record: DecisionRecord
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()
    graph: QueryGraph | None = None
    """The sub-queries, if they were requested; those of the rules hold if the question is not grounded."""


CondenseHint: TypeAlias = DecisionRecord | PlanVerdict | QueryGraph
"""An early result, each at most once: the rules' record, sent while a language model is asked; the verdict; the
sub-queries, sent while the model still writes the standalone question."""
CondenseStep: TypeAlias = CondenseHint | Condensed


@dataclass(frozen=True, slots=True)
class DecomposeRequest:
    """A question to split, and for what purpose."""

    question: str
    """Standalone and grounded."""
    record: DecisionRecord | None = None
    """How it was condensed; its query is searched if the question is not split."""
    understanding: Understanding | None = None
    """What the intent stage understood of it; for engines that plan by it, the stage's own ones do not."""
    scene: Scene = Scene.GENERAL


@dataclass(frozen=True, slots=True)
class Planned:
    """The graph; the last step."""

    graph: QueryGraph
    usage: tuple[Usage, ...] = ()


DecomposeStep: TypeAlias = Progress | Degraded | Planned


@dataclass(frozen=True, slots=True)
class ReadAheadRequest:
    """What the next turn may refer to."""

    view: ConversationView = field(default_factory=ConversationView)
    """The newest turn of a conversation, or more of it."""


@dataclass(frozen=True, slots=True)
class ReadAhead:
    """It was read, or left to the next turn."""


CONDENSE: Final = UnaryMethod("parley.decompose.v1.DecomposeService/Condense", CondenseRequest, Condensed)
"""Condenses the last turn; errors as with `CONDENSE_IN_STEPS`."""
CONDENSE_IN_STEPS: Final[StreamMethod[CondenseInStepsRequest, CondenseStep]] = StreamMethod(
    "parley.decompose.v1.DecomposeService/CondenseInSteps",
    CondenseInStepsRequest,
    {DecisionRecord: "by_rules", PlanVerdict: "verdict", QueryGraph: "graph", Condensed: "result"},
)
"""Condenses the last turn; the last step is `Condensed`.

NotSupported: the strategy requires a language model and none is configured. InvalidInput: the model is not offered."""
DECOMPOSE: Final[StreamMethod[DecomposeRequest, DecomposeStep]] = StreamMethod(
    "parley.decompose.v1.DecomposeService/Decompose",
    DecomposeRequest,
    {Progress: "state", Degraded: "degraded", Planned: "result"},
)
"""Splits a question into a query graph; the last step is `Planned`."""
READ_AHEAD: Final = UnaryMethod("parley.decompose.v1.DecomposeService/ReadAhead", ReadAheadRequest, ReadAhead)
"""Reads what was said before the next turn comes, so that condensing it takes less time; changes no result."""
METHODS: Final = (CONDENSE, CONDENSE_IN_STEPS, DECOMPOSE, READ_AHEAD)
