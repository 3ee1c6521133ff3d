"""A turn looks where its question asks for, unless its caller says where; a range that holds nothing is given up."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from gateway.events.events import Emit, TurnEvent
from gateway.request import PlanMode, TurnOptions, TurnRequest
from gateway.settings import GatewaySettings
from gateway.turn.pipeline import Pipeline
from gateway.turn.retrieval import RANGE_DROPPED, TurnRetrieval, apply_range
from gateway.turn.turn_run import TurnRun, UnderstoodTurn
from libs.contracts.conversation import ConversationView
from libs.contracts.dates import TimeRange
from libs.contracts.evidence import Relevance
from libs.contracts.options import RetrieveOptions
from libs.contracts.query import (
    Decision,
    DecisionRecord,
    Filters,
    QueryGraph,
    QueryNode,
    WeightedQuery,
)
from libs.contracts.stages.decompose import DecomposeRequest, Planned
from libs.contracts.stages.retrieve import RECALLED, DetectedRange, DetectRangeRequest, RetrieveResult
from libs.contracts.understanding import RangeUse, Understanding
from libs.contracts.usage import Degraded
from libs.runtime.errors import Unavailable
from tests.fakes.stages import ScriptedStages, evidence

LAST_DAYS = TimeRange(start=datetime(2026, 11, 15, tzinfo=UTC))
MARCH = TimeRange(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC))
HOT = DetectedRange(filters=Filters(dates=LAST_DAYS), web=True)
QUESTION = "What is the latest on Artemis?"


class Looking(ScriptedStages):
    """Stages that keep the options of each retrieval; with a date filter they find what `hot` tells."""

    def __init__(self, hot: str | None = "fresh", **script: object) -> None:
        super().__init__(results={"*": [evidence("old")]}, **script)  # type: ignore[arg-type]
        self.hot = hot
        self.options: list[RetrieveOptions] = []

    async def on_retrieve(self, query: WeightedQuery, options: RetrieveOptions) -> RetrieveResult:
        self.options.append(options)
        if options.filters is not None and options.filters.dates is not None:
            relevance = Relevance.LOW if self.hot == "unfit" else Relevance.HIGH
            return RetrieveResult((evidence(self.hot, relevance=relevance),) if self.hot else ())
        return await super().on_retrieve(query, options)


def run_of(options: TurnOptions, emit: Emit) -> TurnRun:
    return TurnRun.start("q-1", TurnRequest(QUESTION, options=options), ConversationView(), emit)


async def turn(stages: Looking, options: TurnOptions | None = None) -> tuple[list[str], list[TurnEvent]]:
    """The passages that the answer was written from, and all that was told."""
    events: list[TurnEvent] = []
    record = DecisionRecord(Decision.PASS, "it stands alone", QUESTION, QUESTION)
    run = run_of(options or TurnOptions(), events.append)
    understood = UnderstoodTurn(record, Understanding(grounded_query=QUESTION))
    await Pipeline(stages.stages(), GatewaySettings()).answer(run, understood)
    return [reference.evidence.passage.passage_id for reference in run.turn.references], events


async def test_newest_news_are_searched_on_the_web_and_in_the_last_days() -> None:
    stages = Looking(range=HOT)
    result, events = await turn(stages)
    assert result == ["fresh"]
    assert (stages.options[0].web, stages.options[0].filters) == (True, Filters(dates=LAST_DAYS))
    assert [content for content in events if isinstance(content, Degraded)] == []


@pytest.mark.parametrize("hot", [None, "unfit"], ids=["nothing", "nothing that fits"])
async def test_an_empty_range_is_dropped_and_reported(hot: str | None) -> None:
    stages = Looking(hot=hot, range=HOT)
    result, events = await turn(stages)
    assert result == ["old"]
    assert (stages.options[1].web, stages.options[1].filters) == (True, None)
    assert RANGE_DROPPED in events


async def test_a_general_question_is_searched_once_with_the_callers_options() -> None:
    stages = Looking()
    result, events = await turn(stages)
    assert result == ["old"]
    assert stages.options == [RetrieveOptions(ranking=RECALLED)]
    assert RANGE_DROPPED not in events


async def test_the_range_is_detected_while_the_question_is_planned() -> None:
    request_sent = asyncio.Event()

    class BothAtOnce(Looking):
        async def on_decompose(self, request: DecomposeRequest) -> Planned:
            async with asyncio.timeout(2):
                await request_sent.wait()
            return Planned(QueryGraph((QueryNode("1", request.question),)))

        async def detect_range(self, request: DetectRangeRequest) -> DetectedRange:
            request_sent.set()
            return HOT

    assert (await turn(BothAtOnce()))[0] == ["fresh"]


async def test_the_range_is_detected_without_a_plan_too() -> None:
    stages = Looking(range=HOT)
    assert (await turn(stages, TurnOptions(plan=PlanMode.OFF)))[0] == ["fresh"]
    assert stages.count("detect_range") == 1


async def test_a_failed_range_detection_changes_nothing_and_is_reported() -> None:
    stages = Looking(range=HOT, failures={"detect_range": Unavailable("STAGE_UNAVAILABLE", "down")})
    result, events = await turn(stages)
    assert result == ["old"]
    reasons = [content.reason for content in events if isinstance(content, Degraded)]
    assert reasons == ["STAGE_UNAVAILABLE"]


async def test_a_cancelled_search_does_not_cancel_the_range_detection() -> None:
    stages = Looking(range=HOT, delays={"detect_range": 0.2})
    retrieval = TurnRetrieval(stages.stages(), run_of(TurnOptions(), lambda _: None))
    retrieval.begin(QUESTION)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await retrieval.search(WeightedQuery(QUESTION), RetrieveOptions())
    response = await retrieval.search(WeightedQuery(QUESTION), RetrieveOptions())
    assert response.value.evidence[0].passage.passage_id == "fresh"


@pytest.mark.parametrize(
    "own", [Filters(sources=("corpus",)), Filters(metadata={"kind": "note"}), Filters(document_ids=("d",))]
)
def test_the_callers_sources_override_the_detected_range(own: Filters) -> None:
    options = RetrieveOptions(filters=own)
    assert apply_range(options, HOT) == options


def test_the_callers_dates_are_kept_and_the_web_is_searched_within_them() -> None:
    options = RetrieveOptions(filters=Filters(dates=MARCH, undated=True))
    assert apply_range(options, HOT) == replace(options, web=True)


def test_grounded_dates_are_kept() -> None:
    understanding = Understanding(grounded_query=QUESTION, time_range=MARCH, range_use=RangeUse.FILTER)
    options = TurnOptions(web=True).retrieval(understanding, ())
    assert options.web
    found = apply_range(options, HOT)
    assert found.boost == MARCH
    assert found.filters is None or found.filters.dates is None


def test_no_detected_range_leaves_the_options_unchanged() -> None:
    options = RetrieveOptions(collection="notes", filters=Filters())
    assert apply_range(options, DetectedRange()) == options
    assert apply_range(RetrieveOptions(), DetectedRange()) == RetrieveOptions()
