"""Search results: passages with their scores, grouped with their near duplicates."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from libs.contracts.spans import Span
from libs.contracts.structure import Block

Section: TypeAlias = tuple[str, str, tuple[str, ...]]
"""Collection, document and headings; the passages of one section are cited by one number."""


class Relevance(StrEnum):
    """How well a passage fits its query, by thresholds of the ranking settings."""

    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


@dataclass(frozen=True, slots=True)
class ImageReference:
    """A picture of a document; the corpus returns its bytes by `image_id`. Its size is in pixels, 0 if unknown."""

    image_id: str
    caption: str = ""
    url: str = ""
    width: int = 0
    height: int = 0
    entropy: float | None = None
    """Entropy of the picture, in bits: 0 for a plain surface; None if its bytes were not measured."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document that is indexed, found and cited as one."""

    passage_id: str
    document_id: str
    text: str
    collection: str = "default"
    title: str = ""
    url: str = ""
    date: str = ""
    """The document's date as ISO 8601, possibly only year or year-month; empty if unknown."""
    source: str = ""
    """Where it comes from, such as `corpus` or `web`."""
    span: Span = Span()
    """The passage's position in the document's text."""
    metadata: dict[str, str] = field(default_factory=dict)
    images: tuple[ImageReference, ...] = ()
    headings: tuple[str, ...] = ()
    """Headings of its section, the outermost first; without the document's title."""
    page: int = 0
    """Page number from 1; 0 if the document has no pages."""
    language: str = ""
    """The document's language, ISO 639-1; empty if unknown."""
    blocks: tuple[Block, ...] = ()
    """Its blocks, with spans in its text. Empty if not known; they are then derived from the text."""
    cells: str = ""
    """The cells that it comes from, such as `Prices!A5:D9`; empty if it comes from no sheet."""

    @property
    def section(self) -> Section:
        """The section that contains it; equal for all passages of one section."""
        return self.collection, self.document_id, self.headings


@dataclass(frozen=True, slots=True)
class PassageKey:
    """Names a passage, and the document to which it belongs or once belonged."""

    collection: str
    document_id: str
    passage_id: str


@dataclass(frozen=True, slots=True)
class EngineScores:
    """One score per engine, None if that engine did not score the passage."""

    lexical: float | None = None
    """BM25, >= 0, unbounded."""
    vector: float | None = None
    """Cosine, in [-1, 1]."""
    rerank: float | None = None
    """On the reranker's own scale."""
    fused: float = 0.0
    """The score that the ranking sorts by."""


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """A passage that says the same as the evidence it is attached to: a further source, by the cosine of both."""

    passage: Passage
    similarity: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage found for a query, with the scores that led to its rank."""

    passage: Passage
    scores: EngineScores = EngineScores()
    rank: int = 0
    """1 is best."""
    relevance: Relevance = Relevance.LOW
    near_duplicates: tuple[NearDuplicate, ...] = ()
    nodes: tuple[str, ...] = ()
    """Ids of the sub-queries that found it."""


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A passage of the ranking before grouping."""

    passage_id: str
    score: float


@dataclass(frozen=True, slots=True)
class Reference:
    """Evidence with the number that the answer cites it by, from 1."""

    number: int
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class WholeSection:
    """The passages of a section of a document, in their order."""

    passages: tuple[Passage, ...] = ()
    """Without metadata and pictures."""
    is_cut: bool = False
    """Whether further ones are left out."""
