"""The tasks of the intent stage."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace

from libs.contracts.engines import JudgeEngine
from libs.contracts.stages.intent import Judgement, UnderstandRequest, UnderstandStep
from libs.contracts.usage import Stage
from libs.engines.fallback import call_or, failure
from services.intent.question import Clock, question_of, system_clock
from services.intent.understand import Understander


@dataclass(frozen=True, slots=True)
class IntentTasks:
    """Implements `IntentStage`."""

    understander: Understander
    clock: Clock = system_clock
    own_judge: JudgeEngine | None = None
    """The engine of another package; None for the built-in ones."""

    def understand(self, request: UnderstandRequest) -> AsyncGenerator[UnderstandStep, None]:
        """See `IntentStage`.

        Raises:
            InvalidInput: the time zone does not exist.
        """
        return self.understander.understand(question_of(request, self.clock))

    async def judge(self, question: str) -> Judgement:
        """Return only whether the question is refused."""
        if (own := self.own_judge) is None:
            return await self.understander.judge(question)
        judgement, reason = await call_or(
            lambda: own.judge(question), lambda: self.understander.judge(question), "judge"
        )  # fmt: skip
        degraded = (failure(Stage.INTENT, "judge"),) if reason else ()
        return replace(judgement, degraded=(*judgement.degraded, *degraded))
