"""Documents of a stream, as they wait for a batch. Numbers that name no source are chosen by hand."""

import asyncio
from collections.abc import AsyncIterator

from services.retrieve.corpus.documents import Document, Receipt

MAX_DOCUMENTS = 64  # of a batch (taste)
MAX_CHARACTERS = 20_000
"""Characters of a batch.

Embedding them takes half a second on two cores, so that even on slower ones less than two seconds pass between commits.
A larger document is a batch of its own. One that is not embedded at once counts as a tenth (taste).
"""
MAX_BYTES = 32 * 1024 * 1024  # of what waits for a batch: a few of the largest documents (taste)
Incoming = Document | Receipt
"""A document, or the receipt of one that failed earlier."""


class Waiting(asyncio.Queue[Incoming | None]):
    """Documents of a stream that have no batch yet, up to MAX_DOCUMENTS and about MAX_BYTES; None at the end."""

    def _init(self, maxsize: int) -> None:
        super()._init(maxsize)
        self._bytes = 0

    def full(self) -> bool:
        """Whether the next one has to wait."""
        return super().full() or self._bytes >= MAX_BYTES

    def _put(self, item: Incoming | None) -> None:
        self._bytes += _size(item)
        super()._put(item)

    def _get(self) -> Incoming | None:
        item = super()._get()
        self._bytes -= _size(item)
        return item


def _size(item: Incoming | None) -> int:
    if not isinstance(item, Document):
        return 0
    return len(item.text) + len(item.original) + sum(len(image.data) for image in item.images)


async def read(documents: AsyncIterator[Incoming], waiting: Waiting) -> None:
    """Forward the stream to the queue; documents before an error are still ingested."""
    try:
        async for document in documents:
            await waiting.put(document)
    except Exception:
        await waiting.put(None)
        raise
    await waiting.put(None)


async def next_batch(waiting: Waiting, *, embeds: bool = True) -> list[Incoming]:
    """The available documents, at least one, up to the limits; empty at the end of the stream.

    `embeds` tells whether documents without vectors are embedded at once.
    """
    batch: list[Incoming] = []
    characters = 0
    while not batch or (len(batch) < MAX_DOCUMENTS and characters < MAX_CHARACTERS and not waiting.empty()):
        document = await waiting.get()
        if document is None:
            if batch:
                await waiting.put(None)
            break
        batch.append(document)
        if isinstance(document, Document):
            share = 10 if document.vector or document.passage_vectors is not None or not embeds else 1
            characters += len(document.text) // share + len(document.original) // 1024  # large files (taste)
    return batch
