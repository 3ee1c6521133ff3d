"""Planning by a language model: what is taken, and when the rules plan instead."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from libs.contracts.options import Scene
from libs.contracts.usage import Stage
from libs.llm.client import open_chat_model
from libs.llm.errors import LlmError
from libs.llm.fallback import EngineChoice
from libs.llm.settings import LlmSettings
from services.decompose.plan.planner import Plan, Planner
from services.decompose.prepare_llm import PROMPT, LlmPreparer
from tests.fakes.prompts import DECOMPOSE
from tests.fakes.scripted_llm import ScriptedLlm
from tests.unit.decompose.splitting import SPLITTER

QUESTION = "How many years after Luna 9 landed on the Moon did Chang'e 3 land there?"
DATES = ("When did Luna 9 land on the Moon?", "When did Chang'e 3 land on the Moon?")


@asynccontextmanager
async def with_model(llm: ScriptedLlm, engine: EngineChoice = "auto") -> AsyncIterator[Planner]:
    async with open_chat_model(LlmSettings(base_url=llm.base_url, retries=0), Stage.DECOMPOSE) as model:
        assert model is not None
        yield Planner(SPLITTER, engine, llm=LlmPreparer(model, DECOMPOSE.load(*PROMPT)))


async def plan(llm: ScriptedLlm, question: str = QUESTION, scene: Scene = Scene.GENERAL, **with_: object) -> Plan:
    async with with_model(llm, **with_) as planner:  # type: ignore[arg-type]
        return await planner.plan(question, None, scene)


def form(*parts: str) -> str:
    return json.dumps({"suffices": True, "parts": parts, "standalone": ""})


async def test_a_good_graph_is_taken(llm: ScriptedLlm) -> None:
    llm.reply(form(*DATES, "=date_difference(#1, #2, years)"))
    result = await plan(llm)
    assert [node.text for node in result.graph.nodes] == [*DATES, "date_difference(#1, #2, years)"]
    assert not result.degraded
    assert result.usage[0].task == "decompose"
    assert "- date_difference(date, date, unit): time from one date to another" in llm.requests[0].prompt
    assert QUESTION in llm.requests[0].prompt


async def test_a_single_node_is_the_question_itself(llm: ScriptedLlm) -> None:
    llm.reply(form("When did Chang'e 3 land?"))
    result = await plan(llm)
    assert [node.text for node in result.graph.nodes] == [QUESTION]


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        (("When did #2 land?", "Who built #1?"), "wait for each other"),
        ((DATES[0], "=eval(1)"), "eval"),
        (("When did Luna 9 land?",) * 7, "at most 6"),
        (("When did Luna 9 land?", "When did Apollo 11 land?"), "doesn't name 'Apollo 11'"),
        (("=year_of(1969)", "=year_of(1970)"), "nothing is searched"),
        (("When did Luna 9 land?", " "), "has no text"),
    ],
)
async def test_where_a_graph_cannot_be_taken_the_rules_plan_and_it_is_said(
    llm: ScriptedLlm, parts: tuple[str, ...], why: str
) -> None:
    llm.reply(form(*parts))
    result = await plan(llm)
    assert [degraded.reason for degraded in result.degraded] == ["LLM_UNUSABLE"]
    assert [node.text for node in result.graph.nodes][:2] == [
        "when was it that Luna 9 landed on the Moon",
        "when did Chang'e 3 land there",
    ]
    assert why in result.graph.reason


async def test_a_model_that_is_down_leaves_it_to_the_rules_unless_it_is_insisted_on(llm: ScriptedLlm) -> None:
    llm.fail(503)
    assert [d.reason for d in (await plan(llm)).degraded] == ["LLM_UNAVAILABLE"]
    llm.fail(503)
    with pytest.raises(LlmError):
        await plan(llm, engine="llm")


async def test_a_short_question_is_left_to_the_rules(llm: ScriptedLlm) -> None:
    result = await plan(llm, "When did Luna 9 land?")
    assert llm.requests == []
    assert (len(result.graph.nodes), result.degraded) == (1, ())


@pytest.mark.parametrize(("nodes", "taken"), [(5, 5), (6, 1)])
async def test_a_timeline_may_have_five_nodes_and_no_more(llm: ScriptedLlm, nodes: int, taken: int) -> None:
    llm.reply(form(*("When did Luna 9 land?",) * nodes))
    result = await plan(llm, scene=Scene.TIMELINE)
    assert (len(result.graph.nodes), not result.degraded) == (taken, nodes == taken)
    assert "find the dated events of the matter" in llm.requests[0].prompt
