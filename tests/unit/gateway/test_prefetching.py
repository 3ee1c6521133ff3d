"""The search for the condensed question is prefetched while the question is being understood."""

import asyncio
from dataclasses import replace

import pytest

from gateway.events.events import References, UsageReport
from gateway.request import TurnOptions, TurnRequest
from gateway.settings import GatewaySettings
from gateway.turn.pipeline import Pipeline
from gateway.turn.turns import Turns
from libs.contracts.dates import TimeRange
from libs.contracts.options import RetrieveOptions
from libs.contracts.query import Decision, DecisionRecord, QueryGraph, QueryNode, WeightedQuery
from libs.contracts.session import Outcome
from libs.contracts.stages.decompose import Condensed, CondenseInStepsRequest
from libs.contracts.stages.intent import UnderstandRequest, Understood
from libs.contracts.stages.retrieve import RetrieveResult
from libs.contracts.understanding import RangeUse, Understanding
from libs.contracts.usage import Degraded
from libs.runtime.errors import NotSupported, Unavailable
from tests.fakes.stages import ScriptedStages, evidence
from tests.unit.gateway.turning import REJECTED, ask, completed, pick

QUESTION = "When did Viking 1 land?"
OTHER = "When did Viking 1 land on Mars?"
QUERY = WeightedQuery(QUESTION)


class Searching(ScriptedStages):
    """Stages whose understanding waits until a search has begun, where it is to; searches are kept."""

    def __init__(self) -> None:
        super().__init__(results={QUESTION: [evidence("as-condensed")], OTHER: [evidence("as-understood")]})
        self.record: DecisionRecord = DecisionRecord(Decision.PASS, "it stands alone", QUESTION, QUESTION, query=QUERY)
        self.graph = QueryGraph((QueryNode("1", QUESTION, query=QUERY),))
        self.begun = asyncio.Event()
        self.waits = True
        self.searched: list[str] = []
        self.given_up: list[str] = []

    async def on_condense(self, request: CondenseInStepsRequest) -> Condensed:
        condensation = await super().on_condense(request)
        if self.condense_hints and self.waits:
            async with asyncio.timeout(5):
                await self.begun.wait()
        return condensation

    async def on_understand(self, request: UnderstandRequest) -> Understood:
        if self.waits:
            async with asyncio.timeout(5):
                await self.begun.wait()
        return await super().on_understand(request)

    async def on_retrieve(self, query: WeightedQuery, options: RetrieveOptions) -> RetrieveResult:
        self.searched.append(query.text)
        self.begun.set()
        try:
            return await super().on_retrieve(query, options)
        except asyncio.CancelledError:
            self.given_up.append(query.text)
            raise


@pytest.fixture
def stages() -> Searching:
    return Searching()


@pytest.fixture(autouse=True)
def looking_ahead(turns: Turns, stages: Searching) -> None:
    turns.worker.pipeline = Pipeline(stages.stages(), GatewaySettings())


def found_in(events: list[References]) -> list[str]:
    return [reference.evidence.passage.passage_id for event in events for reference in event.references]


async def test_the_search_is_prefetched_and_made_once(turns: Turns, stages: Searching) -> None:
    events = await ask(turns, TurnRequest(QUESTION))
    assert found_in(pick(events, References)) == ["as-condensed"]
    assert stages.searched == [QUESTION]


async def test_the_whole_time_of_a_prefetch_is_reported(turns: Turns, stages: Searching) -> None:
    stages.delays = {"retrieve": 0.05, "understand": 0.05}
    (report,) = pick(await ask(turns, TurnRequest(QUESTION)), UsageReport)
    assert [usage.milliseconds >= 50 for usage in report.tasks if usage.task == "retrieve"] == [True]


async def test_a_grounded_wording_is_searched_instead_of_the_prefetched_one(turns: Turns, stages: Searching) -> None:
    stages.understanding = Understanding(grounded_query=OTHER)
    stages.graph = QueryGraph((QueryNode("1", OTHER, query=WeightedQuery(OTHER)),))
    stages.delays = {"retrieve": 0.01}
    events = await ask(turns, TurnRequest(QUESTION))
    assert found_in(pick(events, References)) == ["as-understood"]
    assert stages.searched == [QUESTION, OTHER]


async def test_a_grounded_time_is_searched_as_a_range(turns: Turns, stages: Searching) -> None:
    stages.understanding = Understanding(
        grounded_query=QUESTION, time_range=TimeRange(), range_use=RangeUse.FILTER, wants_timeline=False
    )
    await ask(turns, TurnRequest(QUESTION))
    assert stages.searched == [QUESTION, QUESTION]


async def test_the_prefetch_for_a_refused_question_is_cancelled(turns: Turns, stages: Searching) -> None:
    stages.understanding = REJECTED
    stages.delays = {"retrieve": 5}
    events = await ask(turns, TurnRequest(QUESTION))
    assert completed(events).outcome is Outcome.REJECTED
    assert found_in(pick(events, References)) == []
    await asyncio.sleep(0)
    assert stages.given_up == [QUESTION]


async def test_the_failure_of_an_unused_prefetch_is_ignored(turns: Turns, stages: Searching) -> None:
    stages.understanding = Understanding(grounded_query=OTHER)
    stages.graph = QueryGraph((QueryNode("1", OTHER, query=WeightedQuery(OTHER)),))
    stages.failures = {f"retrieve {QUESTION}": Unavailable("ENGINE_UNAVAILABLE", "no engine answers")}
    events = await ask(turns, TurnRequest(QUESTION))
    assert found_in(pick(events, References)) == ["as-understood"]
    assert pick(events, Degraded) == []


async def test_the_failure_of_a_used_prefetch_ends_the_turn(turns: Turns, stages: Searching) -> None:
    stages.failures = {f"retrieve {QUESTION}": Unavailable("ENGINE_UNAVAILABLE", "no engine answers")}
    with pytest.raises(Unavailable):
        await ask(turns, TurnRequest(QUESTION))
    assert stages.searched == [QUESTION]


@pytest.mark.parametrize("is_condensed_by_model", [False, True])
@pytest.mark.parametrize(("search_ahead", "web"), [(False, False), (True, True)], ids=["switched off", "on the web"])
async def test_nothing_is_prefetched_if_that_is_switched_off_or_the_web_is_searched(
    turns: Turns, stages: Searching, is_condensed_by_model: bool, search_ahead: bool, web: bool
) -> None:
    turns.worker.pipeline = Pipeline(stages.stages(), GatewaySettings(search_ahead=search_ahead))
    stages.condense_hints = (stages.record,) if is_condensed_by_model else ()
    stages.waits, stages.understanding = False, REJECTED
    await ask(turns, TurnRequest(QUESTION, options=TurnOptions(web=web)))
    assert stages.searched == []


async def test_the_rules_query_is_prefetched_while_a_model_condenses(turns: Turns, stages: Searching) -> None:
    stages.condense_hints = (stages.record,)  # condensing waits until a search has begun
    events = await ask(turns, TurnRequest(QUESTION))
    assert found_in(pick(events, References)) == ["as-condensed"]
    assert stages.searched == [QUESTION]


async def test_the_rules_query_is_cancelled_if_the_model_words_another(turns: Turns, stages: Searching) -> None:
    stages.condense_hints = (replace(stages.record, query=WeightedQuery(OTHER)),)
    stages.delays = {f"retrieve {OTHER}": 5}
    events = await ask(turns, TurnRequest(QUESTION))
    assert found_in(pick(events, References)) == ["as-condensed"]
    assert stages.searched == [OTHER, QUESTION]
    assert stages.given_up == [OTHER]


async def test_the_prefetch_is_cancelled_when_condensing_fails(turns: Turns, stages: Searching) -> None:
    stages.condense_hints, stages.waits = (stages.record,), False
    stages.delays = {"condense": 0.01, "retrieve": 5}
    stages.failures = {"condense": NotSupported("no language model is configured")}
    with pytest.raises(NotSupported):
        await ask(turns, TurnRequest(QUESTION))
    await asyncio.sleep(0)
    assert stages.given_up == [QUESTION]
