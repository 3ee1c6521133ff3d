"""A conversation as it is kept."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from services.vocabulary.answers import Answer
from services.vocabulary.conversation import HistoryMessage
from services.vocabulary.evidence import Reference
from services.vocabulary.query import DecisionRecord, QueryGraph
from services.vocabulary.timeline import Timeline
from services.vocabulary.understanding import Understanding
from services.vocabulary.usage import Usage


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
