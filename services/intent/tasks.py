"""The tasks of the intent stage."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from libs.contracts.stages.intent import Judgement, UnderstandRequest, UnderstandStep
from services.intent.question import Clock, question_of, system_clock
from services.intent.understand import Understander


@dataclass(frozen=True, slots=True)
class IntentTasks:
    """Implements `IntentStage`."""

    understander: Understander
    clock: Clock = system_clock

    def understand(self, request: UnderstandRequest) -> AsyncGenerator[UnderstandStep, None]:
        """See `IntentStage`.

        Raises:
            InvalidInput: the time zone does not exist.
        """
        return self.understander.understand(question_of(request, self.clock))

    async def judge(self, question: str) -> Judgement:
        """Return only whether the question is refused."""
        return await self.understander.judge(question)
