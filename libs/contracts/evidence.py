"""What was found: passages with their scores, grouped with their near duplicates."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from libs.contracts.spans import Span
from libs.contracts.structure import Block

Section: TypeAlias = tuple[str, str, tuple[str, ...]]
"""Collection, document and headings: what is cited by one number."""


class Relevance(StrEnum):
    """How well a passage fits its query, by thresholds of the ranking settings."""

    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


@dataclass(frozen=True, slots=True)
class ImageReference:
    """A picture of a document; its bytes come from the corpus by `image_id`."""

    image_id: str
    caption: str = ""
    url: str = ""
    width: int = 0
    height: int = 0
    entropy: float | None = None
    """How much there is to see, in bits: 0 for a plain surface; None where its bytes were not measured."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document: what is indexed, found and cited."""

    passage_id: str
    document_id: str
    text: str
    collection: str = "default"
    title: str = ""
    url: str = ""
    date: str = ""
    """The document's date as ISO 8601, maybe only year or year-month; empty when unknown."""
    source: str = ""
    span: Span = Span()
    """Where the passage stands in the document's text."""
    metadata: dict[str, str] = field(default_factory=dict)
    images: tuple[ImageReference, ...] = ()
    headings: tuple[str, ...] = ()
    """Those that lead to its section, the outermost first; the document's title is none of them."""
    page: int = 0
    """From 1, where the document has pages; else 0."""
    language: str = ""
    """The document's, ISO 639-1; empty when unknown."""
    blocks: tuple[Block, ...] = ()
    """What it holds; spans are places in its text. Empty where that is not known: its text tells it."""

    @property
    def section(self) -> Section:
        """The section that it stands in; equal for the passages of one section."""
        return self.collection, self.document_id, self.headings


@dataclass(frozen=True, slots=True)
class EngineScores:
    """One score an engine, None where that engine did not score the passage."""

    lexical: float | None = None
    """BM25, >= 0, unbounded."""
    vector: float | None = None
    """Cosine, in [-1, 1]."""
    rerank: float | None = None
    """The reranker's own scale."""
    fused: float = 0.0
    """What the ranking sorts by."""


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """A passage that says the same as the evidence it hangs on: a further source."""

    passage: Passage
    similarity: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage found for a query, with everything that led to its place."""

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
    """A place in the ranking before grouping."""

    passage_id: str
    score: float


@dataclass(frozen=True, slots=True)
class Reference:
    """Evidence with the number that the answer cites it by, from 1."""

    number: int
    evidence: Evidence
