"""What the answer stage says: text, citations with their verdicts, images, follow-ups."""

from dataclasses import dataclass
from enum import StrEnum

from libs.contracts.evidence import ImageReference
from libs.contracts.spans import Span


class Verdict(StrEnum):
    """What checking a sentence against its cited spans gave."""

    VERIFIED = "VERIFIED"
    WEAK = "WEAK"
    WITHDRAWN = "WITHDRAWN"


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """The words of a passage that bear a sentence out."""

    number: int
    """The reference's number in the answer; 0 when the passage is no reference of an answer."""
    passage_id: str
    span: Span = Span()
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """One sentence of the answer and what bears it out."""

    sentence: int
    references: tuple[CitedSpan, ...] = ()
    verdict: Verdict = Verdict.WEAK
    score: float = 0.0
    reason: str = ""
    replacement: str | None = None
    """The sentence as it reads now, where checking changed it; empty takes it out."""


@dataclass(frozen=True, slots=True)
class Triplet:
    """Who did or has what, in the words of a passage."""

    subject: str
    relation: str
    object: str
    """A name, or a value: a date, a number with what it counts."""
    passage_id: str
    span: Span = Span()
    """Of the words that tell it, in the passage's text."""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer. Paragraphs and sentences are counted from 1 over the whole answer."""

    paragraph: int
    sentence: int
    delta: str


class ComparedBy(StrEnum):
    """What stood for a picture when it was compared with a paragraph: its pixels, or its caption."""

    CLIP = "CLIP"
    CAPTION = "CAPTION"


@dataclass(frozen=True, slots=True)
class ImageScores:
    """Why a picture fits, each in [0, 1]."""

    relevance: float = 0.0
    """Of its caption to the question."""
    picture: float = 0.0
    """Of the picture to the paragraph."""
    title: float = 0.0
    """Of its document's title to the paragraph."""
    text: float = 0.0
    """Of what its document says to the paragraph."""
    reranked: bool = False
    """Whether `relevance` and `title` are the reranker's; else the embedder's cosines."""


@dataclass(frozen=True, slots=True)
class PlacedImage:
    """A picture beside the paragraph that it shows."""

    paragraph: int
    """Of the text that holds, from 1; paragraphs that were taken back whole do not count."""
    image: ImageReference
    document_id: str
    score: float
    reason: str = ""
    scores: ImageScores = ImageScores()
    compared_by: ComparedBy | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole answer, as it holds."""

    text: str
    citations: tuple[Citation, ...] = ()
    images: tuple[PlacedImage, ...] = ()
    abstained: bool = False
    abstain_score: float = 0.0
    """In [0, 1]: how sure the stage is that the evidence holds no answer."""
    gaps: tuple[str, ...] = ()
    """Sub-questions for which nothing was found."""
    engine: str = "rules"
    abstains: bool = False
    """Whether the evidence is judged to hold no answer, though the text may have been asked for all the same."""
    triplets: tuple[Triplet, ...] = ()
    """Those of the cited words that the language model was given beside them; none where the rules wrote."""
