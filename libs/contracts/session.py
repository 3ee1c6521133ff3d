"""A conversation as it is kept."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from libs.contracts.answers import Answer
from libs.contracts.conversation import HistoryMessage
from libs.contracts.evidence import Reference
from libs.contracts.query import DecisionRecord, QueryGraph
from libs.contracts.timeline import Timeline
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Usage


class Outcome(StrEnum):
    """How a turn ended."""

    ANSWERED = "ANSWERED"
    ABSTAINED = "ABSTAINED"
    ASKED = "ASKED"
    REJECTED = "REJECTED"
    CANCELLED = "CANCELLED"


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and what became of it."""

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


@dataclass(frozen=True, slots=True)
class SessionContext:
    """A conversation: its turns, the oldest first, and who may see it."""

    session_id: str = ""
    turns: tuple[Turn, ...] = ()
    prior: tuple[HistoryMessage, ...] = ()
    """What was said before the first turn, where a client brought its own history."""
    principals: tuple[str, ...] = ()
    version: int = 0
