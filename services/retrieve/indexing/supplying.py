"""Computes the vectors of documents' passages away from the corpus, for a bulk ingest on other machines.

It cuts and embeds by the same code and settings as the process that holds the corpus, which checks by a digest that it
would embed the same texts (`passage_vectors`).
"""

from contextlib import AsyncExitStack
from typing import Final

import numpy as np

from libs.runtime.errors import InvalidInput, ParleyError
from services.retrieve.corpus.documents import Document, PassageVectors
from services.retrieve.embedding.embedder import SharedEmbedder, TextKind
from services.retrieve.indexing.passage_vectors import Texts, packed
from services.retrieve.indexing.preparing import Preparation
from services.retrieve.models import open_embedder
from services.retrieve.settings import RetrieveSettings

WINDOWS: Final = 256
"""Windows that are embedded at once; in float32 of 384 values they take 0.4 MB."""


class VectorSupplier:
    """Cuts and embeds documents as the process of the corpus would."""

    def __init__(self, preparation: Preparation, embedder: SharedEmbedder | None) -> None:
        """Without an embedder no document gets vectors."""
        self._preparation = preparation
        self._embedder = embedder

    @property
    def model(self) -> str:
        """The model's name; empty without one."""
        return self._embedder.profile.name if self._embedder is not None else ""

    def fingerprint(self, document: Document) -> bytes:
        """The fingerprint that the corpus stores with a document; empty for one that it will refuse."""
        try:
            return self._preparation.digests(document)[0]
        except InvalidInput:
            return b""

    async def vectors_of(self, document: Document) -> PassageVectors | None:
        """The vectors of a document's passages.

        None if it needs none, brings its own, or must be left to the process of the corpus: because it will refuse the
        document, or because the model failed here.
        """
        if self._embedder is None or document.vector:
            return None
        try:
            texts = self._preparation.texts(self._preparation.prepare(document))
            return await self._embedded(texts, self._embedder) if texts else None
        except ParleyError:
            return None

    async def _embedded(self, texts: Texts, embedder: SharedEmbedder) -> PassageVectors:
        windows = [window for passage in texts for window in passage]
        parts = [
            (await embedder.embed(windows[start : start + WINDOWS], TextKind.PASSAGE)).astype(np.float16)
            for start in range(0, len(windows), WINDOWS)
        ]
        return packed(np.concatenate(parts), texts, embedder.profile.name)


async def open_supplier(settings: RetrieveSettings, stack: AsyncExitStack) -> VectorSupplier:
    """Open the embedder that the settings name, and nothing else of the stage; it is closed with the stack.

    Raises:
        SettingsError: the model cannot be used.
    """
    embedder, _ = await open_embedder(settings, stack)
    return VectorSupplier(settings.preparation(embedder.profile if embedder else None), embedder)
