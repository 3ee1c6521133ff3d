"""Makes the vectors of documents that were acknowledged before they had any, in the order in which they came.

The queue is in the corpus, so a killed process goes on where it was; of a long document it goes on at its last slice.
Queries and documents whose senders wait are embedded before them. Processes that share a corpus take turns. The
database and the model are called in other threads.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from libs.runtime.errors import ParleyError
from libs.runtime.threads import in_thread
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.waiting import MOST_PASSAGES, WaitingDocument, first_waiting, postpone, put_vectors
from services.retrieve.embedding.batches import BACKGROUND
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.indexing.passage_vectors import texts_digest
from services.retrieve.indexing.preparing import Preparation
from services.retrieve.indexing.sliced_embedding import SlicedEmbedding


class LaterVectors:
    """Embeds what waits in a corpus."""

    def __init__(self, corpus: Corpus, embedder: BatchingEmbedder, preparation: Preparation) -> None:
        self._corpus = corpus
        self._embedding = SlicedEmbedding(corpus, embedder, BACKGROUND)
        self._cut = preparation.texts_of_passage

    async def make(self) -> None:
        """Make vectors until nothing waits for those of this model; memory holds the documents of one step.

        A document that cannot be embedded is tried again after all others.

        Raises:
            Unavailable: the database does not answer.
            Exception: what kept the model from embedding one.
        """
        limit, model = MOST_PASSAGES, self._embedding.embedder.profile.name
        while True:
            async with self._alone():
                if not (documents := await in_thread(self._corpus.read, first_waiting, model, limit, self._cut)):
                    return
                try:
                    await self._embed(documents)
                except ParleyError as error:
                    if len(documents) == 1:
                        await asyncio.wrap_future(self._corpus.write(postpone, documents[0]))
                        raise error.__cause__ or error from None
                    limit = 1  # to find out which one it is
                else:
                    limit = min(2 * limit, MOST_PASSAGES)

    async def _embed(self, documents: Sequence[WaitingDocument]) -> None:
        digests = [texts_digest(document.texts) for document in documents]
        texts = [(digest, document.texts) for digest, document in zip(digests, documents, strict=True)]
        vectors = await self._embedding.embed(texts, lambda number, passages: None)
        await asyncio.wrap_future(self._corpus.write(put_vectors, documents, vectors, digests))

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """No other process of the corpus makes vectors in the block; raises Unavailable."""
        lock = self._corpus.database.exclusive("later-vectors")
        await asyncio.to_thread(lock.__enter__)
        try:
            yield
        finally:
            await asyncio.to_thread(lock.__exit__, None, None, None)
