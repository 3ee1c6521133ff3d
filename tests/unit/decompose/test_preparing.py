"""One request makes a turn stand alone and plans its sub-queries; its first fields are told at once."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from libs.contracts.conversation import ConversationView
from libs.contracts.query import Decision, DecisionRecord, FunctionCall, QueryGraph
from libs.contracts.stages.decompose import Condensed, CondenseRequest, CondenseStep, PlanVerdict
from libs.contracts.usage import Stage
from libs.llm.client import open_chat_model
from libs.llm.fallback import EngineChoice
from libs.llm.settings import LlmSettings
from services.decompose.condense.llm import confirmed
from services.decompose.decomposer import Decomposer
from services.decompose.plan.planner import Planner
from services.decompose.prepare_llm import PROMPT, LlmPreparer
from services.decompose.turn_analysis import DecomposeBounds
from tests.fakes.conversations import view_of
from tests.fakes.prompts import DECOMPOSE
from tests.fakes.scripted_llm import ScriptedLlm
from tests.fakes.scripted_wording import ScriptedWording
from tests.unit.decompose.splitting import DOMAIN, SPLITTER

VIEW = view_of("When did Luna 9 land on the Moon?", "Luna 9 landed on 3 February 1966.")
FOLLOW_UP = "And who built it?"
BY_RULES = "Who built it (Luna 9)?"
WORDS = "Who built Luna 9 of the Moon?"
LONG = "How many years after Luna 9 landed on the Moon did Chang'e 3 land there?"
DATES = ("When did Luna 9 land on the Moon?", "When did Chang'e 3 land on the Moon?")


@asynccontextmanager
async def with_model(
    scripted: ScriptedLlm, engine: EngineChoice = "auto", plan_engine: EngineChoice = "auto"
) -> AsyncIterator[Decomposer]:
    async with open_chat_model(LlmSettings(base_url=scripted.base_url, retries=0), Stage.DECOMPOSE) as model:
        assert model is not None
        preparer = LlmPreparer(model, DECOMPOSE.load(*PROMPT))
        planner = Planner(SPLITTER, plan_engine, llm=preparer)
        wording = ScriptedWording(("Luna 9",))
        yield Decomposer(DOMAIN, DecomposeBounds(engine=engine), preparer, planner=planner, wording=wording)


def form(suffices: bool = False, standalone: str = "", parts: tuple[str, ...] = ()) -> str:
    return json.dumps({"suffices": suffices, "parts": parts, "standalone": standalone})


async def steps_of(
    scripted: ScriptedLlm, turn: str, view: ConversationView = VIEW, plan: bool = True, **engines: Any
) -> list[CondenseStep]:
    async with with_model(scripted, **engines) as decomposer:
        return [step async for step in decomposer.condense_in_steps(CondenseRequest(turn, view), plan)]


def result(steps: list[CondenseStep]) -> tuple[DecisionRecord, Condensed, QueryGraph]:
    """The rules' record, the last step, and its graph."""
    first, final = steps[0], steps[-1]
    assert isinstance(first, DecisionRecord)
    assert isinstance(final, Condensed)
    assert final.graph is not None
    return first, final, final.graph


async def test_the_rules_record_and_the_verdict_come_before_the_result(llm: ScriptedLlm) -> None:
    llm.reply(form(suffices=True))
    steps = await steps_of(llm, FOLLOW_UP)
    first, final, graph = result(steps)
    assert steps[1:-1] == [PlanVerdict(suffices=True, split=False)]
    assert first.standalone == final.record.standalone == BY_RULES
    assert (first.query, final.record.engine) == (final.record.query, "llm")
    assert [(node.text, node.query) for node in graph.nodes] == [(BY_RULES, first.query)]
    assert len(llm.requests) == 1


def test_a_wording_that_suffices_is_searched_by_its_sure_words() -> None:
    by_rules = DecisionRecord(Decision.CONDENSE, "", FOLLOW_UP, BY_RULES, sure_standalone="Who built Luna 9?")
    assert (confirmed(by_rules).question, confirmed(by_rules).standalone) == ("Who built Luna 9?", BY_RULES)


async def test_better_words_are_taken(llm: ScriptedLlm) -> None:
    llm.reply(form(standalone=WORDS))
    steps = await steps_of(llm, FOLLOW_UP)
    _, final, graph = result(steps)
    assert steps[1:-1] == [PlanVerdict(suffices=False, split=False)]
    assert [final.record.standalone] == [node.text for node in graph.nodes] == [WORDS]


async def test_words_that_a_guard_refuses_are_not_asked_for_again(llm: ScriptedLlm) -> None:
    llm.reply(form(standalone="Who built Sputnik?"))
    _, final, _ = result(await steps_of(llm, FOLLOW_UP))
    assert (final.record.standalone, final.record.engine) == (BY_RULES, "rules")
    assert [degraded.reason for degraded in final.degraded] == ["LLM_UNUSABLE"]
    assert "sputnik" in final.record.reason.lower()
    assert len(llm.requests) == 1
    assert [usage.output_tokens > 0 for usage in final.usage if usage.model or usage.input_tokens] == [True]


async def test_a_question_is_split_into_what_is_searched_and_what_is_computed(llm: ScriptedLlm) -> None:
    llm.reply(form(True, parts=(*DATES, "=date_difference(#1, #2, years)")))
    steps = await steps_of(llm, LONG, ConversationView())
    assert steps[1] == PlanVerdict(suffices=True, split=True)
    _, _, graph = result(steps)
    assert [(node.text, node.need_rag) for node in graph.nodes[:2]] == [(text, True) for text in DATES]
    assert graph.nodes[2].function_call == FunctionCall("date_difference", ("#1", "#2", "years"))
    assert graph.nodes[2].links == ("1", "2")
    assert [node.query is not None for node in graph.nodes] == [True, True, False]


async def test_sub_queries_are_told_while_the_model_still_words_the_question(llm: ScriptedLlm) -> None:
    llm.reply(form(False, WORDS, DATES))
    _, _, graph, _ = await steps_of(llm, FOLLOW_UP)
    assert isinstance(graph, QueryGraph)
    assert [node.text for node in graph.nodes] == list(DATES)
    assert all(node.query is not None for node in graph.nodes)


@pytest.mark.parametrize("parts", [(), (DATES[0],), (DATES[0], "=launch_missile(#1)"), (DATES[0], "")])
async def test_sub_queries_that_cannot_be_walked_are_not_told(llm: ScriptedLlm, parts: tuple[str, ...]) -> None:
    llm.reply(form(True, parts=parts))
    steps = await steps_of(llm, LONG, ConversationView())
    assert [type(step) for step in steps] == [DecisionRecord, PlanVerdict, Condensed]
    _, _, graph = result(steps)
    assert all(node.text not in parts or node.text in DATES for node in graph.nodes)


async def test_sub_queries_with_a_name_that_nobody_said_leave_the_plan_to_the_rules(llm: ScriptedLlm) -> None:
    llm.reply(form(True, parts=("When did Sputnik land?", DATES[0])))
    assert "Sputnik" not in repr(result(await steps_of(llm, LONG, ConversationView()))[-1])


async def test_a_part_that_other_answers_decide_is_not_searched(llm: ScriptedLlm) -> None:
    llm.reply(form(True, parts=(*DATES, "=Which of #1 and #2 was later?")))
    _, _, graph = result(await steps_of(llm, LONG, ConversationView()))
    assert (graph.nodes[2].need_rag, graph.nodes[2].function_call, graph.nodes[2].links) == (False, None, ("1", "2"))


async def test_a_first_turn_keeps_its_words_whatever_the_model_says(llm: ScriptedLlm) -> None:
    llm.reply(form(suffices=False, standalone="Who built Sputnik?"))
    steps = await steps_of(llm, LONG, ConversationView())
    assert steps[1] == PlanVerdict(suffices=True, split=False)
    _, final, _ = result(steps)
    assert (final.record.standalone, final.record.engine) == (LONG, "rules")


async def test_a_short_first_turn_asks_nobody(llm: ScriptedLlm) -> None:
    (final,) = await steps_of(llm, "Who built Luna 9?", ConversationView())
    assert isinstance(final, Condensed)
    assert final.graph is not None
    assert final.graph.reason == "it asks one thing"
    assert llm.requests == []


async def test_where_rules_condense_the_model_only_plans(llm: ScriptedLlm) -> None:
    llm.reply(form(suffices=False, standalone="Who built Sputnik?"))
    steps = await steps_of(llm, f"{LONG[:-1]} after it?", engine="rules")
    assert steps[1] == PlanVerdict(suffices=True, split=False)
    assert "Sputnik" not in result(steps)[1].record.standalone


async def test_where_rules_plan_the_model_only_condenses(llm: ScriptedLlm) -> None:
    llm.reply(form(standalone=WORDS, parts=DATES))
    first, verdict, final = await steps_of(llm, FOLLOW_UP, plan_engine="rules")
    assert isinstance(first, DecisionRecord)
    assert verdict == PlanVerdict(suffices=False, split=False)
    assert isinstance(final, Condensed)
    assert (final.record.standalone, final.graph) == (WORDS, None)


async def test_a_model_that_is_down_leaves_both_to_the_rules(llm: ScriptedLlm) -> None:
    llm.fail(500)
    _, final, _ = result(await steps_of(llm, FOLLOW_UP))
    assert final.record.engine == "rules"
    assert [degraded.reason for degraded in final.degraded] == ["LLM_UNAVAILABLE"]


async def test_a_verdict_that_was_told_holds_when_the_model_breaks_off(llm: ScriptedLlm) -> None:
    llm.cut_off(['{"suffices": true, "parts": [], ', '"stand'])
    steps = await steps_of(llm, FOLLOW_UP)
    assert steps[1:-1] == [PlanVerdict(suffices=True, split=False)]
    _, final, graph = result(steps)
    assert (final.record.standalone, len(graph.nodes)) == (BY_RULES, 1)
