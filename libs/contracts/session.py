"""A conversation in its stored form, as plain values: its turns, each with all that it led to."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from libs.contracts.answers import Answer
from libs.contracts.conversation import HistoryMessage, TurnReading
from libs.contracts.evidence import RankedPassage, Reference
from libs.contracts.query import DecisionRecord, QueryGraph
from libs.contracts.timeline import Timeline
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Usage


class Outcome(StrEnum):
    """How a turn ended: answered, without an answer in the evidence, with a question back, refused, cancelled."""

    ANSWERED = "ANSWERED"
    ABSTAINED = "ABSTAINED"
    ASKED = "ASKED"
    REJECTED = "REJECTED"
    CANCELLED = "CANCELLED"


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and its results; `pro` asks for a timeline."""

    question_id: str
    question: str
    request_id: str = ""
    pro: bool = False
    record: DecisionRecord | None = None
    understanding: Understanding | None = None
    graph: QueryGraph | None = None
    references: tuple[Reference, ...] = ()
    answer: Answer | None = None
    timeline: Timeline | None = None
    usage: tuple[Usage, ...] = ()
    outcome: Outcome | None = None
    asked_at: datetime | None = None
    ranking: tuple[RankedPassage, ...] = ()
    """The first passages that were found, before grouping, the best first: later turns are searched beside them."""
    reading: TurnReading | None = None
    """How the question was read when it was asked."""


@dataclass(frozen=True, slots=True)
class SessionContext:
    """A conversation: its turns, the oldest first, the principals that may read it, and the number of stored turns."""

    session_id: str = ""
    turns: tuple[Turn, ...] = ()
    prior: tuple[HistoryMessage, ...] = ()
    """Messages before the first turn, if the client supplied its own history."""
    principals: tuple[str, ...] = ()
    version: int = 0
