"""Documents that are acknowledged without their vectors: found by words at once, by meaning once those are made."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from libs.contracts.options import RetrieveOptions
from libs.contracts.query import WeightedQuery
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.deleting import delete_collection, delete_document
from services.retrieve.corpus.documents import Document, DocumentProgress, IngestStatus
from services.retrieve.corpus.filtering import Access
from services.retrieve.corpus.permissions import Caller
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.engines.collection import Engines
from services.retrieve.indexing import index_sync
from services.retrieve.indexing.ingesting import Ingester
from services.retrieve.indexing.later_vectors import LaterVectors
from services.retrieve.indexing.preparing import Preparation
from services.retrieve.indexing.sliced_embedding import SLICE
from services.retrieve.search.recall import search
from services.retrieve.search.retriever import Retriever
from tests.fakes.word_encoder import WordEncoder

LUNA = Document("luna", "Luna 9 landed softly.", title="The craft")
MARS = Document("mars", "Mars 3 fell silent after twenty seconds.")
VENUS = Document("venus", "Venera 7 measured the heat of the surface.")
STRUCTURED = Document(
    "manual",
    "# Manual\n\nBy Ann Lee, 3 May 2031.\n\n"
    + "".join(
        f"## Part {n}\n\n{'The probe measured it again and again. ' * 20}\n\n1. Open valve {n}.\n2. Close it.\n\n"
        f"| Part | Mass |\n|---|---|\n| tank {n} | {n} kg |\n\n```\nopen({n})\n```\n\n"
        for n in range(8)
    ),
    title="Manual of the probe",
)
WHOLE = Document("entire", "One *passage* of its own.", title="Entire", whole=True)


class SlowEncoder(WordEncoder):
    """Encodes passages only when it is let go, and never those with the word `bad`."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.go.wait(30)
        if any("bad" in text.split() for text in texts):
            raise RuntimeError("cannot")
        return super().encode(texts)


@pytest.fixture
def encoder() -> SlowEncoder:
    return SlowEncoder()


@pytest.fixture
def slow(encoder: SlowEncoder) -> Iterator[BatchingEmbedder]:
    embedder = BatchingEmbedder(encoder, cache_size=0)
    yield embedder
    encoder.go.set()
    embedder.close()


@pytest.fixture
def preparation(encoder: SlowEncoder) -> Preparation:
    return Preparation(profile=encoder.profile, language="en")


@pytest.fixture
def ingester(corpus: Corpus, slow: BatchingEmbedder, preparation: Preparation) -> Ingester:
    return Ingester(corpus, slow, preparation)


@pytest.fixture
def later(corpus: Corpus, slow: BatchingEmbedder, preparation: Preparation) -> LaterVectors:
    return LaterVectors(corpus, slow, preparation)


async def put(
    ingester: Ingester,
    *documents: Document,
    collection: str = "default",
    later: bool = True,
    caller: Caller | None = None,
) -> list[IngestStatus]:
    async def stream() -> AsyncIterator[Document]:
        for document in documents:
            yield document

    outcomes = ingester.put_all(collection, stream(), caller or Caller(), vectors_later=later)
    return [
        receipt.status async for outcome in outcomes if not isinstance(outcome, DocumentProgress) for receipt in outcome
    ]


@asynccontextmanager
async def making(engines: Engines, later: LaterVectors) -> AsyncIterator[None]:
    """The vectors are being made in the block."""
    async with index_sync.in_sync(engines, later, seconds=0.01):
        await asyncio.sleep(0.1)
        yield


async def made(corpus: Corpus, collection: str = "default") -> None:
    """Wait until no passage of a collection is without vectors."""
    for _ in range(1000):
        if not missing(corpus, collection):
            return
        await asyncio.sleep(0.01)
    pytest.fail("passages are still without vectors")


def missing(corpus: Corpus, collection: str = "default", caller: Caller | None = None) -> int:
    return corpus.collection_for(collection, caller or Caller()).passages_without_vectors


def vectors(corpus: Corpus) -> dict[str, list[bytes | None]]:
    """The vectors of each document's passages."""
    statement = "SELECT d.document_id, p.vector FROM passages p JOIN documents d ON d.id = p.document ORDER BY p.id"
    stored: dict[str, list[bytes | None]] = {}
    for document_id, vector in corpus.read(lambda connection: connection.execute(statement).fetchall()):
        stored.setdefault(document_id, []).append(vector)
    return stored


def by_meaning(corpus: Corpus, engines: Engines, text: str, collection: str = "default") -> list[str]:
    """The documents that the vector engine finds, the best first, one for each passage."""
    engine = engines.of(collection).vector()
    assert engine is not None
    keys = engine.search(WordEncoder().encode([text])[0], 100, Access()).keys.tolist()
    names: dict[int, str] = corpus.read(
        lambda connection: dict(
            connection.execute(
                "SELECT p.id, d.document_id FROM passages p JOIN documents d ON d.id = p.document"
            ).fetchall()
        )
    )
    return [names[key] for key in keys]


def by_words(engines: Engines, stem: str, collection: str = "default") -> int:
    return len(engines.of(collection).lexical().search({stem: 1.0}, 100, Access()).keys)


async def test_a_document_is_found_by_words_at_once_and_by_meaning_later(
    corpus: Corpus, engines: Engines, ingester: Ingester, later: LaterVectors, encoder: SlowEncoder
) -> None:
    async with making(engines, later):
        assert await put(ingester, LUNA, MARS) == [IngestStatus.ADDED] * 2
        assert by_words(engines, "soft") == 1
        assert by_meaning(corpus, engines, "landed softly") == []
        assert missing(corpus) == 2
        encoder.go.set()
        await made(corpus)
        assert by_meaning(corpus, engines, "The craft Luna 9 landed softly")[0] == "luna"
        assert by_words(engines, "soft") == 1


async def test_the_vectors_are_those_that_a_document_gets_whose_sender_waits(
    corpus: Corpus, ingester: Ingester, later: LaterVectors, encoder: SlowEncoder
) -> None:
    encoder.go.set()
    documents = (LUNA, STRUCTURED, WHOLE)
    await put(ingester, *documents)
    assert all(vector is None for each in vectors(corpus).values() for vector in each)
    await later.make()
    followed = vectors(corpus)
    for document in documents:
        await corpus_without(corpus, document.document_id)
    await put(ingester, *documents, later=False)
    assert vectors(corpus) == followed
    assert len(followed["manual"]) > 8


async def corpus_without(corpus: Corpus, document_id: str) -> None:
    assert await asyncio.wrap_future(corpus.write(delete_document, "default", document_id))


async def test_documents_get_their_vectors_in_order_whatever_their_collection(
    corpus: Corpus, ingester: Ingester, later: LaterVectors, encoder: SlowEncoder
) -> None:
    await put(ingester, LUNA, collection="one")
    await put(ingester, MARS, collection="two")
    await put(ingester, VENUS, collection="one")
    assert (missing(corpus, "one"), missing(corpus, "two")) == (2, 1)
    encoder.go.set()
    await later.make()
    assert [text.split()[-1] for text in encoder.encoded] == ["softly.", "seconds.", "surface."]
    assert (missing(corpus, "one"), missing(corpus, "two")) == (0, 0)


async def test_a_document_that_is_deleted_or_replaced_meanwhile_keeps_nothing_of_what_it_was(
    corpus: Corpus, engines: Engines, ingester: Ingester, later: LaterVectors, encoder: SlowEncoder
) -> None:
    await put(ingester, LUNA, MARS, VENUS)
    async with making(engines, later):  # the three are being embedded
        await corpus_without(corpus, "luna")
        assert await put(ingester, replace(MARS, text="Mars 3 sent a picture.")) == [IngestStatus.REPLACED]
        encoder.go.set()
        await made(corpus)
        assert sorted(by_meaning(corpus, engines, "picture")) == ["mars", "venus"]
        assert by_meaning(corpus, engines, "Mars 3 sent a picture.")[0] == "mars"
    assert set(vectors(corpus)) == {"mars", "venus"}
    assert all(vector is not None for each in vectors(corpus).values() for vector in each)


async def test_a_collection_that_is_deleted_meanwhile_leaves_nothing_to_do(
    corpus: Corpus, engines: Engines, ingester: Ingester, later: LaterVectors, encoder: SlowEncoder
) -> None:
    await put(ingester, LUNA, collection="one")
    async with making(engines, later):
        assert await asyncio.wrap_future(corpus.write(delete_collection, "one"))
        encoder.go.set()
        await put(ingester, MARS)
        await made(corpus)
    assert vectors(corpus).keys() == {"mars"}


async def test_later_documents_with_vectors_do_not_hide_earlier_ones_that_get_theirs(
    corpus: Corpus, engines: Engines, ingester: Ingester, later: LaterVectors, encoder: SlowEncoder
) -> None:
    await put(ingester, LUNA, STRUCTURED)
    encoder.go.set()
    await put(ingester, MARS, later=False)
    assert set(by_meaning(corpus, engines, "silent")) == {"mars"}
    await later.make()
    engines.catch_up()
    passages = sum(map(len, vectors(corpus).values()))
    assert len(by_meaning(corpus, engines, "Luna 9")) == passages
    keys = corpus.read(lambda c: np.array([key for (key,) in c.execute("SELECT id FROM passages ORDER BY id")]))
    opened = engines.of("default").vectors(keys)
    assert opened is not None
    assert np.linalg.norm(opened, axis=1) == pytest.approx(np.ones(passages), abs=0.01)


async def test_who_waits_for_vectors_gets_those_of_a_document_that_has_none_yet(
    corpus: Corpus, ingester: Ingester, encoder: SlowEncoder
) -> None:
    await put(ingester, LUNA)
    assert await put(ingester, LUNA) == [IngestStatus.UNCHANGED]
    encoder.go.set()
    assert await put(ingester, LUNA, later=False) == [IngestStatus.REPLACED]
    assert missing(corpus) == 0
    assert None not in vectors(corpus)["luna"]


async def test_vectors_stay_where_only_permissions_change(
    corpus: Corpus, ingester: Ingester, encoder: SlowEncoder
) -> None:
    encoder.go.set()
    await put(ingester, LUNA, later=False)
    before = vectors(corpus)
    assert await put(ingester, replace(LUNA, principals=("ann",))) == [IngestStatus.REPLACED]
    assert vectors(corpus) == before
    assert missing(corpus, caller=Caller(("ann",))) == 0


async def test_a_document_that_the_model_cannot_embed_holds_up_no_other(
    corpus: Corpus, ingester: Ingester, later: LaterVectors, encoder: SlowEncoder
) -> None:
    encoder.go.set()
    await put(ingester, LUNA, Document("worst", "A bad text."), MARS, VENUS)
    for _ in range(2):  # each ends with the document that fails
        with pytest.raises(RuntimeError, match="cannot"):
            await later.make()
    assert [document_id for document_id, each in vectors(corpus).items() if None in each] == ["worst"]
    await put(ingester, Document("next", "It came afterwards."))
    for _ in range(2):
        with pytest.raises(RuntimeError, match="cannot"):
            await later.make()
    assert [document_id for document_id, each in vectors(corpus).items() if None in each] == ["worst"]


async def test_a_long_document_goes_on_at_its_last_slice(
    corpus: Corpus, ingester: Ingester, later: LaterVectors, encoder: SlowEncoder
) -> None:
    parts = [f"# Part {n}\n\nThe probe number {n} landed on the moon." for n in range(3 * SLICE)]
    encoder.go.set()
    await put(ingester, Document("long", "\n\n".join([*parts, "# Last\n\nA bad end."])))
    with pytest.raises(RuntimeError, match="cannot"):
        await later.make()
    first = len(encoder.encoded)
    with pytest.raises(RuntimeError, match="cannot"):
        await later.make()
    assert first >= 3 * SLICE
    assert len(encoder.encoded) - first < SLICE


async def test_vectors_that_come_along_are_kept_at_once(corpus: Corpus, ingester: Ingester) -> None:
    await put(ingester, replace(WHOLE, vector=(1.0,) * 64, vector_model="words"))
    assert missing(corpus) == 0


async def test_another_model_than_the_collection_s_is_refused_at_once(corpus: Corpus, ingester: Ingester) -> None:
    await put(ingester, LUNA)
    other = BatchingEmbedder(WordEncoder("other"))
    misfit = Ingester(corpus, other, Preparation(profile=other.profile, language="en"))
    assert await put(misfit, MARS) == [IngestStatus.FAILED]
    other.close()


async def test_a_search_says_that_most_passages_have_no_vectors_yet(
    corpus: Corpus,
    engines: Engines,
    ingester: Ingester,
    later: LaterVectors,
    encoder: SlowEncoder,
    retriever: Retriever,
) -> None:
    async def found() -> tuple[list[str], list[str]]:
        result, degraded = await search(retriever, WeightedQuery("landed softly"), RetrieveOptions())
        return [each.passage.document_id for each in result.evidence], [each.reason for each in degraded]

    await put(ingester, LUNA, MARS)
    assert await found() == (["luna"], ["VECTORS_PENDING"])
    encoder.go.set()
    await put(ingester, VENUS, replace(VENUS, document_id="copy", title="Again"), later=False)
    documents, degraded = await found()
    assert (documents[0], degraded) == ("luna", [])
    await later.make()
    documents, degraded = await found()
    assert (documents[0], degraded) == ("luna", [])
