"""What runs on the cluster: one kind of worker reads files, another cuts and embeds their documents.

Ray Data makes one object of each class per worker process and calls it with batches of rows. A repeated call gives the
same rows. Neither class knows Ray.
"""

import asyncio
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any

import structlog

from cli.ingest.cluster.rows import Batch, FileEnd, Row, RowContent, WorkerFault, packed_rows, unpacked_rows
from cli.ingest.sources import IngestOptions, Item, items
from ingest.isolation import IsolatedReader
from ingest.wire import MAX_BYTES
from libs.contracts.wire.codec import fill_field, from_message
from libs.contracts.wire.malformed import MalformedMessage
from libs.runtime.settings import SettingsError
from services.retrieve.corpus.documents import Document
from services.retrieve.indexing.passage_vectors import VectorSupplier, open_supplier
from services.retrieve.settings import RetrieveSettings

_log = structlog.get_logger("parley.ingest")

StoredDocuments = Mapping[str, tuple[bytes, int]]
"""Fingerprint and number of passages of each document that the collection holds, by id."""


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """`IngestOptions` as they travel to the workers."""

    whole: bool
    model: str
    """The model that made the vectors which lines bring."""
    principals: tuple[str, ...]


class FileReader:
    """Reads files as the command line does, in an isolated process."""

    def __init__(self, options: ReadingOptions) -> None:
        self._options = IngestOptions(options.whole, model=options.model, principals=options.principals)
        self._reader = IsolatedReader()

    def __call__(self, batch: Batch) -> Iterator[dict[str, list[Any]]]:
        """Yield the results of each file; the rows are its `place` and its pickled `Content`."""
        for place, packed_content in zip(batch["place"], batch["content"], strict=True):
            for number, content in enumerate(self._results(packed_content)):
                yield packed_rows([Row(int(place), number, content)])

    def close(self) -> None:
        """End the isolated process; Ray simply ends this one, and so that one, instead."""
        self._reader.close()

    def _results(self, packed_content: bytes) -> Iterator[RowContent]:
        content = pickle.loads(packed_content)
        try:
            yield from items(content.where, self._reader.read(content), self._options)
        except Exception as error:
            yield _fault_of(error)
        yield FileEnd()


@dataclass(frozen=True, slots=True)
class EmbeddingOptions:
    """How documents are cut and embedded."""

    settings: RetrieveSettings
    """Those of the user's machine."""
    model: str
    """The suite's embedding model; empty: it has none, so nothing is embedded."""


class PassageEmbedder:
    """Adds the vectors of their passages to documents, except those that are stored already."""

    def __init__(self, options: EmbeddingOptions, stored_documents: Callable[[], StoredDocuments]) -> None:
        self._stored_documents = stored_documents()
        self._stack = AsyncExitStack()
        self._supplier: VectorSupplier | None = None
        self._fault = ""
        asyncio.run(self._open(options))

    def __call__(self, batch: Batch) -> dict[str, list[Any]]:
        """The same rows, their documents with vectors."""
        rows = list(unpacked_rows(batch))
        if self._supplier is None:
            return packed_rows([replace(row, content=WorkerFault(self._fault)) for row in rows])
        try:
            return packed_rows(asyncio.run(self._all_prepared(rows, self._supplier)))
        except Exception as error:
            return packed_rows([replace(row, content=_fault_of(error)) for row in rows])

    def close(self) -> None:
        """Close the model; Ray simply ends the process instead."""
        asyncio.run(self._stack.aclose())

    async def _open(self, options: EmbeddingOptions) -> None:
        settings = options.settings if options.model else options.settings.model_copy(update={"embedder": "none"})
        try:
            supplier = await open_supplier(settings, self._stack)
        except SettingsError as error:
            self._fault = f"a worker cannot embed: {error}"
            return
        if supplier.model == options.model:
            self._supplier = supplier
            return
        self._fault = (
            f"the workers embed with {supplier.model or 'no model'}, the suite with {options.model}: run the command "
            f"with the suite's settings, such as {RetrieveSettings.variable('embedder')}"
        )

    async def _all_prepared(self, rows: Sequence[Row], supplier: VectorSupplier) -> list[Row]:
        return await asyncio.gather(*(self._prepared(row, supplier) for row in rows))

    async def _prepared(self, row: Row, supplier: VectorSupplier) -> Row:
        item = row.content
        if not isinstance(item, Item):
            return row
        try:
            document = from_message(item.document, Document)
        except MalformedMessage:  # the suite refuses it, with the reason
            return row
        fingerprint, passages = self._stored_documents.get(document.document_id, (b"", 0))
        if fingerprint and fingerprint == supplier.fingerprint(document):
            return replace(row, content=replace(item, stored_passages=passages))
        await _add_vectors(item, document, supplier)
        return row


def _fault_of(error: Exception) -> WorkerFault:
    """A fault of the code rather than of a document: it stops the ingest, with the traceback in the worker's log."""
    _log.error("a worker failed", exc_info=error)
    return WorkerFault(f"a worker of the cluster failed ({type(error).__name__}); its log in Ray's folder says why")


async def _add_vectors(item: Item, document: Document, supplier: VectorSupplier) -> None:
    """Add the vectors to the message, unless it would become too large to be sent."""
    vectors = await supplier.vectors_of(document)
    if vectors is not None:
        fill_field(item.document, "passage_vectors", vectors)
        if item.document.ByteSize() > MAX_BYTES:
            item.document.ClearField("passage_vectors")
