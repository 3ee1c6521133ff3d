"""What a turn is run from: its request, and the result of phase 1 if that is done."""

from dataclasses import dataclass

from gateway.request import TurnRequest
from gateway.turn.draft import Draft
from libs.contracts.conversation import ConversationView
from libs.contracts.query import DecisionRecord
from libs.contracts.session import Turn
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded


@dataclass(frozen=True, slots=True)
class SuppliedQuestion:
    """The result of phase 1 for a question."""

    question_id: str
    session_id: str
    record: DecisionRecord
    understanding: Understanding
    degraded: tuple[Degraded, ...] = ()


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A question between its phases: the request, the result of phase 1, and the version of its session."""

    request: TurnRequest
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

    def draft(self, view: ConversationView) -> Draft:
        """Return the turn's draft, with the result of phase 1."""
        draft = Draft(self.turn_id, self.request, view)
        if self.pending is None:
            return draft
        turn = self.pending.turn
        draft.record = self.pending.supplied.record
        draft.understanding = self.pending.supplied.understanding
        draft.graph = turn.graph
        draft.usage = list(turn.usage)
        draft.start_time -= sum(usage.milliseconds for usage in draft.usage) / 1000
        draft.asked_at = turn.asked_at or draft.asked_at
        return draft
