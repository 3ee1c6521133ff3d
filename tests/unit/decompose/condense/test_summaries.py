"""Older turns are summarized by the model where there is one, and cut at whole sentences where there is none."""

import json
from collections.abc import AsyncIterator

import pytest

from libs.contracts.query import Decision, DecisionRecord
from libs.contracts.usage import Stage, Usage
from libs.llm.client import open_chat_model
from libs.llm.settings import LlmSettings
from services.decompose.condense.llm import BUDGET, NEWEST, PROMPT, Summarizer, conversation_block
from services.decompose.history import SUMMARY_CHARACTERS, Exchange, HistoryWindow
from services.decompose.prepare_llm import PROMPT as PREPARING_PROMPT
from services.decompose.prepare_llm import LlmPreparer, Preparation
from tests.fakes.prompts import DECOMPOSE
from tests.fakes.scripted_llm import ScriptedLlm
from tests.unit.decompose.conversations import VIKING, conversation

SENTENCE = "The lander {} has solar panels, e.g. on its lid."
TURNS = [(f"What is lander {turn}?", " ".join([SENTENCE.format(turn)] * 31)) for turn in range(8)]
SUMMARIES = [f"Lander {turn} runs on sunlight." for turn in range(8)]


@pytest.fixture
async def summarizer(llm: ScriptedLlm) -> AsyncIterator[Summarizer]:
    async with open_chat_model(LlmSettings(base_url=llm.base_url, retries=0), Stage.DECOMPOSE) as model:
        assert model is not None
        yield Summarizer(model, DECOMPOSE.load(*PROMPT), seconds=1.0)


def summaries(*texts: str) -> str:
    return json.dumps({"turns": texts})


async def test_older_turns_are_summarized_by_the_model(llm: ScriptedLlm, summarizer: Summarizer) -> None:
    llm.reply(summaries(*SUMMARIES[:4]))
    usages = list[Usage]()
    shown = await summarizer.shorten(conversation(*TURNS[:6]), usages)
    assert shown.summary.splitlines() == SUMMARIES[:4]
    assert [turn.question for turn in shown.exchanges] == [question for question, _ in TURNS[4:6]]
    assert all(question in llm.requests[0].prompt for question, _ in TURNS[:4])
    assert [usage.output_tokens > 0 for usage in usages] == [True]


async def test_a_turn_is_summarized_once_and_those_after_it_are_shown_in_full_as_long_as_they_fit(
    llm: ScriptedLlm, summarizer: Summarizer
) -> None:
    llm.reply(summaries(*SUMMARIES[:4]))
    await summarizer.shorten(conversation(*TURNS[:6]), [])
    window = HistoryWindow(conversation(*TURNS[1:7]).exchanges, TURNS[0][0])
    shown = await summarizer.shorten(window, [])
    assert shown.summary.splitlines() == [TURNS[0][0], *SUMMARIES[1:4]]
    assert [turn.question for turn in shown.exchanges] == [question for question, _ in TURNS[4:7]]
    assert len(llm.requests) == 1
    llm.reply(summaries(*SUMMARIES[4:6]))
    later = await summarizer.shorten(conversation(*TURNS[2:8]), [])
    assert later.summary.splitlines() == SUMMARIES[2:6]


@pytest.mark.parametrize("answer", ["As you wish.", summaries("Only one."), summaries("a", "b", "c", " "), None])
async def test_older_turns_are_cut_at_whole_sentences_where_the_model_fails(
    llm: ScriptedLlm, summarizer: Summarizer, answer: str | None
) -> None:
    llm.slow(30) if answer is None else llm.reply(answer)
    shown = await summarizer.shorten(conversation(*TURNS[:6]), [])
    assert len(shown.exchanges) == NEWEST
    assert SUMMARY_CHARACTERS / 2 < len(shown.summary) <= SUMMARY_CHARACTERS
    for line in shown.summary.splitlines():
        assert line.startswith(("The lander", "What is lander"))
        assert line.endswith(("its lid.", "?"))


async def test_a_conversation_within_the_budget_is_shown_whole(llm: ScriptedLlm, summarizer: Summarizer) -> None:
    window = conversation(*TURNS[:2], *[VIKING] * 4)
    assert await summarizer.shorten(window, []) is window
    assert sum(len(turn.question) + len(turn.answer) for turn in window.exchanges) > BUDGET / 3
    assert llm.requests == []


async def test_the_rewriting_is_shown_the_summary_and_its_guards_know_every_turn(llm: ScriptedLlm) -> None:
    llm.reply(summaries(*["It runs on sunlight."] * 4))
    llm.reply(json.dumps({"standalone": "How heavy is lander 0?"}))
    window = HistoryWindow(tuple(Exchange(*turn) for turn in TURNS[:6]))
    by_rules = DecisionRecord(Decision.PASS, "", raw="How heavy is the first?", standalone="How heavy is the first?")
    async with open_chat_model(LlmSettings(base_url=llm.base_url), Stage.DECOMPOSE) as model:
        assert model is not None
        preparer = LlmPreparer(model, DECOMPOSE.load(*PREPARING_PROMPT), Summarizer(model, DECOMPOSE.load(*PROMPT)))
        prepared = await preparer.prepare(Preparation(window, by_rules, "en", False, False, print), [])
    assert prepared.record.standalone == "How heavy is lander 0?"
    assert "It runs on sunlight." in llm.requests[1].prompt
    assert TURNS[0][0] not in llm.requests[1].prompt
    assert len(conversation_block(window).render()) > len(llm.requests[1].prompt)
