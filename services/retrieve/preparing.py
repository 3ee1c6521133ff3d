"""From a document as it came to what is written for it: checked, cut, fingerprinted. Vectors come later."""

from dataclasses import dataclass, replace

import numpy as np

from services.retrieve.chunking import DEFAULT_OVERLAP, DEFAULT_SIZE, split
from services.retrieve.corpus.dates import seconds_of_date
from services.retrieve.corpus.documents import Document, PreparedDocument, Vectors, content_digest, fingerprint
from services.retrieve.embedding.profile import ModelProfile
from services.runtime.errors import InvalidInput
from services.vocabulary.spans import Span

DEFAULT_SOURCE = "corpus"
LONGEST_WHOLE = 65_536
"""Characters; the contract's bound of a passage."""
_RECIPE = 1
"""Counts up when the same document would be cut or embedded otherwise than before."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """How documents are cut, and for which model."""

    size: int = DEFAULT_SIZE
    overlap: float = DEFAULT_OVERLAP
    profile: ModelProfile | None = None
    """The embedding model's; None without one."""

    def prepare(self, document: Document) -> PreparedDocument:
        """Check and cut a document; vectors that it brings are taken as they are.

        Raises:
            InvalidInput: a field cannot be taken; names it.
        """
        document = replace(document, source=document.source or DEFAULT_SOURCE)
        _check(document)
        passages = self._cut(document)
        vectors = self._brought(document) if document.vector and passages else None
        model = _short(document.vector_model) if vectors is not None else ""
        recipe = self._recipe()
        digests = fingerprint(document, recipe), content_digest(document, recipe)
        return PreparedDocument(document, passages, *digests, vectors, model)

    def texts(self, prepared: PreparedDocument) -> list[str]:
        """What is embedded for each passage: a cut one with the title above it, so that it tells what it is about."""
        document = prepared.document
        above = f"{document.title}\n" if document.title and not document.whole else ""
        return [above + span.of(document.text) for span in prepared.passages]

    def _cut(self, document: Document) -> tuple[Span, ...]:
        if not document.text.strip():
            return ()
        if document.whole:
            return (Span(0, len(document.text)),)
        return tuple(split(document.text, self.size, self.overlap))

    def _recipe(self) -> str:
        return f"{_RECIPE}:{self.size}:{self.overlap}:{self.profile.name if self.profile else ''}"

    def _brought(self, document: Document) -> Vectors:
        if not document.whole:
            raise InvalidInput("document.vector", "only a whole document may bring a vector")
        if not document.vector_model:
            raise InvalidInput("document.vector_model", "a vector needs the name of the model that made it")
        self._agree(document)
        vector = np.asarray([document.vector], np.float32)
        length = float(np.linalg.norm(vector))
        if not np.isfinite(length) or length < 1e-6:
            raise InvalidInput("document.vector", "must be finite and not zero")
        return (vector / length).astype(np.float16)

    def _agree(self, document: Document) -> None:
        """A vector of another model than the one that embeds queries could never be found."""
        if self.profile is None:
            return
        if _short(document.vector_model) != self.profile.name:
            description = f"is {document.vector_model}, but queries are embedded by {self.profile.name}"
            raise InvalidInput("document.vector_model", description, "VECTOR_MODEL_MISMATCH")
        if len(document.vector) != self.profile.width:
            description = f"has {len(document.vector)} values, {self.profile.name} makes {self.profile.width}"
            raise InvalidInput("document.vector", description, "VECTOR_WIDTH_MISMATCH")


def _check(document: Document) -> None:
    if "\0" in document.text or "\0" in document.title:
        raise InvalidInput("document.text", "must not hold the character NUL", "DOCUMENT_UNUSABLE")
    if document.whole and len(document.text) > LONGEST_WHOLE:
        raise InvalidInput("document.text", f"a whole document has at most {LONGEST_WHOLE:,} characters")
    if document.date:
        try:
            seconds_of_date(document.date)
        except ValueError:
            raise InvalidInput("document.date", "must be ISO 8601: a year, a month, a day or a moment") from None


def _short(model: str) -> str:
    """A model's name without its publisher: `sentence-transformers/all-MiniLM-L6-v2` is `all-MiniLM-L6-v2`."""
    return model.rsplit("/", 1)[-1]
