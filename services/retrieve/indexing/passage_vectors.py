"""Vectors of a document's passages that its sender computed, so that the suite need not embed it.

The sender cuts and embeds with the same code. Whether both cut alike is shown by a digest of the embedded texts, so a
different setting or version on either side never attaches a vector to another text. Cutting runs where it is called,
embedding in the threads of the embedder.
"""

import hashlib
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from libs.runtime.errors import InvalidInput, ParleyError
from services.retrieve.corpus.documents import Document, PassageVectors, PreparedDocument, Vectors
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.embedding.embedder import TextKind
from services.retrieve.indexing.preparing import Preparation
from services.retrieve.models import open_embedder
from services.retrieve.settings import RetrieveSettings

LENGTH_TOLERANCE: Final = 0.01
"""Greatest difference of a vector's length from 1; half precision rounds a unit vector's by less than .001."""
VALUES: Final = "document.passage_vectors.values"
_HALF: Final = np.dtype("<f2")
Texts = Sequence[Sequence[str]]
"""For each passage of a document the texts of its windows, the stretches that are embedded by themselves."""


def texts_digest(texts: Texts) -> bytes:
    """SHA-256 over the windows of each passage, as the contract describes it."""
    digest = hashlib.sha256()
    for windows in texts:
        digest.update(len(windows).to_bytes(4, "big"))
        for window in windows:
            content = window.encode()
            digest.update(len(content).to_bytes(4, "big"))
            digest.update(content)
    return digest.digest()


def with_supplied_vectors(prepared_document: PreparedDocument, preparation: Preparation) -> PreparedDocument:
    """The document with the vectors that its sender computed, or marked if they do not fit.

    Raises:
        InvalidInput: they fit by their digest and model, but are not unit vectors of the model's width.
    """
    supplied = prepared_document.document.passage_vectors
    if supplied is None or not prepared_document.passages:
        return prepared_document
    texts = preparation.texts(prepared_document)
    profile = preparation.profile
    if profile is None or (supplied.model, supplied.texts_digest) != (profile.name, texts_digest(texts)):
        return replace(prepared_document, vectors_ignored=True)
    windows = tuple(map(len, texts))
    vectors = _unpacked(supplied, sum(windows), profile.width)
    return replace(prepared_document, vectors=vectors, windows=windows, model=profile.name)


def _unpacked(supplied: PassageVectors, windows: int, width: int) -> Vectors:
    if len(supplied.values) != windows * width * _HALF.itemsize:
        raise InvalidInput(
            VALUES, f"{windows} windows of {width} half-precision numbers take {windows * width * 2:,} bytes."
        )
    vectors = np.frombuffer(supplied.values, _HALF).reshape(windows, width)
    lengths = np.linalg.norm(vectors.astype(np.float32), axis=1)
    if not (np.abs(lengths - 1) <= LENGTH_TOLERANCE).all():  # false for NaN, too
        raise InvalidInput(VALUES, "Each vector must have the length 1.")
    return vectors.astype(np.float16)


WINDOWS: Final = 256
"""Windows that are embedded at once; in float32 of 384 values they take 0.4 MB (taste)."""


@dataclass(frozen=True, slots=True)
class VectorSupplier:
    """Cuts and embeds documents as the process of the corpus would; without an embedder none gets vectors."""

    preparation: Preparation
    embedder: BatchingEmbedder | None

    @property
    def model(self) -> str:
        """The model's name; empty without one."""
        return self.embedder.profile.name if self.embedder is not None else ""

    def fingerprint(self, document: Document) -> bytes:
        """The fingerprint that the corpus stores with a document; empty for one that it will refuse."""
        try:
            return self.preparation.digests(document)[0]
        except InvalidInput:
            return b""

    async def vectors_of(self, document: Document) -> PassageVectors | None:
        """The vectors of a document's passages.

        None if it needs none, brings its own, or must be left to the process of the corpus: because it will refuse the
        document, or because the model failed here.
        """
        if self.embedder is None or document.vector:
            return None
        try:
            texts = self.preparation.texts(self.preparation.prepare(document))
            return await self._embedded(texts, self.embedder) if texts else None
        except ParleyError:
            return None

    async def _embedded(self, texts: Texts, embedder: BatchingEmbedder) -> PassageVectors:
        windows = [window for passage in texts for window in passage]
        parts = [
            (await embedder.embed(windows[start : start + WINDOWS], TextKind.PASSAGE)).astype(_HALF).tobytes()
            for start in range(0, len(windows), WINDOWS)
        ]
        return PassageVectors(embedder.profile.name, texts_digest(texts), b"".join(parts))


async def open_supplier(settings: RetrieveSettings, stack: AsyncExitStack) -> VectorSupplier:
    """Open the embedder that the settings name, and nothing else of the stage; it is closed with the stack.

    Raises:
        SettingsError: the model cannot be used.
    """
    embedder, _ = await open_embedder(settings, stack)
    return VectorSupplier(settings.preparation(embedder.profile if embedder else None), embedder)
