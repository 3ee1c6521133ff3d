"""Ingests documents: cut, embed, write. Each is acknowledged once it is committed.

The documents of a stream are processed in small batches, several concurrently. Acknowledgements and writes keep the
stream's order, so the later of two versions of a document wins. The work in progress is limited by count and size: a
fast sender is slowed down, not buffered.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass, replace

from libs.runtime.cancellation import raise_if_cancelled
from libs.runtime.errors import ParleyError
from libs.runtime.threads import in_thread
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document, IngestStatus, PreparedDocument
from services.retrieve.corpus.permissions import NOBODY, Caller, document_not_owned
from services.retrieve.corpus.reading import StoredVersion, stored_of, vectors_of
from services.retrieve.embedding.embedder import SharedEmbedder
from services.retrieve.indexing.passage_vectors import with_supplied_vectors
from services.retrieve.indexing.preparing import Preparation
from services.retrieve.indexing.receipts import DocumentProgress, Receipt
from services.retrieve.indexing.sliced_embedding import SlicedEmbedding
from services.retrieve.pictures.pixels import measure_all

MAX_DOCUMENTS = 64
MAX_CHARACTERS = 20_000
"""Characters of a batch.

Embedding them takes half a second on two cores, so that even on slower ones less than two seconds pass between commits.
A larger document is a batch of its own.
"""
BATCHES_UNDER_WAY = 4


@dataclass(frozen=True, slots=True)
class _Target:
    """Where documents go, and who puts them there."""

    collection: str
    caller: Caller


@dataclass(frozen=True, slots=True)
class _Batch:
    """Documents that are processed together."""

    work: "asyncio.Task[list[Receipt]]"
    updates: "asyncio.Queue[DocumentProgress | None]"
    """Progress of the batch; None at the end."""


Incoming = Document | Receipt
"""A document, or the receipt of one that failed earlier."""
Outcome = PreparedDocument | Receipt
"""A document that is still to be written, or the receipt of one that is done."""


class Ingester:
    """Ingests documents into a corpus."""

    def __init__(self, corpus: Corpus, embedder: SharedEmbedder | None, preparation: Preparation) -> None:
        """Without an embedder, documents are stored without vectors unless they bring their own."""
        self._corpus = corpus
        self._embedder = embedder
        self._embedding = SlicedEmbedding(corpus, embedder) if embedder is not None else None
        self._preparation = preparation
        self._under_way: Counter[tuple[str, str]] = Counter()

    async def put(self, collection: str, document: Document, caller: Caller = NOBODY) -> Receipt:
        """Ingest one document.

        Raises:
            ParleyError: it cannot be ingested; nothing of it was written.
        """
        nobody_before = asyncio.Event()
        nobody_before.set()
        target = _Target(collection, caller)
        (receipt,) = await self._put_batch(target, [document], nobody_before, asyncio.Event(), asyncio.Queue())
        if receipt.error is not None:
            raise receipt.error
        return receipt

    async def put_all(
        self, collection: str, documents: AsyncIterator[Incoming], caller: Caller = NOBODY
    ) -> AsyncGenerator[Receipt | DocumentProgress, None]:
        """Ingest a stream: one receipt per document, in order, after its commit. A failure stops nothing else."""
        waiting: asyncio.Queue[Incoming | None] = asyncio.Queue(MAX_DOCUMENTS)
        batches: asyncio.Queue[_Batch | None] = asyncio.Queue(BATCHES_UNDER_WAY)
        reading = asyncio.create_task(_read(documents, waiting))
        starting = asyncio.create_task(self._start_batches(_Target(collection, caller), waiting, batches))
        try:
            while (batch := await batches.get()) is not None:
                while (progress := await batch.updates.get()) is not None:
                    yield progress
                for receipt in await batch.work:
                    yield receipt
            await reading
        finally:
            reading.cancel()
            starting.cancel()

    async def _start_batches(
        self,
        target: _Target,
        waiting: asyncio.Queue[Incoming | None],
        batches: asyncio.Queue[_Batch | None],
    ) -> None:
        """Start each batch as soon as it has documents; each writes after the previous one."""
        before = asyncio.Event()
        before.set()
        while documents := await _next_batch(waiting):
            all_submitted, updates = asyncio.Event(), asyncio.Queue[DocumentProgress | None]()
            work = self._put_batch(target, documents, before, all_submitted, updates)
            await batches.put(_Batch(asyncio.create_task(work), updates))
            before = all_submitted
        await batches.put(None)

    async def _put_batch(
        self,
        target: _Target,
        documents: Sequence[Incoming],
        before: asyncio.Event,
        all_submitted: asyncio.Event,
        updates: "asyncio.Queue[DocumentProgress | None]",
    ) -> list[Receipt]:
        """Process a batch: wait for `before`, then write; `submitted` is set once the write is queued or failed."""
        names = [(target.collection, document.document_id) for document in documents]
        self._under_way.update(names)
        try:
            outcomes = await in_thread(self._prepare, target, documents)
            outcomes = await self._embed(outcomes, updates)
            await before.wait()
            writing = asyncio.wrap_future(self._corpus.put(target.collection, _pending(outcomes), target.caller))
            all_submitted.set()
            return _receipts(outcomes, await writing)
        finally:
            all_submitted.set()
            updates.put_nowait(None)
            self._under_way.subtract(names)
            self._under_way += Counter()  # drops zero counts

    def _prepare(self, target: _Target, documents: Sequence[Incoming]) -> list[Outcome]:
        collection, ids = target.collection, [document.document_id for document in documents]
        stored_documents = self._corpus.read(lambda connection: stored_of(connection, collection, ids, target.caller))
        return [self._prepare_one(collection, document, stored_documents) for document in documents]

    def _prepare_one(self, collection: str, document: Incoming, stored_documents: dict[str, StoredVersion]) -> Outcome:
        raise_if_cancelled()
        if isinstance(document, Receipt):
            return document
        earlier = stored_documents.get(document.document_id)
        if earlier is not None and not earlier.may_change:
            return Receipt(document.document_id, IngestStatus.FAILED, error=document_not_owned())
        is_alone = self._under_way[(collection, document.document_id)] == 1
        try:
            fingerprint, _ = self._preparation.digests(document)
            if earlier is not None and is_alone and earlier.fingerprint == fingerprint:
                return Receipt(
                    document.document_id, _status(IngestStatus.UNCHANGED, earlier.passages), earlier.passages
                )
            prepared_document = with_supplied_vectors(self._preparation.prepare(document), self._preparation)
        except ParleyError as error:
            return Receipt(document.document_id, IngestStatus.FAILED, error=error)
        prepared_document = replace(prepared_document, measures=measure_all(document.images))
        if earlier is None or earlier.content != prepared_document.content:
            return prepared_document
        return self._with_vectors(prepared_document, earlier)

    def _with_vectors(self, prepared_document: PreparedDocument, earlier: StoredVersion) -> PreparedDocument:
        """The document with its stored vectors, if only metadata such as its permissions or date changed."""
        if self._embedder is None or prepared_document.vectors is not None:
            return prepared_document
        stored_vectors = self._corpus.read(lambda connection: vectors_of(connection, earlier))
        if stored_vectors is None or len(stored_vectors.windows) != len(prepared_document.passages):
            return prepared_document
        return replace(
            prepared_document,
            vectors=stored_vectors.vectors,
            windows=stored_vectors.windows,
            model=self._embedder.profile.name,
        )

    async def _embed(self, outcomes: list[Outcome], updates: "asyncio.Queue[DocumentProgress | None]") -> list[Outcome]:
        """Embed the documents that have no vectors yet."""
        if self._embedding is None or self._embedder is None:
            return outcomes
        places = [place for place, outcome in enumerate(outcomes) if _is_bare(outcome)]
        bare = _pending([outcomes[place] for place in places])
        texts = await in_thread(lambda: [self._preparation.texts(prepared_document) for prepared_document in bare])

        def progress(prepared_document: PreparedDocument, passages: int) -> None:
            place = next(place for place in places if outcomes[place] is prepared_document)
            updates.put_nowait(DocumentProgress(prepared_document.document.document_id, place, passages))

        try:
            vectors = await self._embedding.embed(list(zip(bare, texts, strict=True)), progress)
        except ParleyError as error:
            return [
                _failure_receipt(outcome, error) if place in places else outcome
                for place, outcome in enumerate(outcomes)
            ]
        results = list(outcomes)
        for place, prepared_document, windows, rows in zip(places, bare, texts, vectors, strict=True):
            model = self._embedder.profile.name
            results[place] = replace(prepared_document, vectors=rows, windows=tuple(map(len, windows)), model=model)
        return results


def _is_bare(outcome: Outcome) -> bool:
    """Whether it has passages but no vectors."""
    return isinstance(outcome, PreparedDocument) and bool(outcome.passages) and outcome.vectors is None


async def _read(documents: AsyncIterator[Incoming], waiting: asyncio.Queue[Incoming | None]) -> None:
    """Forward the stream to the queue; documents before an error are still ingested."""
    try:
        async for document in documents:
            await waiting.put(document)
    except Exception:
        await waiting.put(None)
        raise
    await waiting.put(None)


async def _next_batch(waiting: asyncio.Queue[Incoming | None]) -> list[Incoming]:
    """The available documents, at least one, up to the limits; empty at the end of the stream."""
    batch: list[Incoming] = []
    characters = 0
    while not batch or (len(batch) < MAX_DOCUMENTS and characters < MAX_CHARACTERS and not waiting.empty()):
        document = await waiting.get()
        if document is None:
            if batch:
                await waiting.put(None)
            break
        batch.append(document)
        characters += len(document.text) if isinstance(document, Document) else 0
    return batch


def _pending(outcomes: Sequence[Outcome]) -> list[PreparedDocument]:
    """The documents that are still to be processed."""
    return [outcome for outcome in outcomes if isinstance(outcome, PreparedDocument)]


def _receipts(outcomes: Sequence[Outcome], write_results: Sequence[IngestStatus | ParleyError]) -> list[Receipt]:
    """All receipts, given the outcomes of the writes."""
    results = iter(write_results)
    return [outcome if isinstance(outcome, Receipt) else _receipt(outcome, next(results)) for outcome in outcomes]


def _receipt(prepared_document: PreparedDocument, write_result: IngestStatus | ParleyError) -> Receipt:
    if isinstance(write_result, ParleyError):
        return _failure_receipt(prepared_document, write_result)
    passages = len(prepared_document.passages)
    return Receipt(
        prepared_document.document.document_id,
        _status(write_result, passages),
        passages,
        vectors_ignored=prepared_document.vectors_ignored,
    )


def _status(status: IngestStatus, passages: int) -> IngestStatus:
    return status if passages else IngestStatus.EMPTY


def _failure_receipt(outcome: Outcome, error: ParleyError) -> Receipt:
    document_id = outcome.document_id if isinstance(outcome, Receipt) else outcome.document.document_id
    return Receipt(document_id, IngestStatus.FAILED, error=error)
