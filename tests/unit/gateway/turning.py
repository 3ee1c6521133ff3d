"""Turns over scripted stages, asking one, and picking from what it told."""

from collections.abc import AsyncIterator
from typing import TypeVar

from gateway.access.guard import AccessGuard
from gateway.convert import KINDS
from gateway.events.events import Completed, Event
from gateway.events.resuming import Resuming
from gateway.events.running_turns import RunningTurns
from gateway.recording.recorder import RecordingStages
from gateway.recording.turn_recording import TurnRecordings
from gateway.request import TurnRequest
from gateway.session.conversations import Conversations
from gateway.session.reference_access import PassageLookups
from gateway.session.row_codec import unpack_turn
from gateway.settings import GatewaySettings
from gateway.store.logged_turns import Lease
from gateway.store.stores import Stores
from gateway.turn.pipeline import Pipeline
from gateway.turn.turn_work import TurnWorker
from gateway.turn.turns import Turns
from libs.contracts.session import Turn
from libs.contracts.understanding import QuestionRejection, QuestionSupplement, Understanding
from libs.contracts.wire.codec import from_message
from libs.runtime.errors import Unavailable
from tests.fakes.stages import ScriptedStages
from tests.unit.gateway.stored_sessions import ScriptedCorpus

K = TypeVar("K")
ASK = TurnRequest("When did it land?")
DOWN = Unavailable("STAGE_UNAVAILABLE", "the service can't be reached right now")
REJECTED = Understanding(QuestionRejection(True, "That I do not answer."), grounded_query="x")
ASKED = Understanding(
    question_supplement=QuestionSupplement(True, "Which one?", ("Viking 1", "Viking 2")), grounded_query="x"
)


def turns_over(
    stores: Stores,
    scripted_stages: ScriptedStages,
    settings: GatewaySettings,
    grace_seconds: float = 30.0,
    corpus: ScriptedCorpus | None = None,
) -> Turns:
    """The turns of one gateway; its leases are not renewed."""
    stages = scripted_stages.stages()
    conversations = Conversations(stores.sessions)
    worker = TurnWorker(conversations, Pipeline(stages, settings), TurnRecordings(stores.recordings))
    runs = RunningTurns(stores.events, lease_seconds=30, poll_seconds=0.02, grace_seconds=grace_seconds)
    resuming = Resuming(stores.events, runs, worker, settings.resume_seconds)
    return Turns(worker, resuming, stores.retries, PassageLookups(corpus or ScriptedCorpus(), AccessGuard()))


async def stored_turns(stores: Stores, session_id: str) -> list[Turn]:
    """All turns of a session, with the texts of their passages."""
    session = await stores.sessions.session(session_id)
    assert session is not None
    rows = await stores.sessions.turns(session, 1, session.version)
    texts = await stores.sessions.texts(session, [digest for row in rows for digest in row.digests])
    return [from_message(unpack_turn(row, texts), Turn) for row in rows]


def recorded_turns(stores: Stores, scripted_stages: ScriptedStages, recorder: TurnRecordings) -> Turns:
    """Turns whose calls of the stages are recorded."""
    settings = GatewaySettings(stage_seconds=1, search_ahead=False)
    stages = RecordingStages(scripted_stages.stages())
    turns = turns_over(stores, scripted_stages, settings)
    turns.worker.pipeline, turns.worker.recorder = Pipeline(stages, settings), recorder
    return turns


async def ask(turns: Turns, request: TurnRequest = ASK) -> list[Event]:
    return [event async for event in await turns.ask(request)]


async def follow(stream: AsyncIterator[Event], events: list[Event]) -> None:
    """Add what a turn tells to these events, also where it fails or is left."""
    async for event in stream:
        events.append(event)


def kinds(events: list[Event]) -> list[str]:
    return [KINDS[type(event.content)] for event in events]


def completed(events: list[Event]) -> Completed:
    assert isinstance(events[-1].content, Completed)
    return events[-1].content


def pick(events: list[Event], kind: type[K]) -> list[K]:
    return [event.content for event in events if isinstance(event.content, kind)]


async def stop_as_if_killed(turns: Turns, turn_id: str) -> None:
    """Stop a turn without a word to anybody, and let its lease run out as if time had passed."""
    running = turns.resuming.runs.get(turn_id)
    assert running is not None
    running.detach()
    await running.until_ended()
    await turns.resuming.log.renew([turn_id], Lease(running.owner, 0.0))
