"""The tasks of the answer stage; each does the RPC of its name in `libs.contracts.stages.answer`. None blocks."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace

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
from libs.engines.fallback import stream_or
from libs.graph.plan_graph import PlanGraph
from libs.llm.by_model import ByModel
from libs.runtime.threads import in_thread
from services.answer.by_model.extraction import Extractor
from services.answer.evidence_sanitizer import verify_outside
from services.answer.recommend import recommend_with
from services.answer.settings import Plugins
from services.answer.write import Writer


@dataclass(frozen=True, slots=True)
class AnswerTasks:
    """Does the RPCs of the answer stage, with a default writer, and one for each model that a request may name."""

    writers: ByModel[Writer]
    extractor: Extractor
    plugins: Plugins

    def write(self, request: WriteRequest) -> AsyncGenerator[WriteStep, None]:
        """See WRITE; a request that names a model is written with that model.

        Raises:
            InvalidInput: the graph is invalid (reason GRAPH_INVALID).
        """
        if request.graph is not None:
            PlanGraph.from_query_graph(request.graph)
        writer, plugin = self.writers.of(request.model), self.plugins.engines.get("write")
        if plugin is None or request.model:
            return writer.write(request)
        return stream_or(lambda: plugin.write(request), lambda: writer.write(request), Stage.ANSWER, "write")

    async def write_once(self, request: WriteOnceRequest) -> WriteOnceResponse:
        """See WRITE_ONCE; as nobody could search again, the model is not asked to."""
        degraded: list[Degraded] = []
        async with aclosing(self.write(replace(request.write, may_search_again=False))) as steps:
            async for step in steps:
                if isinstance(step, Degraded):
                    degraded.append(step)
                elif isinstance(step, WriteResult):
                    return WriteOnceResponse(step.answer, step.usage, tuple(degraded))
        raise AssertionError("an answer ends with a result")

    async def extract(self, request: ExtractRequest) -> ExtractResponse:
        """See EXTRACT.

        Raises:
            LlmError: see `Extractor.extract`.
        """
        return await self.plugins.run("extract", request, lambda: self.extractor.extract(request))

    async def verify(self, request: VerifyRequest) -> VerifyResponse:
        """See VERIFY."""

        async def by_rules() -> VerifyResponse:
            return VerifyResponse(tuple(await in_thread(verify_outside, request)))

        return await self.plugins.run("verify", request, by_rules)

    async def recommend(self, request: RecommendRequest) -> RecommendResponse:
        """See RECOMMEND."""
        return await recommend_with(self.plugins, request)
