"""A question that rules split is split while it is condensed, as it would be afterwards."""

from collections.abc import AsyncGenerator

import pytest

from libs.contracts.options import Scene
from libs.contracts.query import QueryGraph
from libs.contracts.stages.decompose import (
    Condensed,
    CondenseInStepsRequest,
    CondenseRequest,
    DecomposeRequest,
    DecomposeStep,
    Planned,
)
from libs.contracts.usage import Stage
from libs.llm.by_model import ByModel
from libs.llm.client import open_chat_model
from libs.llm.settings import LlmSettings
from services.decompose.decomposer import Decomposer
from services.decompose.plan.planner import Planner
from services.decompose.prepare_llm import PROMPT, LlmPreparer
from services.decompose.tasks import DecomposeTasks
from services.decompose.turn_analysis import DecomposeBounds
from tests.fakes.conversations import view_of
from tests.fakes.prompts import DECOMPOSE
from tests.fakes.scripted_llm import ScriptedLlm
from tests.fakes.scripted_wording import ScriptedWording
from tests.unit.decompose.splitting import DOMAIN, SPLITTER
from tests.unit.decompose.test_preparing import LONG

VIEW = view_of("What's our refund window?", "Refunds are possible for 30 days.")
RULES = Decomposer(DOMAIN, DecomposeBounds(), wording=ScriptedWording(("refund window",)))


async def condensed(tasks: DecomposeTasks, turn: str, plan: bool = True) -> Condensed:
    request = CondenseInStepsRequest(CondenseRequest(turn, VIEW), plan)
    (step,) = [step async for step in tasks.condense_in_steps(request)]
    assert isinstance(step, Condensed)
    return step


@pytest.mark.parametrize(
    ("turn", "parts"),
    [("What about damaged items?", 1), ("When did Mariner 2 launch and where did it go?", 2)],
)
async def test_the_graph_is_that_of_a_later_call(turn: str, parts: int) -> None:
    tasks = DecomposeTasks(ByModel(RULES))
    at_once = await condensed(tasks, turn)
    request = DecomposeRequest(at_once.record.question, at_once.record, scene=Scene.GENERAL)
    *_, later = [step async for step in tasks.decompose(request)]
    assert isinstance(later, Planned)
    assert at_once.graph == later.graph
    assert len(later.graph.nodes) == parts
    assert [usage.task for usage in at_once.usage] == ["condense", "decompose"]


async def test_nothing_is_split_where_no_plan_is_wanted() -> None:
    assert (await condensed(DecomposeTasks(ByModel(RULES)), "What about damaged items?", plan=False)).graph is None


async def test_what_an_engine_of_another_package_splits_is_left_to_it() -> None:
    class Engine:
        async def decompose(self, request: DecomposeRequest) -> AsyncGenerator[DecomposeStep, None]:
            yield Planned(QueryGraph())

    tasks = DecomposeTasks(ByModel(RULES), plan_plugin=Engine())
    assert (await condensed(tasks, "What about damaged items?")).graph is None


async def test_a_longer_question_is_left_to_the_model_that_plans(llm: ScriptedLlm) -> None:
    async with open_chat_model(LlmSettings(base_url=llm.base_url), Stage.DECOMPOSE) as model:
        assert model is not None
        planner = Planner(SPLITTER, llm=LlmPreparer(model, DECOMPOSE.load(*PROMPT)))
        tasks = DecomposeTasks(ByModel(Decomposer(DOMAIN, DecomposeBounds(), planner=planner)))
        graphs = [(await condensed(tasks, question)).graph for question in (LONG, "Who built Luna 9?")]
    assert [graph is None for graph in graphs] == [True, False]
    assert llm.requests == []
