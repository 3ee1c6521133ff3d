"""The content of the corpus, as plain values, and digests of it. No I/O."""

import hashlib
import json
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from libs.contracts.evidence import ImageReference
from libs.contracts.structure import Structure
from libs.runtime.errors import ParleyError
from services.retrieve.corpus.structures import structure_bytes
from services.retrieve.indexing.passage import Cut

Vectors = NDArray[np.float16]
"""Unit vectors, a row per window (a stretch embedded by itself). Half precision: MTRAG, a benchmark, ranks the same."""


@dataclass(frozen=True, slots=True)
class DocumentImage:
    """A picture of a document: its bytes, or its URL."""

    image_id: str = ""
    """Unique within the document; empty means its position among the pictures, from 1."""
    caption: str = ""
    url: str = ""
    width: int = 0
    height: int = 0
    media_type: str = ""
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class PassageVectors:
    """The vectors of a document's passages as its sender computed them."""

    model: str
    """Name of the model's profile."""
    texts_digest: bytes
    """SHA-256 of the embedded texts; see `passage_vectors.texts_digest`."""
    values: bytes
    """One unit vector per window, half precision, little-endian."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as a user provides it."""

    document_id: str
    text: str = ""
    title: str = ""
    url: str = ""
    date: str = ""
    """ISO 8601, may be only year or year-month; empty if unknown."""
    source: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    principals: tuple[str, ...] = ()
    """Who may see it; empty means everybody."""
    images: tuple[DocumentImage, ...] = ()
    whole: bool = False
    """Whether the text is one passage with the document's id."""
    vector: tuple[float, ...] = ()
    """The embedding of a whole document, if the user provides it; empty: it is computed."""
    vector_model: str = ""
    """The model that made the vector."""
    structure: Structure | None = None
    """The structure of the text; None: it is parsed from the text."""
    language: str = ""
    """Language of the text, ISO 639-1; empty: it is detected."""
    passage_vectors: PassageVectors | None = None
    """Vectors that the sender computed; no part of its fingerprint."""
    original: bytes = b""
    """The PDF that it was read from; empty if there is none. Not returned: see `originals`."""

    def image_id(self, position: int) -> str:
        """The id of the picture at `position`, unique within a collection."""
        return f"{self.document_id}/{self.images[position].image_id or position + 1}"


@dataclass(frozen=True, slots=True)
class StoredImage:
    """A stored picture."""

    reference: ImageReference
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class PictureMeasure:
    """What a picture's bytes show: its size in pixels, and how much there is to see, in bits."""

    width: int
    height: int
    entropy: float | None
    """None if it has too many pixels to decode, or its bytes are truncated."""


class IngestStatus(StrEnum):
    """What happened to an ingested document."""

    ADDED = "ADDED"
    REPLACED = "REPLACED"
    UNCHANGED = "UNCHANGED"
    EMPTY = "EMPTY"
    """Its text is empty: stored without a passage."""
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document with everything that is written for it, ready for one transaction."""

    document: Document
    """Includes its structure and language."""
    passages: tuple[Cut, ...]
    fingerprint: bytes
    """Digest of the content and of how it was cut and embedded: if equal, there is nothing to do."""
    content: bytes = b""
    """Digest of the input of passages and vectors only: if equal, the stored vectors are still valid."""
    vectors: Vectors | None = None
    """One row per window, in the order of the passages; None without an embedder."""
    windows: tuple[int, ...] = ()
    """Number of windows of each passage; empty without vectors."""
    model: str = ""
    """The model that made the vectors, or is to make them."""
    width: int = 0
    """Values of each vector that is still to be made; 0 if none is."""
    measures: tuple[PictureMeasure | None, ...] = ()
    """One per picture, None if its bytes are unusable; empty if not measured."""
    vectors_ignored: bool = False
    """Whether the document's `passage_vectors` do not fit its passages or the model."""

    def passage_id(self, position: int) -> str:
        """The document's id, `#`, and the passage's number from 0; for a whole document the document's id."""
        document_id = self.document.document_id
        return document_id if self.document.whole else f"{document_id}#{position}"


@dataclass(frozen=True, slots=True)
class Receipt:
    """The outcome of one document."""

    document_id: str
    status: IngestStatus
    passages: int = 0
    error: ParleyError | None = None
    """Why it failed; nothing of it was written."""
    vectors_ignored: bool = False
    """Whether it brought vectors of its passages that did not fit."""


@dataclass(frozen=True, slots=True)
class DocumentProgress:
    """The progress of a long document."""

    document_id: str
    place: int
    """Position among the documents that have no receipt yet, from 0."""
    passages: int
    """Passages that are done, and kept if the process is killed."""


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """A document in a listing."""

    document_id: str
    title: str
    url: str
    date: str
    passages: int
    images: int
    ingested_at: datetime
    characters: int = 0
    """End of its last passage in its text."""
    fingerprint: bytes = b""
    """Digest of everything in it, and of how it was cut and embedded."""
    metadata: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Collection:
    """A set of documents that is searched together."""

    name: str
    documents: int = 0
    passages: int = 0
    embedding_model: str = ""
    """The model of its vectors; empty without vectors. The first vectors determine it."""
    vector_width: int = 0
    version: str = field(default="", compare=False)
    """Changes with every document that is added, replaced or deleted, or gets its vectors."""
    passages_without_vectors: int = 0
    """Passages whose vectors are still to be made."""


def content_digest(document: Document, recipe: str) -> bytes:
    """A digest of the input of a document's passages and vectors, and of the `recipe` that is applied to it.

    Permissions, date, metadata and pictures are not included: they can change without a new embedding.
    """
    digest = hashlib.sha256(recipe.encode())
    for part in (document.text, document.title, json.dumps([document.whole, document.vector_model])):
        _add(digest, part.encode())
    _add(digest, document.language.encode())
    _add(digest, structure_bytes(document.structure) if document.structure is not None else b"")
    _add(digest, np.asarray(document.vector, np.float32).tobytes())
    return digest.digest()


def fingerprint(document: Document, recipe: str) -> bytes:
    """A digest of everything in a document and of the `recipe` (cutting, model) that is applied to it."""
    digest = hashlib.sha256(content_digest(document, recipe))
    lists = json.dumps([sorted(document.metadata.items()), sorted(document.principals)])
    for part in (document.url, document.date, document.source, lists):
        _add(digest, part.encode())
    for image in document.images:
        _add(digest, json.dumps([image.image_id, image.caption, image.url, image.width, image.height]).encode())
        _add(digest, image.media_type.encode())
        _add(digest, image.data)
    if document.original:
        _add(digest, document.original)
    return digest.digest()


def _add(digest: "hashlib._Hash", part: bytes) -> None:
    """Add a part after its length (8 bytes: any fits), so that different parts never give the same digest input."""
    digest.update(len(part).to_bytes(8, "big"))
    digest.update(part)
