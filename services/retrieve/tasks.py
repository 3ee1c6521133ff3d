"""The tasks of the retrieve stage."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime

from libs.contracts.options import RetrieveOptions
from libs.contracts.query import QueryGraph
from libs.contracts.stages.retrieve import (
    DetectedRange,
    DetectRangeRequest,
    Gauged,
    GaugeQuestionsRequest,
    RetrieveRequest,
    RetrieveStep,
)
from libs.contracts.usage import Progress
from services.retrieve.search.recall import RecalledGraph, recall_graph
from services.retrieve.search.retriever import Retriever
from services.retrieve.sources.ranges import RangeDetector


@dataclass(frozen=True, slots=True)
class RetrieveTasks:
    """Implements `RetrieveStage`."""

    retriever: Retriever
    ranges: RangeDetector

    async def retrieve(self, request: RetrieveRequest) -> AsyncGenerator[RetrieveStep, None]:
        """See `RetrieveStage`."""
        yield Progress("searches")
        async with aclosing(self.retriever.retrieve(request.query, request.options)) as steps:
            async for step in steps:
                yield step

    async def recall_graph(self, graph: QueryGraph, options: RetrieveOptions) -> RecalledGraph:
        """Return evidence for every node of a graph."""
        return await recall_graph(self.retriever, graph, options)

    async def gauge_questions(self, request: GaugeQuestionsRequest) -> Gauged:
        """See `RetrieveStage`."""
        return Gauged(await self.retriever.gauge(list(request.questions), request.options))

    async def detect_range(self, request: DetectRangeRequest) -> DetectedRange:
        """See `RetrieveStage`; the range depends on the question's wording alone."""
        return self.ranges.detect(request.question, request.now or datetime.now(UTC))
