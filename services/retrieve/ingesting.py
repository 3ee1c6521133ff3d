"""Taking documents in: cut, embed, write; each is acknowledged once it is committed.

Documents of a stream are worked on in small batches, several side by side, while acknowledgements keep the stream's
order; so does writing, so that of two versions of a document the later one stays. What is under way is bounded by
count and by size: a fast sender is slowed down, not buffered.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass, replace

from libs.runtime.errors import InvalidInput, ParleyError
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document, IngestStatus, PreparedDocument
from services.retrieve.corpus.reading import Stored, stored_of, vectors_of
from services.retrieve.embedding.embedder import Embedder
from services.retrieve.pictures.measuring import measure_all
from services.retrieve.preparing import Preparation
from services.retrieve.receipts import IngestProgress, Receipt
from services.retrieve.slices import SlicedEmbedding

MOST_DOCUMENTS = 64
MOST_CHARACTERS = 20_000
"""Of a batch, which takes half a second to embed on two cores, so that on slower ones, too, less than two seconds pass
between two commits; a larger document is a batch of its own."""
BATCHES_UNDER_WAY = 4


@dataclass(frozen=True, slots=True)
class _Batch:
    """Documents that are worked on together."""

    work: "asyncio.Task[list[Receipt]]"
    told: "asyncio.Queue[IngestProgress | None]"
    """How far they are; None at the end."""


Incoming = Document | Receipt
"""A document, or the receipt of one that failed before it came here."""
Outcome = PreparedDocument | Receipt
"""Work that is left to do, or what became of it."""


class Ingester:
    """Takes documents into a corpus."""

    def __init__(self, corpus: Corpus, embedder: Embedder | None, preparation: Preparation) -> None:
        """Without an embedder documents are taken in without vectors, but for those that bring their own."""
        self._corpus = corpus
        self._embedder = embedder
        self._embedding = SlicedEmbedding(corpus, embedder) if embedder is not None else None
        self._preparation = preparation
        self._under_way: Counter[tuple[str, str]] = Counter()

    async def put(self, collection: str, document: Document) -> Receipt:
        """Take in one document.

        Raises:
            ParleyError: it cannot be taken; nothing of it was written.
        """
        nobody_before = asyncio.Event()
        nobody_before.set()
        (receipt,) = await self._put_batch(collection, [document], nobody_before, asyncio.Event(), asyncio.Queue())
        if receipt.error is not None:
            raise receipt.error
        return receipt

    async def put_all(
        self, collection: str, documents: AsyncIterator[Incoming]
    ) -> AsyncGenerator[Receipt | IngestProgress, None]:
        """Take in a stream: one receipt a document, in order, after its commit. A failed one stops nothing."""
        waiting: asyncio.Queue[Incoming | None] = asyncio.Queue(MOST_DOCUMENTS)
        batches: asyncio.Queue[_Batch | None] = asyncio.Queue(BATCHES_UNDER_WAY)
        reading = asyncio.create_task(_read(documents, waiting))
        starting = asyncio.create_task(self._start_batches(collection, waiting, batches))
        try:
            while (batch := await batches.get()) is not None:
                while (progress := await batch.told.get()) is not None:
                    yield progress
                for receipt in await batch.work:
                    yield receipt
            await reading
        finally:
            reading.cancel()
            starting.cancel()

    async def _start_batches(
        self,
        collection: str,
        waiting: asyncio.Queue[Incoming | None],
        batches: asyncio.Queue[_Batch | None],
    ) -> None:
        """Start each batch as soon as there is something for it; each writes after the one before."""
        before = asyncio.Event()
        before.set()
        while documents := await _next_batch(waiting):
            submitted, told = asyncio.Event(), asyncio.Queue[IngestProgress | None]()
            work = self._put_batch(collection, documents, before, submitted, told)
            await batches.put(_Batch(asyncio.create_task(work), told))
            before = submitted
        await batches.put(None)

    async def _put_batch(
        self,
        collection: str,
        documents: Sequence[Incoming],
        before: asyncio.Event,
        submitted: asyncio.Event,
        told: "asyncio.Queue[IngestProgress | None]",
    ) -> list[Receipt]:
        """Do a batch whole; waits for `before` until it writes, and sets `submitted` when it has, or has failed."""
        names = [(collection, document.document_id) for document in documents]
        self._under_way.update(names)
        try:
            outcomes = await asyncio.to_thread(self._prepare, collection, documents)
            outcomes = await self._embed(outcomes, told)
            await before.wait()
            writing = asyncio.wrap_future(self._corpus.put(collection, _left(outcomes)))
            submitted.set()
            return _receipts(outcomes, await writing)
        finally:
            submitted.set()
            told.put_nowait(None)
            self._under_way.subtract(names)
            self._under_way += Counter()  # forgets the zeros

    def _prepare(self, collection: str, documents: Sequence[Incoming]) -> list[Outcome]:
        ids = [document.document_id for document in documents]
        known = self._corpus.read(lambda connection: stored_of(connection, collection, ids))
        return [self._prepare_one(collection, document, known) for document in documents]

    def _prepare_one(self, collection: str, document: Incoming, known: dict[str, Stored]) -> Outcome:
        if isinstance(document, Receipt):
            return document
        stored = known.get(document.document_id)
        alone = self._under_way[(collection, document.document_id)] == 1
        try:
            fingerprint, _ = self._preparation.digests(document)
            if stored is not None and alone and stored.fingerprint == fingerprint:
                return Receipt(document.document_id, _status(IngestStatus.UNCHANGED, stored.passages), stored.passages)
            prepared = self._preparation.prepare(document)
        except ParleyError as error:
            return Receipt(document.document_id, IngestStatus.FAILED, error=error)
        prepared = replace(prepared, measures=measure_all(document.images))
        if stored is None:
            return prepared
        return self._with_vectors(prepared, stored) if stored.content == prepared.content else prepared

    def _with_vectors(self, prepared: PreparedDocument, stored: Stored) -> PreparedDocument:
        """The document with the vectors that are there: who may see it changed, or its date, but none of its words."""
        if self._embedder is None or prepared.vectors is not None:
            return prepared
        kept = self._corpus.read(lambda connection: vectors_of(connection, stored))
        if kept is None or len(kept.windows) != len(prepared.passages):
            return prepared
        return replace(prepared, vectors=kept.vectors, windows=kept.windows, model=self._embedder.profile.name)

    async def _embed(self, outcomes: list[Outcome], told: "asyncio.Queue[IngestProgress | None]") -> list[Outcome]:
        """Give vectors to those that have none yet."""
        if self._embedding is None or self._embedder is None:
            return outcomes
        places = [place for place, outcome in enumerate(outcomes) if _is_bare(outcome)]
        bare = _left([outcomes[place] for place in places])
        texts = await asyncio.to_thread(lambda: [self._preparation.texts(prepared) for prepared in bare])

        def progress(prepared: PreparedDocument, passages: int) -> None:
            place = next(place for place in places if outcomes[place] is prepared)
            told.put_nowait(IngestProgress(prepared.document.document_id, place, passages))

        try:
            vectors = await self._embedding.embed(list(zip(bare, texts, strict=True)), progress)
        except ParleyError as error:
            return [_failed(outcome, error) if place in places else outcome for place, outcome in enumerate(outcomes)]
        embedded = list(outcomes)
        for place, prepared, windows, rows in zip(places, bare, texts, vectors, strict=True):
            model = self._embedder.profile.name
            embedded[place] = replace(prepared, vectors=rows, windows=tuple(map(len, windows)), model=model)
        return embedded


def _is_bare(outcome: Outcome) -> bool:
    """Whether it has passages and no vectors."""
    return isinstance(outcome, PreparedDocument) and bool(outcome.passages) and outcome.vectors is None


async def _read(documents: AsyncIterator[Incoming], waiting: asyncio.Queue[Incoming | None]) -> None:
    """Hand the stream over; however it ends, what came before its end is still taken in."""
    try:
        async for document in documents:
            await waiting.put(document)
    except Exception:
        await waiting.put(None)
        raise
    await waiting.put(None)


async def _next_batch(waiting: asyncio.Queue[Incoming | None]) -> list[Incoming]:
    """What is there, at least one document, up to the limits; nothing at the end of the stream."""
    batch: list[Incoming] = []
    characters = 0
    while not batch or (len(batch) < MOST_DOCUMENTS and characters < MOST_CHARACTERS and not waiting.empty()):
        document = await waiting.get()
        if document is None:
            if batch:
                await waiting.put(None)
            break
        batch.append(document)
        characters += len(document.text) if isinstance(document, Document) else 0
    return batch


def _left(outcomes: Sequence[Outcome]) -> list[PreparedDocument]:
    """What is still to be done."""
    return [outcome for outcome in outcomes if isinstance(outcome, PreparedDocument)]


def _receipts(outcomes: Sequence[Outcome], written: Sequence[IngestStatus | InvalidInput]) -> list[Receipt]:
    """All receipts, given what became of the writes."""
    became = iter(written)
    return [outcome if isinstance(outcome, Receipt) else _receipt(outcome, next(became)) for outcome in outcomes]


def _receipt(prepared: PreparedDocument, became: IngestStatus | InvalidInput) -> Receipt:
    if isinstance(became, InvalidInput):
        return _failed(prepared, became)
    passages = len(prepared.passages)
    return Receipt(prepared.document.document_id, _status(became, passages), passages)


def _status(status: IngestStatus, passages: int) -> IngestStatus:
    return status if passages else IngestStatus.EMPTY


def _failed(outcome: Outcome, error: ParleyError) -> Receipt:
    document_id = outcome.document_id if isinstance(outcome, Receipt) else outcome.document.document_id
    return Receipt(document_id, IngestStatus.FAILED, error=error)
