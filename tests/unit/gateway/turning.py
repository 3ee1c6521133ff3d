"""Turns over scripted stages, asking one, and picking from what it told."""

from typing import TypeVar

from gateway.call_codec import StageCallCodec
from gateway.context_codec import SessionCodec
from gateway.conversations import Conversations
from gateway.convert import KINDS, GatewayTurnCodec
from gateway.events import Completed, Event
from gateway.pipeline import Pipeline
from gateway.request import TurnRequest
from gateway.resuming import ResumeLimits, Resuming
from gateway.running_turns import LeaseTimes, RunningTurns
from gateway.settings import GatewaySettings
from gateway.store.event_log import EventLog
from gateway.store.sqlite import SqliteStore
from gateway.turn_work import TurnWorker
from gateway.turns import Turns
from gateway.understanding import UnderstandingPhase
from libs.contracts.understanding import QuestionRejection, QuestionSupplement, Understanding
from libs.runtime.errors import Unavailable
from tests.fakes.stages import ScriptedStages

K = TypeVar("K")
ASK = TurnRequest("When did it land?")
DOWN = Unavailable("STAGE_UNAVAILABLE", "the service can't be reached right now")
REJECTED = Understanding(QuestionRejection(True, "That I do not answer."), grounded_query="x")
ASKED = Understanding(
    question_supplement=QuestionSupplement(True, "Which one?", ("Viking 1", "Viking 2")), grounded_query="x"
)


def turns_over(
    store: SqliteStore,
    log: EventLog,
    scripted: ScriptedStages,
    settings: GatewaySettings,
    limits: ResumeLimits = ResumeLimits(),  # noqa: B008 - frozen
) -> Turns:
    """The turns of one gateway; its leases are not renewed."""
    stages, codec = scripted.stages(), GatewayTurnCodec()
    phase = UnderstandingPhase(stages, settings.probe_score)
    conversations = Conversations(store, SessionCodec())
    worker = TurnWorker(conversations, phase, Pipeline(stages, settings), StageCallCodec(), codec)
    runs = RunningTurns(log, codec, LeaseTimes(lease_seconds=0.3, poll_seconds=0.02))
    return Turns(worker, Resuming(log, runs, worker, codec, limits), store, codec)


async def ask(turns: Turns, request: TurnRequest = ASK) -> list[Event]:
    return [event async for event in turns.ask(request)]


def kinds(events: list[Event]) -> list[str]:
    return [KINDS[type(event.content)] for event in events]


def completed(events: list[Event]) -> Completed:
    assert isinstance(events[-1].content, Completed)
    return events[-1].content


def pick(events: list[Event], kind: type[K]) -> list[K]:
    return [event.content for event in events if isinstance(event.content, kind)]
