"""Planning by a language model: what is taken, what is shown to it again, and when the rules plan instead."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from libs.contracts.options import Scene
from libs.contracts.query import FunctionCall, QueryGraph, QueryNode
from libs.contracts.usage import Stage
from libs.llm.client import open_chat_model
from libs.llm.errors import LlmError
from libs.llm.settings import LlmSettings
from services.decompose.condense.ladder import Condenser
from services.decompose.embedding import Embedder
from services.decompose.plan.llm import LlmPlanner, load_plan_prompt
from services.decompose.plan.nearness import NearnessBounds, without_strays
from services.decompose.plan.planner import Plan, PlanBounds, Planner
from services.decompose.plan.split import Splitter
from services.decompose.words.domain import load_domain
from tests.fakes.scripted_llm import ScriptedLlm
from tests.fakes.word_embedder import WordEmbedder

DOMAIN = load_domain()
QUESTION = "How many years after Luna 9 landed on the Moon did Chang'e 3 land there?"
GOOD = """
{"reason": "two dates", "nodes": [
  {"id": "1", "text": "When did Luna 9 land on the Moon?", "search": true, "function": "", "arguments": []},
  {"id": "2", "text": "When did Chang'e 3 land on the Moon?", "search": true, "function": "", "arguments": []},
  {"id": "3", "text": "years between", "search": false, "function": "date_difference",
   "arguments": ["#1", "#2", "years"]}]}
"""


@asynccontextmanager
async def with_model(
    scripted: ScriptedLlm, embedder: Embedder | None = None, bounds: PlanBounds | None = None
) -> AsyncIterator[Planner]:
    splitter = Splitter(DOMAIN, Condenser(DOMAIN))
    async with open_chat_model(LlmSettings(base_url=scripted.base_url, retries=0), Stage.DECOMPOSE) as model:
        assert model is not None
        yield Planner(splitter, DOMAIN, bounds, LlmPlanner(model, load_plan_prompt()), embedder)


async def plan(scripted: ScriptedLlm, question: str = QUESTION, scene: Scene = Scene.GENERAL, **with_: object) -> Plan:
    async with with_model(scripted, **with_) as planner:  # type: ignore[arg-type]
        return await planner.plan(question, None, scene)


def nodes(*texts: str) -> str:
    written = ", ".join(f'{{"id": "{n}", "text": "{text}"}}' for n, text in enumerate(texts, start=1))
    return f'{{"nodes": [{written}]}}'


async def test_a_good_graph_is_taken_with_its_links_read_from_what_it_stands_in_for() -> None:
    async with ScriptedLlm() as scripted:
        scripted.reply(GOOD)
        planned = await plan(scripted)
    one, two, three = planned.graph.nodes
    assert (one.text, one.links, one.need_rag) == ("When did Luna 9 land on the Moon?", (), True)
    assert two.links == ()
    assert (three.function_call, three.links, three.need_rag) == (
        FunctionCall("date_difference", ("#1", "#2", "years")),
        ("1", "2"),
        False,
    )
    assert not planned.degraded
    assert planned.usage[0].task == "decompose"


async def test_the_model_is_told_the_functions_and_sees_the_question_as_data() -> None:
    async with ScriptedLlm() as scripted:
        scripted.reply(GOOD)
        await plan(scripted)
        assert "- date_difference(date, date, unit): time from one date to another" in scripted.requests[0].prompt
        assert QUESTION in scripted.requests[0].prompt


async def test_a_single_node_is_the_question_itself() -> None:
    async with ScriptedLlm() as scripted:
        scripted.reply(nodes("When did Chang'e 3 land?"))
        planned = await plan(scripted)
    assert [node.text for node in planned.graph.nodes] == [QUESTION]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (nodes("When did #2 land?", "Who built #1?"), "wait for each other"),
        (
            '{"nodes": [{"id": "1", "text": "a"}, {"id": "2", "text": "b", "function": "eval", "arguments": ["1"]}]}',
            "eval",
        ),
        (nodes(*(f"When did Luna {n} land?" for n in (9,) * 7)), "at most 6"),
        (nodes("When did Luna 9 land?", "When did Apollo 11 land?"), "doesn't name 'Apollo 11'"),
        ('{"nodes": []}', "there is no sub-query"),
        (nodes("When did Luna 9 land?", " "), "has no text"),
    ],
)
async def test_a_graph_that_cannot_be_taken_is_shown_again_with_the_reason_and_mended(wrong: str, why: str) -> None:
    async with ScriptedLlm() as scripted:
        scripted.reply(wrong)
        scripted.reply(GOOD)
        planned = await plan(scripted)
        assert why in scripted.requests[1].prompt
    assert len(planned.graph.nodes) == 3


async def test_after_a_second_refusal_the_rules_plan_and_it_is_said() -> None:
    async with ScriptedLlm() as scripted:
        scripted.reply(nodes("When did #2 land?", "Who built #1?"))
        scripted.reply(nodes("When did Apollo 11 land?", "When did Luna 9 land?"))
        planned = await plan(scripted)
    assert [degraded.reason for degraded in planned.degraded] == ["LLM_UNUSABLE"]
    assert [node.text for node in planned.graph.nodes][:2] == [
        "when did Luna 9 land on the Moon",
        "when did Chang'e 3 land there",
    ]
    assert "doesn't name 'Apollo 11'" in planned.graph.reason


async def test_a_model_that_is_down_leaves_it_to_the_rules_unless_it_is_insisted_on() -> None:
    async with ScriptedLlm() as scripted:
        scripted.fail(503)
        assert [d.reason for d in (await plan(scripted)).degraded] == ["LLM_UNAVAILABLE"]
        scripted.fail(503)
        with pytest.raises(LlmError):
            await plan(scripted, bounds=PlanBounds(engine="llm"))


async def test_a_short_question_is_left_to_the_rules() -> None:
    async with ScriptedLlm() as scripted:
        planned = await plan(scripted, "When did Luna 9 land?")
        assert scripted.requests == []
    assert (len(planned.graph.nodes), planned.degraded) == (1, ())


async def test_a_timeline_may_have_five_nodes_and_no_more() -> None:
    async with ScriptedLlm() as scripted:
        scripted.reply(nodes(*("When did Luna 9 land?",) * 6))
        scripted.reply(nodes(*("When did Luna 9 land?",) * 5))
        planned = await plan(scripted, scene=Scene.TIMELINE)
    assert len(planned.graph.nodes) == 5


NEAR, FAR = "luna nine landed on the moon", "bread and butter recipe"
GRAPH = QueryGraph((QueryNode("1", NEAR), QueryNode("2", "luna landed"), QueryNode("3", "moon"), QueryNode("4", FAR)))


async def test_what_says_the_question_again_and_what_has_nothing_to_do_with_it_is_dropped() -> None:
    kept, dropped = await without_strays(GRAPH, NEAR, WordEmbedder(), NearnessBounds())
    assert [node.id for node in kept.nodes] == ["2", "3"]
    assert dropped == (NEAR, FAR)


async def test_what_others_build_on_is_kept() -> None:
    built_on = QueryGraph((*GRAPH.nodes, QueryNode("5", "#4 #1", links=("1", "4"))))
    kept, dropped = await without_strays(built_on, NEAR, WordEmbedder(), NearnessBounds())
    assert (kept.nodes, dropped) == (built_on.nodes, ())


async def test_where_less_than_two_remain_the_question_stands_for_them() -> None:
    graph = QueryGraph((QueryNode("1", NEAR), QueryNode("2", "moon"), QueryNode("3", FAR)))
    kept, _ = await without_strays(graph, NEAR, WordEmbedder(), NearnessBounds())
    assert [node.text for node in kept.nodes] == [NEAR]
