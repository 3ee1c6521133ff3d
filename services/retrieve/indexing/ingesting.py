"""Ingests documents: cut, embed, write. Each is acknowledged once it is committed.

The documents of a stream are processed in small batches, several concurrently. Acknowledgements and writes keep the
stream's order, so the later of two versions of a document wins. The work in progress is limited by count and size: a
fast sender is slowed down, not buffered. The event loop is not blocked: cutting, reading and writing run in threads.
Numbers that name no source are chosen by hand.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass, replace

from libs.runtime.errors import ParleyError
from libs.runtime.threads import in_thread, raise_if_cancelled
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document, DocumentProgress, IngestStatus, PreparedDocument, Receipt
from services.retrieve.corpus.permissions import NOBODY, Caller, document_not_owned
from services.retrieve.corpus.reading import StoredVersion, stored_of
from services.retrieve.corpus.stored_vectors import vectors_of
from services.retrieve.corpus.writing import put_documents
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.indexing.incoming import MAX_DOCUMENTS, Incoming, Waiting, next_batch, read
from services.retrieve.indexing.passage_vectors import with_supplied_vectors
from services.retrieve.indexing.preparing import Preparation
from services.retrieve.indexing.sliced_embedding import SlicedEmbedding
from services.retrieve.pictures.pixels import measure_all

BATCHES_UNDER_WAY = 4  # of one ingest (taste)
Outcome = PreparedDocument | Receipt
"""A document that is still to be written, or the receipt of one that is done."""
Updates = asyncio.Queue[DocumentProgress | None]
"""Progress of a batch; None at the end."""
_Batch = tuple[asyncio.Task[list[Receipt]], Updates]
"""Documents that are processed together."""


@dataclass(frozen=True, slots=True)
class _Target:
    """Where documents go, and who puts them there."""

    collection: str
    caller: Caller
    vectors_later: bool = False
    """Whether documents are acknowledged before they have vectors; see `later_vectors`."""


class Ingester:
    """Ingests documents into a corpus."""

    def __init__(self, corpus: Corpus, embedder: BatchingEmbedder | None, preparation: Preparation) -> None:
        """Without an embedder, documents are stored without vectors unless they bring their own."""
        self._corpus = corpus
        self._embedder = embedder
        self._embedding = SlicedEmbedding(corpus, embedder) if embedder is not None else None
        self._preparation = preparation
        self._under_way: Counter[tuple[str, str]] = Counter()

    async def put(self, collection: str, document: Document, caller: Caller = NOBODY) -> Receipt:
        """Ingest one document. Raises ParleyError: it cannot be ingested; nothing of it was written."""
        target = _Target(collection, caller)
        (receipt,) = await self._put_batch(target, [document], None, asyncio.Event(), Updates())
        if receipt.error is not None:
            raise receipt.error
        return receipt

    async def put_all(
        self,
        collection: str,
        documents: AsyncIterator[Incoming],
        caller: Caller = NOBODY,
        *,
        vectors_later: bool = False,
    ) -> AsyncGenerator[Sequence[Receipt] | DocumentProgress, None]:
        """Ingest a stream: one receipt per document, in order, after its commit. A failure stops nothing else.

        Receipts that come at the same time are told together.

        Raises what reading the stream raises, after the receipts of what came before.
        """
        waiting = Waiting(MAX_DOCUMENTS)
        batches: asyncio.Queue[_Batch | None] = asyncio.Queue(BATCHES_UNDER_WAY)
        reading = asyncio.create_task(read(documents, waiting))
        under_way: set[asyncio.Task[list[Receipt]]] = set()
        target = _Target(collection, caller, vectors_later)
        starting = asyncio.create_task(self._start_batches(target, waiting, batches, under_way))
        try:
            while (batch := await batches.get()) is not None:
                work, updates = batch
                while (progress := await updates.get()) is not None:
                    yield progress
                yield await work
            await reading
        finally:
            for task in (reading, starting, *under_way):  # nobody waits for them any more
                task.cancel()

    async def _start_batches(
        self,
        target: _Target,
        waiting: Waiting,
        batches: asyncio.Queue[_Batch | None],
        under_way: set[asyncio.Task[list[Receipt]]],
    ) -> None:
        """Start each batch as soon as it has documents; each writes after the previous one."""
        before = None
        while documents := await next_batch(waiting, embeds=not target.vectors_later):
            all_submitted, updates = asyncio.Event(), Updates()
            work = asyncio.create_task(self._put_batch(target, documents, before, all_submitted, updates))
            under_way.add(work)
            work.add_done_callback(under_way.discard)
            await batches.put((work, updates))
            before = all_submitted
        await batches.put(None)

    async def _put_batch(
        self,
        target: _Target,
        documents: Sequence[Incoming],
        before: asyncio.Event | None,
        all_submitted: asyncio.Event,
        updates: Updates,
    ) -> list[Receipt]:
        """Process a batch: wait for `before`, then write; `submitted` is set once the write is queued or failed."""
        names = [(target.collection, document.document_id) for document in documents]
        self._under_way.update(names)
        try:
            outcomes = await in_thread(self._prepare, target, documents)
            outcomes = await self._embed(outcomes, updates, target)
            if before is not None:
                await before.wait()
            pending = [each for each in outcomes if isinstance(each, PreparedDocument)]
            writing = asyncio.wrap_future(self._corpus.write(put_documents, target.collection, pending, target.caller))
            all_submitted.set()
            results = iter(await writing)
            return [each if isinstance(each, Receipt) else _receipt(each, next(results)) for each in outcomes]
        finally:
            all_submitted.set()
            updates.put_nowait(None)
            self._under_way.subtract(names)
            self._under_way += Counter()  # drops zero counts

    def _prepare(self, target: _Target, documents: Sequence[Incoming]) -> list[Outcome]:
        ids = [document.document_id for document in documents]
        stored_documents = self._corpus.read(stored_of, target.collection, ids, target.caller)
        return [self._prepare_one(target, document, stored_documents) for document in documents]

    def _prepare_one(self, target: _Target, document: Incoming, stored_documents: dict[str, StoredVersion]) -> Outcome:
        raise_if_cancelled()
        if isinstance(document, Receipt):
            return document
        earlier = stored_documents.get(document.document_id)
        if earlier is not None and not earlier.may_change:
            return _failed(document, document_not_owned())
        is_alone = self._under_way[(target.collection, document.document_id)] == 1
        is_enough = earlier is not None and is_alone and (target.vectors_later or not earlier.is_waiting)
        try:
            if earlier and is_enough and earlier.fingerprint == self._preparation.digests(document)[0]:
                return _done(document.document_id, IngestStatus.UNCHANGED, earlier.passages)
            prepared_document = with_supplied_vectors(self._preparation.prepare(document), self._preparation)
        except ParleyError as error:
            return _failed(document, error)
        return self._with_vectors(replace(prepared_document, measures=measure_all(document.images)), earlier)

    def _with_vectors(self, prepared_document: PreparedDocument, earlier: StoredVersion | None) -> PreparedDocument:
        """The document with its stored vectors, if only metadata such as its permissions or date changed."""
        is_same_content = earlier is not None and earlier.content == prepared_document.content
        if earlier is None or not is_same_content or self._embedder is None or prepared_document.vectors is not None:
            return prepared_document
        vectors, windows = self._corpus.read(vectors_of, earlier) or (None, ())
        if vectors is None or len(windows) != len(prepared_document.passages):
            return prepared_document
        return replace(prepared_document, vectors=vectors, windows=windows, model=self._embedder.profile.name)

    async def _embed(self, outcomes: list[Outcome], updates: Updates, target: _Target) -> list[Outcome]:
        """Embed the documents that have no vectors yet, or say of which model they get them later."""
        if self._embedding is None or self._embedder is None:
            return outcomes
        bare = {
            place: outcome
            for place, outcome in enumerate(outcomes)
            if isinstance(outcome, PreparedDocument) and outcome.passages and outcome.vectors is None
        }
        results, profile = list(outcomes), self._embedder.profile
        if target.vectors_later:
            for place, document in bare.items():
                results[place] = replace(document, model=profile.name, width=profile.width)
            return results
        texts = await in_thread(lambda: [self._preparation.texts(document) for document in bare.values()])

        def progress(number: int, passages: int) -> None:
            place = list(bare)[number]
            updates.put_nowait(DocumentProgress(bare[place].document.document_id, place, passages))

        contents = [document.content for document in bare.values()]
        try:
            vectors = await self._embedding.embed(list(zip(contents, texts, strict=True)), progress)
        except ParleyError as error:
            return [
                _failed(bare[place].document, error) if place in bare else outcome
                for place, outcome in enumerate(outcomes)
            ]
        for (place, document), windows, rows in zip(bare.items(), texts, vectors, strict=True):
            results[place] = replace(document, vectors=rows, windows=tuple(map(len, windows)), model=profile.name)
        return results


def _receipt(prepared_document: PreparedDocument, write_result: IngestStatus | ParleyError) -> Receipt:
    document = prepared_document.document
    if isinstance(write_result, ParleyError):
        return _failed(document, write_result)
    receipt = _done(document.document_id, write_result, len(prepared_document.passages))
    return replace(receipt, vectors_ignored=prepared_document.vectors_ignored)


def _done(document_id: str, status: IngestStatus, passages: int) -> Receipt:
    return Receipt(document_id, status if passages else IngestStatus.EMPTY, passages)


def _failed(document: Document, error: ParleyError) -> Receipt:
    return Receipt(document.document_id, IngestStatus.FAILED, error=error)
