"""One Protocol for each language task. The rules and a language model implement it, and so may other packages.

An engine is called from one event loop; slow work belongs in a thread. It may raise anything: the built-in engine then
does the task. Values and steps are those of the stage's contract (`libs.contracts.stages`).
"""

from collections.abc import AsyncGenerator
from typing import Protocol

from libs.contracts.stages.answer import (
    ExtractRequest,
    ExtractResponse,
    RecommendRequest,
    RecommendResponse,
    VerifyRequest,
    VerifyResponse,
    WriteRequest,
    WriteStep,
)
from libs.contracts.stages.decompose import Condensed, CondenseRequest, DecomposeRequest, DecomposeStep
from libs.contracts.stages.intent import Judgement
from libs.contracts.stages.timeline import BuildRequest, BuildStep


class JudgeEngine(Protocol):
    """The task `judge`: whether a question is refused."""

    async def judge(self, question: str) -> Judgement:
        """Return whether the question is refused, and why."""
        ...


class CondenseEngine(Protocol):
    """The task `condense`: make the last turn stand alone."""

    async def condense(self, request: CondenseRequest) -> Condensed:
        """Return the decision record; its `raw` is the turn. Without a `query` the stage adds its own."""
        ...


class PlanEngine(Protocol):
    """The task `plan`: split a question into sub-queries."""

    def decompose(self, request: DecomposeRequest) -> AsyncGenerator[DecomposeStep, None]:
        """Yield progress; the last step is `Planned`, whose graph is not empty."""
        ...


class WriteEngine(Protocol):
    """The task `write`: write an answer from references."""

    def write(self, request: WriteRequest) -> AsyncGenerator[WriteStep, None]:
        """Yield text deltas, a citation after each sentence, and last `WriteResult`; citations name references."""
        ...


class ExtractEngine(Protocol):
    """The task `extract`: a short answer to a sub-query."""

    async def extract(self, request: ExtractRequest) -> ExtractResponse:
        """Return a short answer with its source, or an empty response."""
        ...


class VerifyEngine(Protocol):
    """The task `verify`: whether passages support sentences."""

    async def verify(self, request: VerifyRequest) -> VerifyResponse:
        """Return a citation with a verdict for each sentence, in order."""
        ...


class RecommendEngine(Protocol):
    """The task `recommend`: questions to ask next."""

    async def recommend(self, request: RecommendRequest) -> RecommendResponse:
        """Return distinct questions, best first; the stage keeps the first ones, as many as its setting says."""
        ...


class DateEngine(Protocol):
    """The task `date`: a timeline of dated events."""

    def build(self, request: BuildRequest) -> AsyncGenerator[BuildStep, None]:
        """Yield progress; the last step is `Built`, whose events are in order of time and name their passages."""
        ...
