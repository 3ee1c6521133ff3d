"""The answer stage's results, as plain values: text, citations with their verdicts, images."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from libs.contracts.evidence import ImageReference, Passage
from libs.contracts.spans import Span
from libs.contracts.structure import cells_at


class Verdict(StrEnum):
    """The result of checking a sentence against its cited spans: supported, not fully supported, not supported."""

    VERIFIED = "VERIFIED"
    WEAK = "WEAK"
    WITHDRAWN = "WITHDRAWN"


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """The words of a passage that support a sentence."""

    number: int
    """The reference's number in the answer; 0 if the passage is not a reference of an answer."""
    passage_id: str
    span: Span = Span()
    quote: str = ""
    cells: str = ""
    """The cells of the rows that the words are in, such as `Prices!A5:D5`; empty if they come from no sheet."""

    @classmethod
    def of(cls, number: int, passage: Passage, span: Span) -> Self:
        """The words of a passage at a span."""
        return cls(number, passage.passage_id, span, span.of(passage.text), cells_at(passage.blocks, span))


@dataclass(frozen=True, slots=True)
class Citation:
    """One sentence of the answer, its references and the verdict on it."""

    sentence: int
    references: tuple[CitedSpan, ...] = ()
    verdict: Verdict = Verdict.WEAK
    score: float = 0.0
    """How well it is supported, from 0 to 1."""
    reason: str = ""
    replacement: str | None = None
    """The new text of a sentence that checking changed, empty if it was removed; None if unchanged."""
    answers: bool = False
    """Whether it is marked as the answer; other bold words are the document's own."""


@dataclass(frozen=True, slots=True)
class Triplet:
    """A relation between a subject and an object, in the words of a passage."""

    subject: str
    relation: str
    object: str
    """A name or a value, such as a date or a number with its unit."""
    passage_id: str
    span: Span = Span()
    """The words that state it, in the passage's text."""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer. Paragraphs and sentences are counted from 1 over the whole answer."""

    paragraph: int
    sentence: int
    delta: str


class ComparedBy(StrEnum):
    """What was compared with a paragraph: a picture's pixels, or its caption."""

    CLIP = "CLIP"
    CAPTION = "CAPTION"


@dataclass(frozen=True, slots=True)
class ImageScores:
    """How well a picture fits, each score in [0, 1]."""

    relevance: float = 0.0
    """Relevance of its caption to the question."""
    picture: float = 0.0
    """Similarity of the picture to the paragraph."""
    title: float = 0.0
    """Relevance of its document's title to the paragraph."""
    text: float = 0.0
    """Similarity of its document's text to the paragraph."""
    reranked: bool = False
    """Whether `relevance` is the reranker's score; else it is a cosine of embeddings."""


@dataclass(frozen=True, slots=True)
class PlacedImage:
    """A picture beside the paragraph that it illustrates."""

    paragraph: int
    """Number of the paragraph in the final text, from 1; paragraphs that were withdrawn completely do not count."""
    image: ImageReference
    document_id: str
    score: float
    """How well it fits, from 0 to 1."""
    reason: str = ""
    scores: ImageScores = ImageScores()
    compared_by: ComparedBy | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The final answer."""

    text: str
    citations: tuple[Citation, ...] = ()
    images: tuple[PlacedImage, ...] = ()
    abstained: bool = False
    abstain_score: float = 0.0
    """In [0, 1]: the stage's confidence that the evidence contains no answer."""
    gaps: tuple[str, ...] = ()
    """Sub-questions for which nothing was found."""
    engine: str = "rules"
    abstains: bool = False
    """Whether the evidence is judged to contain no answer, even if a text was requested anyway."""
    triplets: tuple[Triplet, ...] = ()
    """The triplets that an engine of another package was given with the cited words; the built-in ones give none."""
