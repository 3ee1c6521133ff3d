"""The tasks of the answer stage."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from libs.contracts.answers import Citation
from libs.contracts.engines import ExtractEngine, VerifyEngine, WriteEngine
from libs.contracts.stages.answer import (
    ExtractRequest,
    ExtractResponse,
    RecommendRequest,
    VerifyRequest,
    WriteOnceResponse,
    WriteRequest,
    WriteResult,
    WriteStep,
)
from libs.contracts.usage import Degraded, Stage
from libs.engines.fallback import call_or, failure, stream_or
from libs.llm.by_model import ByModel
from services.answer.external_answers import verify_outside
from services.answer.extract import extract_answer
from services.answer.recommender import Recommender
from services.answer.write import Writer


@dataclass(frozen=True, slots=True)
class OwnEngines:
    """Engines of other packages; None for the built-in ones."""

    write: WriteEngine | None = None
    extract: ExtractEngine | None = None
    verify: VerifyEngine | None = None


@dataclass(frozen=True, slots=True)
class AnswerTasks:
    """Implements `AnswerStage` with a default writer, and one for each model that a request may name."""

    writers: ByModel[Writer]
    recommender: Recommender
    own: OwnEngines = field(default_factory=OwnEngines)

    def write(self, request: WriteRequest) -> AsyncGenerator[WriteStep, None]:
        """See `AnswerStage`; a request that names a model is written with that model."""
        writer, own = self.writers.of(request.model), self.own.write
        if own is None or request.model:
            return writer.write(request)
        return stream_or(
            lambda: own.write(request), lambda: writer.write(request), lambda: failure(Stage.ANSWER, "write"), "write"
        )

    async def write_once(self, request: WriteRequest) -> WriteOnceResponse:
        """Return the content of `write` as one response.

        Raises:
            ParleyError: as `write`.
        """
        degraded: list[Degraded] = []
        async with aclosing(self.write(request)) as steps:
            async for step in steps:
                if isinstance(step, Degraded):
                    degraded.append(step)
                elif isinstance(step, WriteResult):
                    return WriteOnceResponse(step.answer, step.usage, tuple(degraded))
        raise AssertionError("an answer ends with a result")

    async def extract(self, request: ExtractRequest) -> ExtractResponse:
        """See `AnswerStage`."""

        async def by_rules() -> ExtractResponse:
            return await asyncio.to_thread(extract_answer, request)

        own = self.own.extract
        return (await call_or(lambda: own.extract(request), by_rules, "extract"))[0] if own else await by_rules()

    async def verify(self, request: VerifyRequest) -> Sequence[Citation]:
        """Return a citation with a verdict for each sentence."""

        async def by_rules() -> Sequence[Citation]:
            return await asyncio.to_thread(verify_outside, request)

        own = self.own.verify
        return (await call_or(lambda: own.verify(request), by_rules, "verify"))[0] if own else await by_rules()

    async def recommend(self, request: RecommendRequest) -> Sequence[str]:
        """Return follow-ups, best first."""
        return await self.recommender.recommend(request)
