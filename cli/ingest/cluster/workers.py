"""What runs on the cluster: workers that read files, cut their documents and embed them. They do not know Ray."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace

from cli.ingest.sources import IngestOptions, Item, ReadItem, items
from ingest.content import Content
from ingest.isolation import IsolatedReader
from ingest.wire import MAX_BYTES
from libs.contracts.wire.codec import fill_field, from_message
from libs.contracts.wire.malformed import MalformedMessage
from libs.runtime.settings import SettingsError
from services.retrieve.corpus.documents import Document
from services.retrieve.indexing.passage_vectors import VectorSupplier, open_supplier
from services.retrieve.settings import RetrieveSettings

StoredDocuments = Mapping[str, tuple[bytes, int]]
"""Fingerprint and number of passages of each document that the collection holds, by id."""


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """How documents are read, cut and embedded; travels to the workers."""

    settings: RetrieveSettings
    """Those of the user's machine."""
    embedder: str
    """The suite's embedding model; empty: it has none, so nothing is embedded."""
    reading: IngestOptions


class BulkWorker:
    """Reads files as the command line does, in an isolated process, and adds the vectors of passages to documents.

    It has no coroutines of its own: Ray would run each call of it in an event loop.
    """

    def __init__(self, options: WorkerOptions, stored_documents: StoredDocuments) -> None:
        self._options = options.reading
        self._stored_documents = stored_documents
        self._reader = IsolatedReader()
        self._stack = AsyncExitStack()
        self._supplier = asyncio.run(_open(options, self._stack))

    def fault(self) -> str:
        """Why it cannot do its work; empty if it can."""
        return self._supplier if isinstance(self._supplier, str) else ""

    def read(self, content: Content) -> list[ReadItem]:
        """What a file gives, as `prepare` returns it."""
        return self.prepare(list(items(content.where, self._reader.read(content), self._options)))

    def prepare(self, read_items: Sequence[ReadItem]) -> list[ReadItem]:
        """The same items; documents have vectors, or the number of their passages if the same are stored already."""
        assert isinstance(self._supplier, VectorSupplier)
        return asyncio.run(_prepared(read_items, self._supplier, self._stored_documents))

    def close(self) -> None:
        """Close the model and end the isolated process; Ray simply ends this one instead."""
        asyncio.run(self._stack.aclose())
        self._reader.close()


async def _open(options: WorkerOptions, stack: AsyncExitStack) -> VectorSupplier | str:
    """Open the model, or return why it cannot be used."""
    settings = options.settings if options.embedder else options.settings.model_copy(update={"embedder": "none"})
    try:
        supplier = await open_supplier(settings, stack)
    except SettingsError as error:
        return f"A worker cannot embed: {error}"
    if supplier.model == options.embedder:
        return supplier
    return (
        f"The workers embed with {supplier.model or 'no model'}, the suite with {options.embedder}: run the command "
        f"with the suite's settings, such as {RetrieveSettings.variable('embedder')}."
    )


async def _prepared(
    read_items: Sequence[ReadItem], supplier: VectorSupplier, stored: StoredDocuments
) -> list[ReadItem]:
    return await asyncio.gather(*(_prepared_item(item, supplier, stored) for item in read_items))


async def _prepared_item(item: ReadItem, supplier: VectorSupplier, stored: StoredDocuments) -> ReadItem:
    if not isinstance(item, Item):
        return item
    try:
        document = from_message(item.document, Document)
    except MalformedMessage:  # the suite refuses it, with the reason
        return item
    fingerprint, passages = stored.get(document.document_id, (b"", 0))
    if fingerprint and fingerprint == supplier.fingerprint(document):
        return replace(item, stored_passages=passages)
    vectors = await supplier.vectors_of(document)
    if vectors is not None:
        fill_field(item.document, "passage_vectors", vectors)
        if item.document.ByteSize() > MAX_BYTES:  # too large to be sent with them
            item.document.ClearField("passage_vectors")
    return item
