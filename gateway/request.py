"""A turn as requested by the client, and what it is run from."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from libs.contracts.conversation import HistoryMessage
from libs.contracts.options import Budget, Depth, Fusion, Length, RetrieveOptions, Setting
from libs.contracts.query import DecisionRecord, Filters, Strategy
from libs.contracts.session import Turn
from libs.contracts.stages.retrieve import RECALLED
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded


class PlanMode(StrEnum):
    """Whether a graph of sub-queries is planned."""

    ON = "ON"
    OFF = "OFF"


class TimelineUse(StrEnum):
    """When a timeline is built: if the question asks for one, or never."""

    AS_ASKED = "AS_ASKED"
    OFF = "OFF"


class Act(StrEnum):
    """Whether a decision is acted on or only recorded."""

    ACT = "ACT"
    RECORD_ONLY = "RECORD_ONLY"


@dataclass(frozen=True, slots=True)
class TurnOptions:
    """Options of a turn. What is None, 0 or empty is as the stages' settings say; plain limits are the contract's."""

    collection: str = ""
    filters: Filters | None = None
    depth: Depth | None = None
    strategy: Strategy | None = None
    plan: PlanMode = PlanMode.ON
    ranking: int = 0
    """Places of the ranking before grouping that `references` shows; 0 for none."""
    pro: bool = False
    """Whether a timeline is built, whatever the question asks for."""
    language: str = ""
    """Of the answer, BCP 47; empty: the question's."""
    length: Length | None = None
    now: datetime | None = None
    time_zone: str = ""
    place: str = ""
    budget: Budget | None = None
    ask_back: Act = Act.ACT
    reject: Act = Act.ACT
    abstain: Act = Act.ACT
    fusion: Fusion | None = None
    context_sentences: int = 0
    """Of the conversation, for the strategy MMR (maximal marginal relevance)."""
    timeline_events: int = 0
    web: bool = False
    recommendations: int | None = None
    timeline: TimelineUse = TimelineUse.AS_ASKED
    rewriter_model: str = ""
    answer_model: str = ""
    wordings: tuple[str, ...] = ()
    """Rewordings of the question, for the strategy MULTI_QUERY."""
    speculate: bool | None = None
    """Whether a language model starts to write while the question is still being understood."""
    progress: bool = False
    resumable: bool = False
    """Whether the turn goes on for a while when its stream breaks."""
    record: bool = False
    """Whether the stages' requests and responses are stored, for a replay."""

    def answers(self, understanding: Understanding) -> bool:
        """Whether a question with this understanding is answered: neither refused nor asked back nor a courtesy."""
        is_refused = understanding.question_rejection.is_reject and self.reject is Act.ACT
        asks_back = understanding.question_supplement.is_supply and self.ask_back is Act.ACT
        return not (is_refused or asks_back or understanding.courtesy_reply)

    @property
    def setting(self) -> Setting:
        """The user's time and place."""
        return Setting(self.now, self.time_zone, self.place)

    def retrieval(self, understanding: Understanding, principals: tuple[str, ...]) -> RetrieveOptions:
        """Return the options for retrieval, with the grounded time range."""
        return RetrieveOptions(
            collection=self.collection,
            filters=self.filters,
            boost=understanding.time_range,
            principals=principals,
            depth=self.depth,
            fusion=self.fusion,
            ranking=max(self.ranking, RECALLED),
            web=self.web,
            now=self.now,
        )


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """A question with its conversation, which is at most one of session, carried context and history."""

    question: str
    session_id: str = ""
    context: str = ""
    history: tuple[HistoryMessage, ...] = ()
    options: TurnOptions = field(default_factory=TurnOptions)
    request_id: str = ""
    principals: tuple[str, ...] = field(default=(), metadata={"local": True})
    """Of the caller, as the gateway knows them: no part of the message."""


@dataclass(frozen=True, slots=True)
class SuppliedQuestion:
    """The result of phase 1, which understands a question; phase 2 answers it."""

    question_id: str
    session_id: str
    record: DecisionRecord
    understanding: Understanding
    degraded: tuple[Degraded, ...] = ()


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A question between its phases: the result of phase 1, and the version of its session."""

    supplied: SuppliedQuestion
    turn: Turn
    version: int


@dataclass(frozen=True, slots=True)
class AskedTurn:
    """A turn of both phases, or of phase 2 alone."""

    turn_id: str
    request: TurnRequest
    pending: PendingQuestion | None = None
    """The result of phase 1; None if both phases are run."""
