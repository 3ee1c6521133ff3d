"""Where the answer and the timeline date an event differently, both say so, whichever comes first."""

import pytest

from gateway.convert import KINDS
from gateway.request import TurnOptions, TurnRequest
from gateway.settings import GatewaySettings
from gateway.store.stores import Stores
from libs.contracts.answers import Citation, Verdict
from libs.contracts.dates import PartialDate, Precision
from libs.contracts.timeline import EventSource, Timeline, TimelineEvent
from tests.fakes.stages import ScriptedStages, evidence
from tests.unit.gateway.turning import ask, turns_over

TOLD = Timeline(
    (
        TimelineEvent(
            "e1",
            "Luna 9 landed on the Moon on 3 February 1966.",
            PartialDate(1966, 2, 3),
            Precision.DAY,
            date_text="3 February 1966",
            sources=(EventSource("b", "doc-b"),),
        ),
    )
)


async def told(stores: Stores, text: str, delays: dict[str, float]) -> list[object]:
    """The timelines, citations and ends of the text of a pro turn."""
    stages = ScriptedStages(results={"*": [evidence("a")]}, text=text, timeline=TOLD, delays=delays)
    turns = turns_over(stores, stages, GatewaySettings(stage_seconds=5))
    events = await ask(turns, TurnRequest("When did Luna 9 land?", options=TurnOptions(pro=True)))
    contents = [event.content for event in events]
    return [content for content in contents if KINDS[type(content)] in ("timeline", "citation", "text_end")]


def kinds(contents: list[object]) -> list[str]:
    return [KINDS[type(content)] for content in contents]


ORDERS = [
    ({"write": 0.3}, ["timeline", "citation", "timeline", "citation", "text_end"]),
    ({"build": 0.3}, ["citation", "text_end", "timeline", "citation"]),
]


@pytest.mark.parametrize(("delays", "order"), ORDERS)
async def test_answer_and_timeline_are_emitted_again_with_the_other_date(
    stores: Stores, delays: dict[str, float], order: list[str]
) -> None:
    contents = await told(stores, "Luna 9 landed on the Moon on 5 February 1966. [1]", delays)
    assert kinds(contents) == order
    timeline = [content for content in contents if isinstance(content, Timeline)][-1]
    (conflict,) = timeline.conflicts
    assert (conflict.event_ids, conflict.sentence) == (("e1",), 1)
    assert conflict.reason == "The answer (sentence 1) says '5 February 1966', the timeline '3 February 1966'."
    citation = [content for content in contents if isinstance(content, Citation)][-1]
    assert citation.verdict is Verdict.WEAK
    assert citation.reason == "The timeline gives another date: '3 February 1966', not '5 February 1966'."


@pytest.mark.parametrize("delays", [delays for delays, _ in ORDERS])
async def test_matching_dates_are_emitted_once(stores: Stores, delays: dict[str, float]) -> None:
    contents = await told(stores, "Luna 9 landed on the Moon on 3 February 1966. [1]", delays)
    assert sorted(kinds(contents)) == ["citation", "text_end", "timeline"]
    assert [content for content in contents if isinstance(content, Timeline)] == [TOLD]
