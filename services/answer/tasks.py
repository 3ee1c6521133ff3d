"""The tasks of the answer stage; each does the RPC of its name in `libs.contracts.stages.answer`."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field

from libs.contracts.engines import ExtractEngine, VerifyEngine, WriteEngine
from libs.contracts.stages.answer import (
    ExtractRequest,
    ExtractResponse,
    RecommendRequest,
    RecommendResponse,
    VerifyRequest,
    VerifyResponse,
    WriteOnceRequest,
    WriteOnceResponse,
    WriteRequest,
    WriteResult,
    WriteStep,
)
from libs.contracts.usage import Degraded, Stage
from libs.engines.fallback import failure, stream_or
from libs.llm.by_model import ByModel
from libs.runtime.threads import in_thread
from services.answer.by_model import extraction, verdicts
from services.answer.by_model.extraction import ModelExtractor
from services.answer.by_model.follow_ups import Recommender
from services.answer.by_model.verdicts import ModelVerifier
from services.answer.engine_choice import EngineSet, run_task
from services.answer.evidence_sanitizer import verify_outside
from services.answer.extract import extract_answer
from services.answer.write import Writer


@dataclass(frozen=True, slots=True)
class AnswerTasks:
    """Does the RPCs of the answer stage, with a default writer, and one for each model that a request may name."""

    writers: ByModel[Writer]
    recommender: Recommender
    write_engine: WriteEngine | None = None
    """The engine of another package that writes; None for the writers."""
    extractors: EngineSet[ExtractEngine, ModelExtractor] = field(default_factory=EngineSet)
    verifiers: EngineSet[VerifyEngine, ModelVerifier] = field(default_factory=EngineSet)

    def write(self, request: WriteRequest) -> AsyncGenerator[WriteStep, None]:
        """See WRITE; a request that names a model is written with that model."""
        writer, own = self.writers.of(request.model), self.write_engine
        if own is None or request.model:
            return writer.write(request)
        return stream_or(
            lambda: own.write(request), lambda: writer.write(request), lambda: failure(Stage.ANSWER, "write"), "write"
        )

    async def write_once(self, request: WriteOnceRequest) -> WriteOnceResponse:
        """See WRITE_ONCE."""
        degraded: list[Degraded] = []
        async with aclosing(self.write(request.write)) as steps:
            async for step in steps:
                if isinstance(step, Degraded):
                    degraded.append(step)
                elif isinstance(step, WriteResult):
                    return WriteOnceResponse(step.answer, step.usage, tuple(degraded))
        raise AssertionError("an answer ends with a result")

    async def extract(self, request: ExtractRequest) -> ExtractResponse:
        """See EXTRACT.

        Raises:
            LlmError: see `run_task`.
        """

        async def by_rules() -> ExtractResponse:
            return await in_thread(extract_answer, request)

        model, own, budget = self.extractors.model, self.extractors.own, request.budget
        is_limited = budget.max_tokens > 0 or budget.max_cost_usd > 0
        return await run_task(
            extraction.TASK,
            by_rules,
            by_model=None if model is None else lambda: model.extract(request),
            own=None if own is None else lambda: own.extract(request),
            choice="rules" if is_limited else self.extractors.choice,
            seconds=budget.max_seconds or None,
        )

    async def verify(self, request: VerifyRequest) -> VerifyResponse:
        """See VERIFY.

        Raises:
            LlmError: see `run_task`.
        """

        async def by_rules() -> VerifyResponse:
            return VerifyResponse(tuple(await in_thread(verify_outside, request)))

        model, own = self.verifiers.model, self.verifiers.own

        async def by_model(verifier: ModelVerifier) -> VerifyResponse:
            return await verifier.revise(request, (await by_rules()).citations)

        return await run_task(
            verdicts.TASK,
            by_rules,
            by_model=None if model is None else lambda: by_model(model),
            own=None if own is None else lambda: own.verify(request),
            choice=self.verifiers.choice,
        )

    async def recommend(self, request: RecommendRequest) -> RecommendResponse:
        """See RECOMMEND."""
        return await self.recommender.recommend(request)
