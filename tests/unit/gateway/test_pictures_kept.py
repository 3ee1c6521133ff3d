"""What the answer stage places reaches the client before the text's end, and is kept with the answer."""

from collections.abc import AsyncGenerator
from dataclasses import replace

from gateway.events.events import TextEnd
from gateway.request import TurnRequest
from gateway.settings import GatewaySettings
from gateway.store.stores import Stores
from libs.contracts.answers import ComparedBy, ImageScores, PlacedImage
from libs.contracts.evidence import ImageReference
from libs.contracts.stages.answer import WriteRequest, WriteResult, WriteStep
from tests.fakes.stages import ScriptedStages, evidence
from tests.unit.gateway.turning import ask, stored_turns, turns_over

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

    async def write(self, request: WriteRequest) -> AsyncGenerator[WriteStep, None]:
        async for step in super().write(request):
            if isinstance(step, WriteResult):
                yield PLACED
                yield WriteResult(replace(step.answer, images=(PLACED,)))
            else:
                yield step


async def test_a_picture_is_told_before_the_end_of_the_text_kept_with_the_turn_and_told_again(
    stores: Stores,
) -> None:
    stages = PlacingStages(results={"*": [evidence("a")]})
    turns = turns_over(stores, stages, GatewaySettings())
    events, again = await ask(turns, ASK), await ask(turns, ASK)
    contents = [event.content for event in events]
    end = next(number for number, content in enumerate(contents) if isinstance(content, TextEnd))
    assert contents.index(PLACED) < end
    assert again == events
    (turn,) = await stored_turns(stores, "s-1")
    assert turn.answer is not None
    assert turn.answer.images == (PLACED,)
