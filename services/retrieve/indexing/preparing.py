"""Prepares an incoming document for writing: checks, cuts and fingerprints it, without I/O. Vectors are added later."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from libs.contracts.spans import Span
from libs.contracts.structure import Block, BlockKind, Structure
from libs.documents.reading import structure_of
from libs.documents.rendering import plain_words
from libs.documents.structure import check_structure
from libs.language.detection import detect_language
from libs.runtime.errors import InvalidInput
from libs.text.sentences import split_sentences
from services.retrieve.corpus.documents import Document, PreparedDocument, Vectors, content_digest, fingerprint
from services.retrieve.corpus.filtering import seconds_of_date
from services.retrieve.embedding.embedder import ModelProfile
from services.retrieve.indexing.passage import FRONT_PASSAGES, MAX_WINDOWS, MIN_PASSAGES, Cut, searched_place
from services.retrieve.indexing.passages import DEFAULT_SIZE, cut_passages

DEFAULT_WINDOW: Final = 400
"""Characters of a window, a stretch embedded by itself (docsqa, questions on documents: whole passages .02 less)."""

DEFAULT_SOURCE = "corpus"
MAX_WHOLE_CHARACTERS = 65_536  # characters; the limit of a passage in the API contract
MAX_REPEATED: Final = 64 * 1024 * 1024
"""Characters of the titles and headings above all passages of a document: sixteen times its text (taste)."""
MAX_METADATA_BYTES: Final = 16 * 1024
"""Of a document, names and values together: each of its passages is sent with them (taste)."""
_RECIPE = 5  # increase it whenever the same document would be cut or embedded differently


@dataclass(frozen=True, slots=True)
class Preparation:
    """How documents are cut, and for which model."""

    size: int = DEFAULT_SIZE
    window: int = DEFAULT_WINDOW
    profile: ModelProfile | None = None
    """Profile of the embedding model; None without one."""
    original_mb: int = 8
    """Largest file that is stored with its document, in MB."""
    language: str = field(kw_only=True)
    """Language of a text whose own language cannot be detected."""

    def prepare(self, document: Document) -> PreparedDocument:
        """Check and cut a document; vectors that it brings are kept.

        Raises:
            InvalidInput: a field is invalid; names it.
        """
        digests = self.digests(document)
        document = self._as_stored(document)
        document = replace(document, language=document.language or detect_language(document.text) or self.language)
        document, passages = self._cut(document)
        _check_repeated(document, passages)
        vectors = self._given_vector(document) if document.vector and passages else None
        model = _short(document.vector_model) if vectors is not None else ""
        windows = (1,) if vectors is not None else ()
        return PreparedDocument(document, passages, *digests, vectors, windows, model)

    def digests(self, document: Document) -> tuple[bytes, bytes]:
        """The document's fingerprint and content digest, which show whether it is stored; raises as `prepare`."""
        document = self._as_stored(document)
        _check(document)
        recipe = f"{_RECIPE}:{self.size}:{self.window}:{self.profile.name if self.profile else ''}"
        return fingerprint(document, recipe), content_digest(document, recipe)

    def texts(self, prepared_document: PreparedDocument) -> list[list[str]]:
        """The texts to embed for each passage: its windows, each below the title and headings if it was cut."""
        document = prepared_document.document
        if document.whole:
            return [[document.text] for _ in prepared_document.passages]
        structure = document.structure or Structure()
        texts: list[list[str]] = []
        for cut in prepared_document.passages:
            headings = structure.headings(cut.section)
            place = searched_place(document.title, headings, document.language, cut.front)
            texts.append(self.texts_of_passage(place, cut.of(document.text), cut.blocks, document.language))
        return texts

    def texts_of_passage(self, place: str, text: str, blocks: Sequence[Block], language: str) -> list[str]:
        """The texts to embed for a passage of a document that was cut, below its title and headings, `place`."""
        windows = windows_of(text, blocks, self.window, language=language)
        return [f"{place}\n{words}" if place else words for words in windows]

    def _as_stored(self, document: Document) -> Document:
        original = document.original if len(document.original) <= self.original_mb * 2**20 else b""
        title = " ".join(document.title.split())
        return replace(document, title=title, source=document.source or DEFAULT_SOURCE, original=original)

    def _cut(self, document: Document) -> tuple[Document, tuple[Cut, ...]]:
        """The document with its structure, and its passages."""
        if not document.text.strip():
            return document, ()
        if document.whole:
            return document, (Cut((Span(0, len(document.text)),), ()),)
        structure = document.structure or structure_of(document.text)
        cuts = cut_passages(document.text, structure, self.size, language=document.language)
        # A title page is among the first passages, before any heading or on the first page.
        front = FRONT_PASSAGES if len(cuts) >= MIN_PASSAGES else 0
        cuts[:front] = [replace(cut, front=cut.section == 0 or cut.page == 1) for cut in cuts[:front]]
        return replace(document, structure=structure), tuple(cuts)

    def _given_vector(self, document: Document) -> Vectors:
        if not document.whole:
            raise InvalidInput("document.vector", "Only a whole document may bring a vector.")
        if not document.vector_model:
            raise InvalidInput("document.vector_model", "A vector needs the name of the model that made it.")
        # A vector of another model than the one that embeds queries could never be found.
        if self.profile is not None and _short(document.vector_model) != self.profile.name:
            description = f"{document.vector_model} made the vector, but {self.profile.name} embeds the queries."
            raise InvalidInput("document.vector_model", description, "VECTOR_MODEL_MISMATCH")
        if self.profile is not None and len(document.vector) != self.profile.width:
            width, name = self.profile.width, self.profile.name
            description = f"The vector has {len(document.vector)} values; those of {name} have {width}."
            raise InvalidInput("document.vector", description, "VECTOR_WIDTH_MISMATCH")
        vector = np.asarray([document.vector], np.float32)
        length = float(np.linalg.norm(vector))
        if not np.isfinite(length) or length < 1e-6:  # taste: zero but for rounding
            raise InvalidInput("document.vector", "The vector must be finite and not zero.")
        return (vector / length).astype(np.float16)


def _check(document: Document) -> None:
    for name, content in (("title", document.title), ("text", document.text)):
        if "\0" in content:
            raise InvalidInput(f"document.{name}", f"The {name} must not hold the character NUL.", "DOCUMENT_UNUSABLE")
    if sum(len(text.encode()) for pair in document.metadata.items() for text in pair) > MAX_METADATA_BYTES:
        raise InvalidInput("document.metadata", f"The metadata has at most {MAX_METADATA_BYTES:,} bytes.")
    if document.whole and len(document.text) > MAX_WHOLE_CHARACTERS:
        raise InvalidInput("document.text", f"A whole document has at most {MAX_WHOLE_CHARACTERS:,} characters.")
    if document.vector and document.passage_vectors is not None:
        raise InvalidInput("document.passage_vectors", "A document brings either a vector or those of its passages.")
    _check_structure(document)
    if document.date:
        try:
            seconds_of_date(document.date)
        except ValueError:
            description = "The date must be ISO 8601: a year, a month, a day or a moment."
            raise InvalidInput("document.date", description) from None


def _check_repeated(document: Document, passages: Sequence[Cut]) -> None:
    """Check what each passage is searched with besides its own text."""
    structure, counts = document.structure or Structure(), Counter(cut.section for cut in passages)
    characters = len(document.title) * len(passages)
    characters += sum(sum(map(len, structure.headings(section))) * count for section, count in counts.items())
    if characters > MAX_REPEATED:
        description = f"The title and headings above its {len(passages):,} passages have {characters:,} characters."
        raise InvalidInput("document.structure.sections", f"{description} At most {MAX_REPEATED:,} are accepted.")


def _check_structure(document: Document) -> None:
    if document.structure is not None:
        try:
            check_structure(document.structure, len(document.text))
        except ValueError as error:
            place, _, description = str(error).partition(": ")
            raise InvalidInput(f"document.structure.{place}", description) from None


def _short(model: str) -> str:
    """A model's name without its publisher: `sentence-transformers/all-MiniLM-L6-v2` is `all-MiniLM-L6-v2`."""
    return model.rsplit("/", 1)[-1]


def windows_of(text: str, blocks: Sequence[Block], size: int = DEFAULT_WINDOW, *, language: str) -> list[str]:
    """The windows of a passage in plain words, 1 to 64, each of about `size` characters at most.

    A passage that is up to a quarter longer is not cut.
    """
    plain_text = " ".join(plain_words(text).split())
    if len(plain_text) <= 1.25 * size:  # a second window would have little text (taste)
        return [plain_text]
    windows: list[str] = []
    for sentence in _thoughts(text, blocks, size, language):
        if windows and len(windows[-1]) + 1 + len(sentence) <= size:
            windows[-1] = f"{windows[-1]} {sentence}"
        else:
            windows.append(sentence)
    return windows[:MAX_WINDOWS] or [plain_text]


def _thoughts(text: str, blocks: Sequence[Block], size: int, language: str) -> Iterator[str]:
    """Sentences, items, rows and lines of code in plain words; those that are too long in pieces."""
    for block in blocks:
        for piece in _pieces(text, block, language):
            words = " ".join(plain_words(piece).split())
            yield from (words[start : start + size] for start in range(0, len(words), size))


def _pieces(text: str, block: Block, language: str) -> Iterator[str]:
    if block.parts:
        if block.header is not None:
            yield block.header.of(text)
        yield from (part.span.of(text) for part in block.parts)
    elif block.kind is BlockKind.CODE:
        yield from block.span.of(text).split("\n")
    else:
        yield from (sentence.text for sentence in split_sentences(block.span.of(text), language, longest=None))
