"""The stage's two tasks, understanding and judging a question, with the configured engine.

What the rules refuse, courtesies, picks among offered options, and complaints that name nothing need no model. If a
model fails, the rules' result is used, and a `Degraded` event says why.
"""

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from libs.contracts.stages.intent import Judgement, UnderstandStep, Understood, Verdict
from libs.contracts.understanding import QuestionSupplement, Understanding
from libs.contracts.usage import Degraded, Progress, Stage, Usage
from libs.llm.fallback import EngineChoice, known, with_fallback
from libs.llm.partial_json import in_steps
from services.intent.by_model.llm_engine import LlmEngine, Read
from services.intent.question import Question
from services.intent.rules import RulesEngine

_UNDERSTOOD: Final = "The question was understood by rules"
_JUDGED: Final = "The question was judged by the policy's own patterns alone."


@dataclass(frozen=True, slots=True)
class Understander:
    """Understands and judges questions; `llm` is None if no language model is configured."""

    rules: RulesEngine
    llm: LlmEngine | None = None
    engine: EngineChoice = "auto"
    llm_seconds: float = 5.0  # timeout of the model (taste)

    async def understand(self, question: Question) -> AsyncGenerator[UnderstandStep, None]:
        """Yield the steps of understanding, the result last.

        If a language model is asked, the rules' understanding comes first, then the verdict, if the model's first
        fields decide it.

        Raises:
            FailedPrecondition: the settings require a language model, and none is configured.
            LlmError: the settings require it, and it failed.
        """
        yield Progress("understanding the question")
        start = time.perf_counter()
        by_rules = await self.rules.understand(question)
        usage = Usage(Stage.INTENT, "understand", 1000 * (time.perf_counter() - start))
        is_settled = by_rules.courtesy_reply or question.picked or not question.reading.text
        if by_rules.question_rejection.is_reject or is_settled:
            yield Understood(by_rules, (usage,))
        elif question.understood is not None:
            yield Understood(_reuse(question.understood, by_rules), (usage,))
        else:
            async with aclosing(self._by_best_engine(question, Read(by_rules, (usage,)))) as steps:
                async for step in steps:
                    yield step

    async def judge(self, text: str) -> Judgement:
        """Judge by the policy whether a question is refused.

        Raises:
            FailedPrecondition, LlmError: as `understand`.
        """
        by_rules = Judgement(await self.rules.judge(text))
        if by_rules.question_rejection.is_reject:
            return by_rules
        usages: list[Usage] = []
        llm = self.llm.tallied(usages) if self.llm else None

        async def by_llm() -> Judgement:
            assert llm is not None
            rejection, usage = await llm.judged(text)
            return Judgement(rejection, "llm", usage=(usage,))

        outcome = await with_fallback(
            by_llm if llm else None, lambda: known(by_rules), engine=self.engine, seconds=self.llm_seconds, used=usages
        )  # fmt: skip
        if outcome.reason is None:
            return outcome.result
        degraded = Degraded(Stage.INTENT, outcome.reason, _JUDGED)
        return replace(by_rules, degraded=(degraded,), usage=tuple(usages))

    async def _by_best_engine(self, question: Question, by_rules: Read) -> AsyncGenerator[UnderstandStep, None]:
        if self.llm is not None and self.engine != "rules":
            yield by_rules.understanding
        async with aclosing(in_steps(partial(self._read_question, question, by_rules))) as steps:
            async for step in steps:
                if isinstance(step, Verdict):
                    yield step
                    continue
                for degraded in step.degraded:
                    yield degraded
                yield Understood(step.understanding, step.usage)

    async def _read_question(self, question: Question, by_rules: Read, report: Callable[[Verdict], None]) -> Read:
        usages, refusals, verdicts = list[Usage](), list[str](), list[Verdict]()
        llm = self.llm.tallied(usages) if self.llm else None

        def report_verdict(passes: bool) -> None:
            verdicts.append(Verdict(passes))
            report(verdicts[-1])

        async def by_llm() -> Read:
            assert llm is not None
            return await llm.understand(question, refusals.append, report_verdict)

        outcome = await with_fallback(
            by_llm if llm else None, lambda: known(by_rules), engine=self.engine, seconds=self.llm_seconds, used=usages
        )  # fmt: skip
        if outcome.reason is None:
            return outcome.result
        effect = f"{_UNDERSTOOD} ({refusals[-1]})." if refusals else f"{_UNDERSTOOD}."
        degraded = Degraded(Stage.INTENT, outcome.reason, effect)
        is_passed = Verdict(True) in verdicts
        understanding = self._without_asking_back(by_rules.understanding) if is_passed else by_rules.understanding
        return Read(understanding, (*by_rules.usage, *usages), (degraded,))

    def _without_asking_back(self, understanding: Understanding) -> Understanding:
        """Return the rules' understanding without asking back: the model found the question clear before it failed."""
        score = min(understanding.ask_score, self.rules.ask_threshold / 2)
        return replace(understanding, ask_score=score, question_supplement=QuestionSupplement())


def _reuse(earlier: Understanding, by_rules: Understanding) -> Understanding:
    """Return the earlier understanding, updated by the rules for a new standalone question."""
    return replace(
        earlier.with_wording_of(by_rules),
        related_event=earlier.related_event or by_rules.related_event,
        wants_timeline=earlier.wants_timeline or by_rules.wants_timeline,
    )
