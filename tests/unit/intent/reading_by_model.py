"""Questions understood by a language model that says what a test tells it to, with the rules behind it."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from libs.contracts.evidence import Evidence, Passage
from libs.contracts.stages.intent import Judgement, Understood
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded, Progress, Stage
from libs.llm.client import open_chat_model
from libs.llm.settings import LlmSettings
from services.intent.by_model import judge_llm, reading
from services.intent.by_model.llm_engine import LlmEngine
from services.intent.policy.policies import load_policies
from services.intent.question import Question
from services.intent.rules import RulesEngine
from services.intent.understand import Understander
from tests.fakes.prompts import INTENT
from tests.fakes.scripted_llm import ScriptedLlm

NOW = datetime(2026, 11, 12, 14, 30, tzinfo=UTC)
RULES = RulesEngine(load_policies())
SPANISH, ENGLISH = "¿Cuándo aterrizó el Apolo 11 en la Luna?", "When did Apollo 11 land on the Moon?"
VAGUE = "When did that probe land?"


def form(**filled: object) -> str:
    return json.dumps({"category": "none", **filled})


def titled(*titles: str) -> tuple[Evidence, ...]:
    return tuple(Evidence(Passage(title, title, f"{title} is a probe that landed.", title=title)) for title in titles)


@asynccontextmanager
async def with_model(scripted: ScriptedLlm, engine: str = "auto") -> AsyncIterator[Understander]:
    settings = LlmSettings(base_url=scripted.base_url, retries=0)
    async with open_chat_model(settings, Stage.INTENT) as model:
        assert model is not None
        reader = reading.IntentReader(model, INTENT.load(*reading.PROMPT), RULES.policies)
        llm = LlmEngine(RULES, reader, judge_llm.Judge(model, INTENT.load(*judge_llm.PROMPT)))
        yield Understander(RULES, llm, engine)  # type: ignore[arg-type]


async def steps_of(scripted: ScriptedLlm, question: Question, **how: str) -> tuple[Understood, tuple[Degraded, ...]]:
    async with with_model(scripted, **how) as understander:
        first, *middle, last = [step async for step in understander.understand(question)]
    assert isinstance(first, Progress)
    assert isinstance(last, Understood)
    return last, tuple(step for step in middle if isinstance(step, Degraded))


async def understand(text: str, *forms: str, **known: object) -> tuple[Understanding, tuple[Degraded, ...]]:
    """What is made of a question by a model that fills in these forms, one after the other."""
    async with ScriptedLlm() as scripted:
        for reply in forms:
            scripted.reply(reply)
        question = Question(text, NOW, languages=("en",), **known)  # type: ignore[arg-type]
        result, degraded = await steps_of(scripted, question)
    return result.understanding, degraded


async def judge(text: str, *forms: str) -> Judgement:
    async with ScriptedLlm() as scripted:
        for filled in forms:
            scripted.reply(filled)
        async with with_model(scripted) as understander:
            return await understander.judge(text)
