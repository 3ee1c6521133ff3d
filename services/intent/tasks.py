"""The tasks of the intent stage, each the RPC of its name in `libs.contracts.stages.intent`; errors are typed."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from libs.contracts.engines import JudgeEngine
from libs.contracts.stages.intent import Judgement, JudgeRequest, UnderstandRequest, UnderstandStep
from libs.contracts.usage import Stage
from libs.engines.fallback import call_or
from services.intent.question import Clock, question_of, system_clock
from services.intent.understand import Understander


@dataclass(frozen=True, slots=True)
class IntentTasks:
    """Does the RPCs of the intent stage."""

    understander: Understander
    clock: Clock = system_clock
    judge_plugin: JudgeEngine | None = None
    """The engine of another package; None for the built-in ones."""

    def understand(self, request: UnderstandRequest) -> AsyncGenerator[UnderstandStep, None]:
        """See UNDERSTAND.

        Raises:
            InvalidInput: the time zone does not exist.
        """
        return self.understander.understand(question_of(request, self.clock))

    async def judge(self, request: JudgeRequest) -> Judgement:
        """See JUDGE."""
        question = request.question
        if (plugin := self.judge_plugin) is None:
            return await self.understander.judge(question)
        understander = self.understander
        return await call_or(
            lambda: plugin.judge(question), lambda: understander.judge(question), Stage.INTENT, "judge"
        )
