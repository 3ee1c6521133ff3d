"""The same two thousand passages with the same vectors: all engines give nearly the same ten best.

The passages are made of the words of the samples, drawn with a fixed seed. Each engine is measured against what is
computed here (cosines by numpy, BM25 by its formula), each server against the embedded engine as well.
"""

import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from libs.contracts.options import RetrieveOptions
from libs.contracts.query import WeightedQuery
from libs.documents.rendering import plain_words
from libs.language.analysis import terms_of
from services.retrieve.corpus.documents import Document
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.engines.embedded.lexical import FILLER_TERMS
from services.retrieve.engines.opening import EngineMakers
from services.retrieve.search.ranking import RankingSettings
from services.retrieve.search.recall import search
from services.retrieve.search.retriever import Retriever
from tests.conformance.world import EngineUnderTest, World, whole
from tests.fakes.stored_documents import ENCODER

pytestmark = pytest.mark.timeout(600)

PASSAGES, QUERIES, BEST = 2_000, 40, 10
LEAST_OVERLAP = 0.9
SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "corpus"


@pytest.fixture(scope="module")
def passages() -> list[Document]:
    """Sentences of the samples, two to five at a time with a few of their words put elsewhere."""
    chance = random.Random(5_000)
    text = "\n".join(path.read_text(errors="replace") for path in sorted(SAMPLES.rglob("*.md")))
    sentences = [line for line in re.split(r"(?<=[.!?])\s+", text) if 30 < len(line) < 300]
    words = sorted({word for line in sentences for word in re.findall(r"[A-Za-z]{4,}", line)})
    return [
        whole(f"d{number}", " ".join(chance.choices(sentences, k=chance.randint(2, 5)) + chance.choices(words, k=6)))
        for number in range(PASSAGES)
    ]


@pytest.fixture(scope="module")
def questions(passages: list[Document]) -> list[str]:
    """A few words of one passage each."""
    chance = random.Random(40)
    sample = chance.sample(passages, QUERIES)
    return [" ".join(chance.sample(re.findall(r"[A-Za-z]{4,}", document.text), 5)) for document in sample]


@pytest.fixture
def full_world(place: World, passages: list[Document]) -> World:
    """The engines under test with all passages in them."""
    place.put_at_once(passages)
    place.engines.catch_up()
    return place


@pytest.fixture
def beside(full_world: World) -> Iterator[World]:
    """The embedded engines over the same corpus."""
    new_world = World(full_world.folder / "beside", full_world.corpus, EngineMakers())
    yield new_world
    new_world.engines.close()


def test_the_ten_best_are_those_of_the_formula(
    engine: EngineUnderTest, full_world: World, passages: list[Document], questions: list[str]
) -> None:
    texts = [document.text for document in passages]
    formula = Cosines(texts) if engine.side == "vector" else BM25(texts)
    expected = [[passages[row].document_id for row in formula.best(question)] for question in questions]
    assert overlap(expected, [engine.find(question, limit=BEST) for question in questions]) >= LEAST_OVERLAP


def test_the_ten_best_of_a_server_are_those_of_the_embedded_engine(
    engine: EngineUnderTest, beside: World, questions: list[str]
) -> None:
    embedded_engine = EngineUnderTest(beside, engine.side)
    expected = [embedded_engine.find(question, limit=BEST) for question in questions]
    assert overlap(expected, [engine.find(question, limit=BEST) for question in questions]) >= LEAST_OVERLAP


async def test_the_ten_best_of_retrieval_over_servers_are_those_over_embedded_engines(
    retriever: Retriever, beside: World, embedder: BatchingEmbedder, questions: list[str]
) -> None:
    embedded_engine = Retriever(beside.corpus, beside.engines, embedder, RankingSettings())
    expected = [await ranked(embedded_engine, question) for question in questions]
    assert overlap(expected, [await ranked(retriever, question) for question in questions]) >= LEAST_OVERLAP


async def ranked(retriever: Retriever, question: str) -> list[str]:
    """The ten best before grouping; nothing may have failed."""
    result, degraded = await search(retriever, WeightedQuery(question), RetrieveOptions(ranking=BEST))
    assert degraded == []
    return [place.passage_id for place in result.ranking]


def overlap(expected: Sequence[Sequence[str]], matches: Sequence[Sequence[str]]) -> float:
    """Mean share of the expected ones that were found."""
    shares = [len({*one} & {*other}) / BEST for one, other in zip(expected, matches, strict=True)]
    return sum(shares) / len(shares)


class Cosines:
    """Of the vectors as the corpus keeps them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._vectors = ENCODER.encode(texts).astype(np.float16).astype(np.float32)

    def best(self, question: str) -> list[int]:
        """The ten greatest."""
        scores = self._vectors @ ENCODER.encode([question])[0]
        return [int(row) for row in np.argsort(-scores, kind="stable")[:BEST]]


class BM25:
    """Lucene's form with k1 1.2, and b .75 of lengths that a filler in each passage makes more alike."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counts = [Counter(terms_of(plain_words(text), "en")) for text in texts]
        self._lengths = [counts.total() for counts in self._counts]
        self._mean = sum(self._lengths) / len(self._lengths)
        self._b = 0.75 * self._mean / (self._mean + FILLER_TERMS)
        self._having = Counter(stem for counts in self._counts for stem in counts)

    def best(self, question: str) -> list[int]:
        """The ten greatest; of equals the first."""
        stems = Counter(terms_of(question, "en"))
        scores = [sum(n * self._score(stem, row) for stem, n in stems.items()) for row in range(len(self._counts))]
        return sorted(range(len(scores)), key=lambda row: -scores[row])[:BEST]

    def _score(self, stem: str, row: int) -> float:
        count, having, total = self._counts[row][stem], self._having[stem], len(self._counts)
        rarity = math.log(1 + (total - having + 0.5) / (having + 0.5))
        return rarity * count / (count + 1.2 * (1 - self._b + self._b * self._lengths[row] / self._mean))
