"""What a turn is run from: its request, and the result of phase 1 if that is done."""

from dataclasses import dataclass

from gateway.events.event_stream import Emit
from gateway.request import TurnRequest
from gateway.turn.turn_run import TurnRun, UnderstoodTurn
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

    def start(self, view: ConversationView, emit: Emit) -> TurnRun:
        """Start the turn, with the result of phase 1 if that is done."""
        run = TurnRun.start(self.turn_id, self.request, view, emit)
        if (understood := self.understood) is not None and self.pending is not None:
            run.resume(understood, self.pending.turn)
        return run

    @property
    def understood(self) -> UnderstoodTurn | None:
        """The result of phase 1 as a value of the pipeline."""
        if self.pending is None:
            return None
        supplied = self.pending.supplied
        return UnderstoodTurn(supplied.record, supplied.understanding, self.pending.turn.graph, supplied.degraded)
