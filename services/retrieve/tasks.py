"""The tasks of the retrieve stage; each does the RPC of its name in `libs.contracts.stages.retrieve`. None blocks."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime

from libs.contracts.evidence import WholeSection
from libs.contracts.stages.retrieve import (
    DetectedRange,
    DetectRangeRequest,
    Gauged,
    GaugeQuestionsRequest,
    Languages,
    ListLanguagesRequest,
    ReadSectionsRequest,
    RecalledGraph,
    RecallGraphRequest,
    RetrieveRequest,
    RetrieveStep,
    Sections,
)
from libs.contracts.usage import Progress
from libs.runtime.threads import in_thread, in_thread_unless
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.permissions import Caller
from services.retrieve.corpus.sections import sections_of_passages
from services.retrieve.search.recall import recall_graph
from services.retrieve.search.retriever import DEFAULT_COLLECTION, Retriever
from services.retrieve.sources.ranges import RangeDetector


@dataclass(frozen=True, slots=True)
class RetrieveTasks:
    """Does the RPCs of the retrieve stage."""

    retriever: Retriever
    ranges: RangeDetector
    corpus: Corpus

    async def retrieve(self, request: RetrieveRequest) -> AsyncGenerator[RetrieveStep, None]:
        """See RETRIEVE."""
        yield Progress("searches")
        async with aclosing(self.retriever.retrieve(request.query, request.options, request.earlier)) as steps:
            async for step in steps:
                yield step

    async def recall_graph(self, request: RecallGraphRequest) -> RecalledGraph:
        """See RECALL_GRAPH."""
        return await recall_graph(self.retriever, request.graph, request.options)

    async def gauge_questions(self, request: GaugeQuestionsRequest) -> Gauged:
        """See GAUGE_QUESTIONS."""
        return Gauged(await self.retriever.gauge(list(request.questions), request.options))

    async def detect_range(self, request: DetectRangeRequest) -> DetectedRange:
        """See DETECT_RANGE; the range depends on the question's wording alone."""
        return self.ranges.detect(request.question, request.now or datetime.now(UTC))

    async def list_languages(self, request: ListLanguagesRequest) -> Languages:
        """See LIST_LANGUAGES."""
        name, caller = request.collection or DEFAULT_COLLECTION, Caller(request.principals)
        is_known = self.corpus.knows(name, caller)
        return Languages(await in_thread_unless(is_known, self.corpus.main_languages, name, caller))

    async def read_sections(self, request: ReadSectionsRequest) -> Sections:
        """See READ_SECTIONS."""
        return Sections(await in_thread(self._sections, request))

    def _sections(self, request: ReadSectionsRequest) -> tuple[WholeSection, ...]:
        name = request.collection or DEFAULT_COLLECTION
        self.corpus.require(name, Caller(request.principals))
        return self.corpus.read(
            lambda connection: tuple(sections_of_passages(connection, name, request.passage_ids, request.principals))
        )
