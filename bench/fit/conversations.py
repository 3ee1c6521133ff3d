"""Conversations over documents, asked of the suite's own decomposer and retriever within this process."""

import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluation.documents.questions import DocumentQuestion
from gateway.session.conversation import earlier_rankings
from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker, TurnKind
from libs.contracts.evidence import Passage
from libs.contracts.options import RetrieveOptions
from libs.contracts.stages.decompose import CondenseRequest
from libs.contracts.stages.retrieve import RECALLED, RetrieveResult
from libs.language.known import ENGLISH
from libs.language.turns.reader import read_turn
from services.decompose.decomposer import Decomposer
from services.decompose.turn_analysis import DecomposeBounds
from services.decompose.words.domain import load_domain
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.filtering import Access
from services.retrieve.corpus.permissions import NOBODY
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.engines.collection import Engines
from services.retrieve.models import open_models
from services.retrieve.search.engine_queries import query_terms
from services.retrieve.search.follow_ups import FittedOrder, Pool
from services.retrieve.search.retriever import Retriever
from services.retrieve.settings import RetrieveSettings

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class RecordingOrder(FittedOrder):
    """A fitted order that keeps the pools that it orders."""

    pools: list[Pool] = field(default_factory=list)

    def bonuses(self, pool: Pool) -> NDArray[np.float64]:
        """See FittedOrder."""
        self.pools.append(pool)
        return FittedOrder.bonuses(self, pool)


@dataclass(frozen=True, slots=True)
class AskedTurn:
    """A turn, and what was found for it."""

    question: DocumentQuestion
    shortened: bool
    """Whether a word was left out of it."""
    found: tuple[Passage, ...]
    """The best first."""
    pool: Pool | None = None
    """What was ordered; None for a first turn."""
    pooled: tuple[Passage, ...] = ()
    """The passages of the pool, by their keys, as it lists them."""
    result: RetrieveResult = field(default_factory=RetrieveResult)


@dataclass(frozen=True, slots=True)
class Documents:
    """Ingested documents, open in this process."""

    corpus: Corpus
    engines: Engines
    embedder: BatchingEmbedder | None
    settings: RetrieveSettings
    decomposer: Decomposer

    @classmethod
    @asynccontextmanager
    async def open(cls, data: Path) -> AsyncIterator["Documents"]:
        """Open a suite's folder; no other process may have it open."""
        settings = RetrieveSettings(data=data)
        async with AsyncExitStack() as stack:
            corpus = stack.enter_context(Corpus.open(data))
            engines = Engines(corpus, data / "engines")
            stack.callback(engines.close)
            embedder = (await open_models(settings, stack)).embedder
            decomposer = Decomposer(load_domain(None, language=ENGLISH), DecomposeBounds(engine="rules"))
            yield cls(corpus, engines, embedder, settings, decomposer)

    async def ask(
        self, turns: Sequence[DocumentQuestion], collection: str, order: FittedOrder
    ) -> AsyncIterator[AskedTurn]:
        """Ask a conversation turn by turn; each follow-up is asked without one of its rarest words, too."""
        recording = RecordingOrder(order.weights)
        retriever = Retriever(self.corpus, self.engines, self.embedder, self.settings.ranking, order=recording)
        view = ConversationView()
        for question in turns:
            if read_turn(question.question, view).kind is TurnKind.COURTESY:
                continue
            for text in self._shortened(question.question, collection) if view.messages else ():
                result = await self._search(retriever, text, collection, view)
                yield self._asked(question, True, result, recording)
            result = await self._search(retriever, question.question, collection, view)
            yield self._asked(question, False, result, recording)
            view = _after(view, question.question, result)

    async def _search(self, retriever: Retriever, text: str, collection: str, view: ConversationView) -> RetrieveResult:
        """Condense and search, as the gateway does."""
        reading = read_turn(text, view)
        record = (await self.decomposer.condense(CondenseRequest(text, view, reading=reading))).record
        assert record.query is not None  # the rules always make one
        options, result = RetrieveOptions(collection=collection, ranking=RECALLED), RetrieveResult()
        async for step in retriever.retrieve(record.query, options, earlier_rankings(view, reading)):
            result = step if isinstance(step, RetrieveResult) else result
        return result

    def _asked(
        self, question: DocumentQuestion, is_shortened: bool, result: RetrieveResult, recording: RecordingOrder
    ) -> AskedTurn:
        found = tuple(evidence.passage for evidence in result.evidence)
        pool = recording.pools.pop() if recording.pools else None
        passages = {} if pool is None else self.corpus.passages(pool.keys.tolist())
        pooled = tuple(passages[key] for key in sorted(passages))
        return AskedTurn(question, is_shortened, found, pool, pooled, result)

    def _shortened(self, text: str, collection: str) -> Iterator[str]:
        languages = tuple(self.corpus.language_counts(collection, NOBODY))
        terms, index = query_terms(languages), self.engines.of(collection).lexical()

        def frequency(word: str) -> int:
            frequencies = index.document_frequencies(terms(word), Access())
            return min(frequencies.values(), default=0) or NEVER

        return shortened(text, frequency)


NEVER = 10**9
"""The frequency of a word that no passage has, or that is not searched: leaving it out would change nothing."""


def shortened(text: str, frequency: Callable[[str], int]) -> Iterator[str]:
    """Leave out one of the two rarest words, for each of them; nothing for a text with one searched word."""
    words = sorted((frequency(word[0]), word.start(), word.end()) for word in _WORD.finditer(text))
    rare = [(start, end) for count, start, end in words if count < NEVER]
    for start, end in rare[:2] if len(rare) > 1 else ():
        yield " ".join(f"{text[:start]} {text[end:]}".split())


def _after(view: ConversationView, question: str, result: RetrieveResult) -> ConversationView:
    """The conversation with one more turn, answered by the first passage."""
    answer = result.evidence[0].passage.text if result.evidence else ""
    turn = (HistoryMessage(Speaker.USER, question), HistoryMessage(Speaker.AGENT, answer, result.ranking))
    return replace(view, messages=(*view.messages, *turn))
