"""What the corpus holds, as plain values."""

import hashlib
import json
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from libs.contracts.evidence import ImageReference
from libs.contracts.structure import Structure
from services.retrieve.corpus.structures import structure_bytes
from services.retrieve.passages import Cut

Vectors = NDArray[np.float16]
"""Unit vectors, one row a window of a passage. Half precision: ranks on MTRAG are the same, and it is half the disk."""


@dataclass(frozen=True, slots=True)
class DocumentImage:
    """A picture of a document: its bytes, or where it is to be had."""

    image_id: str = ""
    """Unique within the document; empty means its place among the pictures, from 1."""
    caption: str = ""
    url: str = ""
    width: int = 0
    height: int = 0
    media_type: str = ""
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Document:
    """What a user brings."""

    document_id: str
    text: str = ""
    title: str = ""
    url: str = ""
    date: str = ""
    """ISO 8601, maybe only year or year-month; empty when unknown."""
    source: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    principals: tuple[str, ...] = ()
    """Who may see it; empty means everybody."""
    images: tuple[DocumentImage, ...] = ()
    whole: bool = False
    """The text is one passage with the document's id."""
    vector: tuple[float, ...] = ()
    """The embedding of a whole document, brought along; empty: it is made here."""
    vector_model: str = ""
    """The model that made the vector."""
    structure: Structure | None = None
    """What the text is made of; None: the text tells it."""
    language: str = ""
    """Of the text, ISO 639-1; empty: the text tells it."""

    def image_id(self, position: int) -> str:
        """The id of the picture at `position`, unique within a collection."""
        return f"{self.document_id}/{self.images[position].image_id or position + 1}"


@dataclass(frozen=True, slots=True)
class StoredImage:
    """A picture as it is kept."""

    told: ImageReference
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class PictureMeasure:
    """What a picture's bytes tell of it: pixels, and how much there is to see, in bits."""

    width: int
    height: int
    entropy: float | None
    """None where it has too many pixels to unpack, or its bytes break off."""


class IngestStatus(StrEnum):
    """What became of a document that was taken in."""

    ADDED = "ADDED"
    REPLACED = "REPLACED"
    UNCHANGED = "UNCHANGED"
    EMPTY = "EMPTY"
    """Its text is empty: kept without a passage."""
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document with everything that is written for it, ready for one transaction."""

    document: Document
    """With its structure and language."""
    passages: tuple[Cut, ...]
    fingerprint: bytes
    """Of the content and of how it was cut and embedded: equal means nothing is to be done."""
    content: bytes = b""
    """Of what passages and vectors are made of alone: equal means that the vectors which are there hold."""
    vectors: Vectors | None = None
    """One row a window, in the order of the passages; None where no embedder was there."""
    windows: tuple[int, ...] = ()
    """How many windows each passage has; empty where there are no vectors."""
    model: str = ""
    """Which model made the vectors."""
    measures: tuple[PictureMeasure | None, ...] = ()
    """One a picture, None where its bytes tell nothing; empty where nobody measured."""

    def passage_id(self, position: int) -> str:
        """Ids are the document's, `#`, and the passage's number from 0; a whole document's is its own."""
        document_id = self.document.document_id
        return document_id if self.document.whole else f"{document_id}#{position}"


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """A document as a listing tells it."""

    document_id: str
    title: str
    url: str
    date: str
    passages: int
    images: int
    ingested_at: datetime
    characters: int = 0
    """How far its passages reach in its text."""


@dataclass(frozen=True, slots=True)
class Collection:
    """A set of documents that is asked together."""

    name: str
    documents: int = 0
    passages: int = 0
    embedding_model: str = ""
    """The model of its vectors; empty while it has none. The first vectors decide it."""
    vector_width: int = 0


def content_digest(document: Document, recipe: str) -> bytes:
    """A digest of what a document's passages and vectors are made of, and of the `recipe` that is applied to it.

    Who may see it, its date, its metadata and its pictures are not in it: they change without a new embedding.
    """
    digest = hashlib.sha256(recipe.encode())
    for part in (document.text, document.title, json.dumps([document.whole, document.vector_model])):
        _add(digest, part.encode())
    _add(digest, _structure_digest(document))
    _add(digest, np.asarray(document.vector, np.float32).tobytes())
    return digest.digest()


def fingerprint(document: Document, recipe: str) -> bytes:
    """A digest of everything that a document brings and of the `recipe` (cutting, model) that is applied to it."""
    digest = hashlib.sha256(recipe.encode())
    parts = [
        document.text,
        document.title,
        document.url,
        document.date,
        document.source,
        json.dumps(document.metadata, sort_keys=True),
        json.dumps(sorted(document.principals)),
        json.dumps([document.whole, document.vector_model]),
    ]
    for part in parts:
        _add(digest, part.encode())
    _add(digest, _structure_digest(document))
    _add(digest, np.asarray(document.vector, np.float32).tobytes())
    for image in document.images:
        _add(digest, json.dumps([image.image_id, image.caption, image.url, image.width, image.height]).encode())
        _add(digest, image.media_type.encode())
        _add(digest, image.data)
    return digest.digest()


def _structure_digest(document: Document) -> bytes:
    """Of what was stated besides the text; nothing where nothing was."""
    stated = b"" if document.structure is None else structure_bytes(document.structure)
    return document.language.encode() + b"\0" + stated


def _add(digest: "hashlib._Hash", part: bytes) -> None:
    """The length goes first, so that two parts cannot be taken for others that read the same together."""
    digest.update(len(part).to_bytes(8, "big"))
    digest.update(part)
