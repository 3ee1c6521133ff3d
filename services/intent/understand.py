"""The stage's two tasks, understanding a question and judging it, over the engine that does them."""

import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from services.intent.question import Question
from services.vocabulary.understanding import QuestionRejection, Understanding
from services.vocabulary.usage import Degraded, Stage, Usage


@dataclass(frozen=True, slots=True)
class Progress:
    """Where the stage is in its work, for people."""

    activity: str


@dataclass(frozen=True, slots=True)
class Understood:
    """The result; the last step."""

    understanding: Understanding
    usage: tuple[Usage, ...] = ()


Step: TypeAlias = Progress | Degraded | Understood


class Engine(Protocol):
    """What understands questions."""

    async def understand(self, question: Question) -> Understanding:
        """Refused, asked back or grounded."""
        ...

    async def judge(self, text: str) -> QuestionRejection:
        """The refusal alone."""
        ...


@dataclass(frozen=True, slots=True)
class Understander:
    """Understands and judges by an engine."""

    engine: Engine

    async def understand(self, question: Question) -> AsyncGenerator[Step, None]:
        """The steps of understanding, the result last."""
        yield Progress("understanding the question")
        started = time.perf_counter()
        understanding = await self.engine.understand(question)
        milliseconds = 1000 * (time.perf_counter() - started)
        yield Understood(understanding, (Usage(Stage.INTENT, "understand", milliseconds),))

    async def judge(self, text: str) -> QuestionRejection:
        """The policy's word on a question."""
        return await self.engine.judge(text)
