"""Finds the good pictures of the cited documents, and gives each paragraph the one that fits it best. Pure and short.

The score of a pair is the weighted mean of three similarities in [0, 1]. If the corpus's image model cannot read a
picture, its caption is compared instead, and the result says so.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.answers import Citation, ComparedBy, ImageScores, PlacedImage, Verdict
from libs.contracts.evidence import ImageReference, Passage, Reference
from libs.documents.picture_quality import is_good
from libs.inference.vectors import Vector
from libs.text.tokens import content_stems
from services.answer.citing.citations import without_markers

CLIP_ZERO: Final = 0.15
CLIP_FULL: Final = 0.35
"""The CLIP cosines of an unrelated picture and text, and of a perfect match. Both are what ViT-B/32 is known to give
(CLIPScore, Hessel et al. 2021, scales by 2.5). Not measured here."""
PICTURE_WEIGHT: Final = 0.85
TITLE_WEIGHT: Final = 0.05
TEXT_WEIGHT: Final = 0.1
"""The weight of each similarity, 1 together. Set on 20 labelled questions over the samples."""
MAX_TEXT: Final = 350
"""Characters of a passage that are compared; the cost of the text embedder grows with them (taste)."""


@dataclass(frozen=True, slots=True)
class CitedParagraph:
    """A paragraph of the final text."""

    number: int
    """From 1."""
    text: str
    """Without markers."""
    passages: frozenset[str]
    """Ids of the passages that its sentences cite."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A picture with a passage of its document."""

    image: ImageReference
    passage: Passage
    """The document's best ranked passage that the answer cites."""
    relevance: float = 0.0
    """Of its caption to the question."""
    reranked: bool = False

    @property
    def texts(self) -> tuple[str, str, str]:
        """What is compared besides the picture: its caption, its document's title, and a text of that."""
        return self.image.caption, self.passage.title, self.passage.text[:MAX_TEXT]


@dataclass(frozen=True, slots=True)
class PairScorer:
    """Scores a picture beside a paragraph of the answer to a question."""

    question: str
    language: str
    """Of the question, ISO 639-1."""
    vector_of: Mapping[str, Vector]
    """Of all texts that are compared."""

    def score(self, paragraph: CitedParagraph, candidate: Candidate, look: tuple[Vector, Vector] | None) -> PlacedImage:
        """Return the picture beside the paragraph; `look` is both as an image model sees them, None without one."""
        passage, image, vector = candidate.passage, candidate.image, self.vector_of[paragraph.text]
        caption, title, text = (cosine(vector, self.vector_of[other]) for other in candidate.texts)
        likeness = _clip_score(*look) if look else (caption + self._shared(paragraph.text, image.caption)) / 2
        scores = ImageScores(candidate.relevance, likeness, title, text, candidate.reranked)
        score = PICTURE_WEIGHT * likeness + TITLE_WEIGHT * title + TEXT_WEIGHT * text
        reason = (
            f"{'The picture' if look else 'The caption'} fits the paragraph ({likeness:.2f}), and so does its "
            f"document, “{passage.title}” (title {title:.2f}, text {text:.2f}); the caption fits the question "
            f"({candidate.relevance:.2f})."
        )
        compared_by = ComparedBy.CLIP if look else ComparedBy.CAPTION
        return PlacedImage(paragraph.number, image, passage.document_id, score, reason, scores, compared_by)

    def _shared(self, paragraph: str, caption: str) -> float:
        """The share of a caption's words that the paragraph and the question have; any text in its field is similar."""
        texts = (caption, f"{self.question}\n{paragraph}")
        stems, told = (frozenset(content_stems(text, self.language)) for text in texts)
        return len(stems & told) / len(stems) if stems else 0.0


def choose(placements: Iterable[PlacedImage], min_score: float) -> tuple[PlacedImage, ...]:
    """Return the best placements, in paragraph order: one per paragraph, each picture once, none below `min_score`.

    The same picture may come from several documents; it is recognised by its caption and size.
    """
    chosen: dict[int, PlacedImage] = {}
    shown = set()
    for placement in sorted(placements, key=lambda placement: -placement.score):
        image = placement.image
        picture = (" ".join(image.caption.casefold().split()), image.width, image.height)
        if placement.score >= min_score and placement.paragraph not in chosen and picture not in shown:
            chosen[placement.paragraph] = placement
            shown.add(picture)
    return tuple(chosen[number] for number in sorted(chosen))


def cosine(vector: Vector, other: Vector) -> float:
    """The cosine of two unit vectors, clipped to [0, 1]."""
    return min(1.0, max(0.0, float(vector @ other)))


def _clip_score(text: Vector, picture: Vector) -> float:
    return min(1.0, max(0.0, (cosine(text, picture) - CLIP_ZERO) / (CLIP_FULL - CLIP_ZERO)))


def read_paragraphs(paragraphs: Iterable[Sequence[tuple[str, Citation | None]]]) -> Iterator[CitedParagraph]:
    """Yield the paragraphs with citations; each input paragraph is given by its sentences and their citations."""
    for number, sentences in enumerate(paragraphs, start=1):
        citations = [citation for _, citation in sentences if citation and citation.verdict is not Verdict.WITHDRAWN]
        if passages := frozenset(span.passage_id for citation in citations for span in citation.references):
            yield CitedParagraph(number, " ".join(without_markers(text)[0] for text, _ in sentences), passages)


def find_candidates(paragraphs: Iterable[CitedParagraph], references: Sequence[Reference]) -> list[Candidate]:
    """Return good pictures with a caption from cited documents, the best ranked first.

    A picture without a caption cannot be compared with the question.
    """
    cited_ids = {passage_id for paragraph in paragraphs for passage_id in paragraph.passages}
    documents: dict[tuple[str, str], Passage] = {}
    for reference in sorted(references, key=lambda reference: reference.number):
        passage = reference.evidence.passage
        if passage.passage_id in cited_ids:
            documents.setdefault((passage.collection, passage.document_id), passage)
    return [
        Candidate(image, passage)
        for passage in documents.values()
        for image in passage.images
        if image.caption.strip() and is_good(image)
    ]
