"""The tasks of the answer stage."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from libs.contracts.answers import Citation
from libs.contracts.stages.answer import (
    ExtractRequest,
    ExtractResponse,
    RecommendRequest,
    VerifyRequest,
    WriteOnceResponse,
    WriteRequest,
    WriteStep,
)
from libs.llm.offered import ByModel
from services.answer.extract import extract_answer
from services.answer.outside import verify_outside
from services.answer.recommend import recommend
from services.answer.write import Writer


@dataclass(frozen=True, slots=True)
class AnswerTasks:
    """Implements `AnswerStage` with a default writer, and one for each model that a request may name."""

    writers: ByModel[Writer]
    recommendations: int
    """Maximum number of follow-ups."""

    def write(self, request: WriteRequest) -> AsyncGenerator[WriteStep, None]:
        """See `AnswerStage`."""
        return self.writers.of(request.model).write(request)

    async def write_once(self, request: WriteRequest) -> WriteOnceResponse:
        """Return the content of `write` as one response.

        Raises:
            ParleyError: as `write`.
        """
        return await self.writers.of(request.model).write_once(request)

    async def extract(self, request: ExtractRequest) -> ExtractResponse:
        """See `AnswerStage`."""
        return await asyncio.to_thread(extract_answer, request)

    async def verify(self, request: VerifyRequest) -> Sequence[Citation]:
        """Return a citation with a verdict for each sentence."""
        return await asyncio.to_thread(verify_outside, request)

    async def recommend(self, request: RecommendRequest) -> Sequence[str]:
        """Return follow-ups, best first."""
        return await asyncio.to_thread(recommend, request, self.recommendations)
