"""A stage gives the same results to a caller in its process and to one over the network: one text for both ways."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import Any

import pytest
import pytest_asyncio

from gateway.calling.access import StageAccess, open_stages
from gateway.calling.stages import Stages, result_of
from gateway.settings import GatewaySettings
from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker
from libs.contracts.dates import TimeRange
from libs.contracts.evidence import EngineScores, Evidence, Passage, Reference, Relevance
from libs.contracts.options import RetrieveOptions, Scene, Setting
from libs.contracts.query import Decision, DecisionRecord, WeightedQuery
from libs.contracts.stages.answer import EXTRACT, WRITE, ExtractRequest, Numbering, WriteRequest, WriteResult
from libs.contracts.stages.decompose import (
    CONDENSE_IN_STEPS,
    DECOMPOSE,
    READ_AHEAD,
    Condensed,
    CondenseInStepsRequest,
    CondenseRequest,
    DecomposeRequest,
    Planned,
    ReadAhead,
    ReadAheadRequest,
)
from libs.contracts.stages.intent import UNDERSTAND, UnderstandRequest, Understood
from libs.contracts.stages.retrieve import (
    DETECT_RANGE,
    GAUGE_QUESTIONS,
    LIST_LANGUAGES,
    READ_SECTIONS,
    RETRIEVE,
    DetectRangeRequest,
    GaugeQuestionsRequest,
    ListLanguagesRequest,
    ReadSectionsRequest,
    RetrieveRequest,
    RetrieveResult,
)
from libs.contracts.stages.timeline import BUILD, BuildRequest, Built
from libs.runtime.errors import InvalidInput, NotFound
from libs.runtime.serving.stage import StageServices
from services.answer.stage import open_stage as open_answer
from services.decompose.stage import open_stage as open_decompose
from services.intent.stage import open_stage as open_intent
from services.retrieve.settings import RetrieveSettings
from services.retrieve.stage import open_stage as open_retrieve
from services.timeline.stage import open_stage as open_timeline
from tests.fakes.running_server import running

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
VIEW = ConversationView(
    messages=(
        HistoryMessage(Speaker.USER, "Was the old mill built in 1849?"),
        HistoryMessage(Speaker.AGENT, "The old mill was built in 1849."),
    )
)
MILL = Passage("p-1", "d-1", "The old mill was built in May 1849. It burned down on 3 June 1901.", title="The old mill")
EVIDENCE = Evidence(MILL, EngineScores(lexical=3.5, fused=0.9), 1, Relevance.HIGH)
FOLLOW_UP = "And in 1905?"


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module", params=["local", "network"])
def way(request: pytest.FixtureRequest) -> str:
    """How the stages are called."""
    return str(request.param)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stages(way: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stages]:
    """All five stages as the gateway calls them, with the settings of a new user."""
    async with AsyncExitStack() as stack:
        retrieve = open_retrieve(RetrieveSettings(data=tmp_path_factory.mktemp("stages"), embedder="none"))
        opening = (open_intent(), open_decompose(), retrieve, open_answer(), open_timeline())
        stage_services = [await stack.enter_async_context(stage) for stage in opening]
        access = await (_in_process(stage_services) if way == "local" else _served(stage_services, stack))
        yield await stack.enter_async_context(open_stages(GatewaySettings(), access))


async def _in_process(open_stages: list[StageServices]) -> StageAccess:
    stages_by_name = {stage.name: stage for stage in open_stages}
    return StageAccess(dict.fromkeys(stages_by_name, "nowhere.invalid:1"), stages_by_name)


async def _served(open_stages: list[StageServices], stack: AsyncExitStack) -> StageAccess:
    services = [service for stage in open_stages for service in stage.services]
    server = await stack.enter_async_context(running(*services))
    return StageAccess(dict.fromkeys((stage.name for stage in open_stages), server.target))


async def _steps(stream: AsyncGenerator[Any, None]) -> list[Any]:
    return [step async for step in stream]


async def test_intent_grounds_a_question(stages: Stages) -> None:
    request = UnderstandRequest("What happened yesterday?", view=VIEW, setting=Setting(NOW, "Europe/Berlin"))
    understanding = await result_of(stages.stream(UNDERSTAND, request), Understood)
    expected = TimeRange(datetime(2026, 2, 28, 23, tzinfo=UTC), datetime(2026, 3, 1, 23, tzinfo=UTC))
    assert understanding.value.understanding.time_range == expected
    assert [usage.task for usage in understanding.value.usage] == ["understand"]


async def test_intent_refuses_a_time_zone_that_does_not_exist(stages: Stages) -> None:
    request = UnderstandRequest("What happened yesterday?", setting=Setting(NOW, "Mars/Olympus"))
    with pytest.raises(InvalidInput) as refusal:
        await _steps(stages.stream(UNDERSTAND, request))
    assert [violation.field for violation in refusal.value.violations] == ["setting.time_zone"]
    assert refusal.value.from_peer


async def test_decompose_condenses_a_follow_up(stages: Stages) -> None:
    request = CondenseInStepsRequest(CondenseRequest(FOLLOW_UP, VIEW), plan=True)
    condensation = (await result_of(stages.stream(CONDENSE_IN_STEPS, request), Condensed)).value
    assert condensation.record.raw == FOLLOW_UP
    assert "mill" in condensation.record.standalone
    assert condensation.record.query is not None
    assert condensation.graph is not None
    assert [node.query for node in condensation.graph.nodes] == [condensation.record.query]


async def test_decompose_reads_ahead_also_where_no_model_reads(stages: Stages) -> None:
    assert await stages.unary(READ_AHEAD, ReadAheadRequest(VIEW)) == ReadAhead()


async def test_decompose_refuses_a_model_that_is_not_offered(stages: Stages) -> None:
    request = CondenseInStepsRequest(CondenseRequest(FOLLOW_UP, VIEW, model="unknown"))
    with pytest.raises(InvalidInput):
        await result_of(stages.stream(CONDENSE_IN_STEPS, request), Condensed)


async def test_decompose_splits_a_question(stages: Stages) -> None:
    question = "When was the old mill built and who owned the new mill?"
    for scene in Scene:
        request = DecomposeRequest(
            question, DecisionRecord(Decision.PASS, "it stands alone", question, question), scene=scene
        )
        graph = (await result_of(stages.stream(DECOMPOSE, request), Planned)).value.graph
        assert graph.nodes
        assert all(node.text for node in graph.nodes)


async def test_retrieve_reports_a_collection_that_does_not_exist(stages: Stages) -> None:
    options = RetrieveOptions(collection="missing")
    with pytest.raises(NotFound) as refusal:
        await result_of(stages.stream(RETRIEVE, RetrieveRequest(WeightedQuery("mill"), options)), RetrieveResult)
    assert refusal.value.from_peer
    with pytest.raises(NotFound):
        await stages.unary(GAUGE_QUESTIONS, GaugeQuestionsRequest(("mill",), options))
    with pytest.raises(NotFound):
        await stages.unary(LIST_LANGUAGES, ListLanguagesRequest("missing"))
    with pytest.raises(NotFound):
        await stages.unary(READ_SECTIONS, ReadSectionsRequest("missing"))


async def test_retrieve_detects_no_range_in_a_question_about_history(stages: Stages) -> None:
    detection = await stages.unary(DETECT_RANGE, DetectRangeRequest("Who first invented the mill?", NOW))
    assert "history" in detection.reason
    assert detection.filters is None


async def test_answer_writes_from_the_evidence_and_cites_it(stages: Stages) -> None:
    request = WriteRequest("When was the old mill built?", references=(Reference(1, EVIDENCE),), follow_ups=3)
    steps = await _steps(stages.stream(WRITE, request))
    result = steps[-1]
    assert isinstance(result, WriteResult)
    assert "1849" in result.answer.text
    assert {span.passage_id for citation in result.answer.citations for span in citation.references} == {"p-1"}
    assert [[passage.number for passage in step.passages] for step in steps if isinstance(step, Numbering)] == [[1]]


async def test_answer_extracts_a_short_answer_or_none(stages: Stages) -> None:
    short = await stages.unary(EXTRACT, ExtractRequest("When was the old mill built?", (EVIDENCE,)))
    assert short.answer is not None
    assert "1849" in short.answer
    assert short.source is not None
    assert short.source.passage_id == "p-1"
    assert (await stages.unary(EXTRACT, ExtractRequest("Who painted the Mona Lisa?", (EVIDENCE,)))).answer is None


async def test_timeline_orders_dated_events(stages: Stages) -> None:
    timeline = await result_of(stages.stream(BUILD, BuildRequest("What happened to the old mill?", (EVIDENCE,))), Built)
    years = [event.start.year for event in timeline.value.timeline.events]
    assert years == [1849, 1901]
