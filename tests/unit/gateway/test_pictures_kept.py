"""What the answer stage places reaches the client before the text's end, and is kept with the answer."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

from gateway.context_codec import SessionCodec
from gateway.conversations import Conversations
from gateway.convert import GatewayTurnCodec
from gateway.events import Event, TextEnd
from gateway.pipeline import Pipeline
from gateway.request import TurnRequest
from gateway.settings import GatewaySettings
from gateway.stages import WriteOrder, WriteStep, Written
from gateway.store.sqlite import SqliteStore, sqlite_store
from gateway.turns import Turns
from gateway.understanding import UnderstandingPhase
from services.vocabulary.answers import ComparedBy, ImageScores, PlacedImage
from services.vocabulary.evidence import ImageReference
from tests.fakes.stages import ScriptedStages, evidence

PLACED = PlacedImage(
    1,
    ImageReference("doc-a/1", "The lander", "", 640, 480, 3.25),
    "doc-a",
    0.625,
    "The caption fits the paragraph.",
    ImageScores(0.5, 0.75, 0.25, 0.5, True),
    ComparedBy.CAPTION,
)
ASK = TurnRequest("When did it land?", session_id="s-1", request_id="r-1", principals=("crew",))


class PlacingStages(ScriptedStages):
    """Places a picture after the text."""

    async def write(self, order: WriteOrder) -> AsyncIterator[WriteStep]:
        async for step in super().write(order):
            if isinstance(step, Written):
                yield PLACED
                yield Written(replace(step.answer, images=(PLACED,)))
            else:
                yield step


def turns_over(store: SqliteStore, stages: ScriptedStages) -> Turns:
    settings, codec = GatewaySettings(), SessionCodec()
    phase = UnderstandingPhase(stages.stages(), settings.probe_score)
    return Turns(Conversations(store, codec), store, GatewayTurnCodec(), phase, Pipeline(stages.stages(), settings))


async def test_a_picture_is_told_before_the_end_of_the_text_kept_with_the_turn_and_told_again(tmp_path: Path) -> None:
    stages = PlacingStages(found={"*": [evidence("a")]})
    async with sqlite_store(tmp_path / "sessions.db", keep_seconds=60) as store:
        turns = turns_over(store, stages)
        events: list[Event] = [event async for event in turns.ask(ASK)]
        again = [event async for event in turns.ask(ASK)]
        kept = await store.load("s-1")
    happenings = [event.happening for event in events]
    end = next(number for number, happening in enumerate(happenings) if isinstance(happening, TextEnd))
    assert happenings.index(PLACED) < end
    assert again == events
    assert kept is not None
    (turn,) = SessionCodec().from_bytes(kept.content).turns
    assert turn.answer is not None
    assert turn.answer.images == (PLACED,)


async def test_the_stage_hears_who_asks(tmp_path: Path) -> None:
    stages = PlacingStages(found={"*": [evidence("a")]})
    async with sqlite_store(tmp_path / "sessions.db", keep_seconds=60) as store:
        async for _ in turns_over(store, stages).ask(ASK):
            pass
    (order,) = [said for _, said in stages.calls if isinstance(said, WriteOrder)]
    assert order.principals == ("crew",)
