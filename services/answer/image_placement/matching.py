"""Compares pictures with the question and with paragraphs, and gives each paragraph the picture that fits it best.

The score of a pair is the weighted mean of three similarities in [0, 1]. If the corpus's image model cannot read a
picture, its caption is compared instead, and the result says so. The models are awaited, in another process; comparing
their vectors is pure and short.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.answers import ComparedBy, ImageScores, PlacedImage
from libs.text.sentences import split_sentences
from libs.text.tokens import content_stems
from services.answer.answer_language import question_language
from services.answer.image_placement.candidates import Candidate, CitedParagraph
from services.answer.image_placement.inference import Floats, PlacementModels


@dataclass(frozen=True, slots=True)
class PlacementBounds:
    """Lower bounds, each in [0, 1]. Those of cosines are for all-MiniLM-L6-v2; other embedders need their own."""

    reranked_relevance: float = 0.3
    """Relevance of a caption to the question by a reranker: the bound of the system that this one follows."""
    embedded_relevance: float = 0.1
    """Relevance of a caption to the question, as a cosine. Set on 20 labelled questions over the samples: at .15 and at
    .2 right pictures are lost, and no more wrong ones are excluded."""
    min_score: float = 0.38
    """Score of a picture beside a paragraph. Set on the same questions, each with its own pictures and with those of
    other worlds: from .38 on all wrong ones are excluded, above it right ones are lost (18 of 20; on 20 others 18, and
    one wrong one)."""


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
class RelevantPicture:
    """A candidate whose caption fits the question."""

    candidate: Candidate
    relevance: float
    reranked: bool


class NoEmbedder(Exception):  # noqa: N818 - it names what is wrong
    """There is no text embedder, so nothing can be compared."""


async def find_relevant(
    models: PlacementModels, question: str, candidates: Sequence[Candidate], bounds: PlacementBounds
) -> list[RelevantPicture]:
    """Return the candidates whose caption fits the question, by the reranker, or by the embedder without a reranker.

    Raises:
        NoEmbedder: there is neither.
        ParleyError: see `PlacementModels`.
    """
    captions = [candidate.image.caption for candidate in candidates]
    scores = await models.rerank(question, captions)
    is_reranked, min_score = scores is not None, bounds.reranked_relevance
    if scores is None:
        vector_of, min_score = await _embed(models, [question, *captions]), bounds.embedded_relevance
        scores = [_cosine(vector_of[question], vector_of[caption]) for caption in captions]
    pairs = zip(candidates, scores, strict=True)
    return [RelevantPicture(candidate, score, is_reranked) for candidate, score in pairs if score >= min_score]


async def compare(
    models: PlacementModels,
    question: str,
    paragraphs: Sequence[CitedParagraph],
    pictures: Sequence[RelevantPicture],
    principals: Sequence[str],
) -> list[PlacedImage]:
    """Return each picture beside each paragraph, with how well it fits there.

    Raises:
        NoEmbedder: there is none.
        ParleyError: see `PlacementModels`.
    """
    candidates = [picture.candidate for picture in pictures]
    texts = [paragraph.text for paragraph in paragraphs]
    of_pictures = (text for candidate in candidates for text in _texts_of(candidate))
    stored = [(candidate.passage.collection, candidate.image.image_id) for candidate in candidates]
    vector_of, looks = await asyncio.gather(
        _embed(models, [*texts, *of_pictures]), models.look(stored, texts, principals)
    )
    language = question_language(question, [candidate.passage for candidate in candidates])
    placements = []
    for row, paragraph in enumerate(paragraphs):
        sentences = _sentence_stems(question, paragraph.text, language)
        for column, picture in enumerate(pictures):
            others = (vector_of[text] for text in _texts_of(picture.candidate))
            caption, title, text = (_cosine(vector_of[paragraph.text], other) for other in others)
            compared_by = ComparedBy.CAPTION
            similarity = _caption_score(caption, picture.candidate, sentences, language)
            if looks is not None and (pixels := looks.pictures[column]) is not None:
                similarity, compared_by = _clip_score(looks.texts[row], pixels), ComparedBy.CLIP
            scores = ImageScores(picture.relevance, similarity, title, text, picture.reranked)
            placements.append(_placed_image(paragraph, picture.candidate, scores, compared_by))
    return placements


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


def _texts_of(candidate: Candidate) -> tuple[str, str, str]:
    """What is compared of a picture besides itself: its caption, its document's title, and a text of that."""
    return candidate.image.caption, candidate.passage.title, candidate.passage.text[:MAX_TEXT]


def _sentence_stems(question: str, paragraph: str, language: str) -> list[frozenset[str]]:
    """The stems of the question with each sentence of a paragraph."""
    question_stems = frozenset(content_stems(question, language))
    sentences = split_sentences(paragraph, language)
    return [question_stems | frozenset(content_stems(sentence.text, language)) for sentence in sentences]


def _cosine(vector: Floats, other: Floats) -> float:
    """The cosine of two unit vectors, clipped to [0, 1]."""
    return min(1.0, max(0.0, float(vector @ other)))


def _caption_score(
    similarity: float, candidate: Candidate, sentences: Sequence[frozenset[str]], language: str
) -> float:
    """The score of a caption in place of its picture: the mean of similarity and shared words.

    Any text in the same field is similar, and a long paragraph has some words of any caption; so only the sentence
    that shares most words counts.
    """
    caption = frozenset(content_stems(candidate.image.caption, language))
    shared_count = max((len(caption & stems) for stems in sentences), default=0)
    return (similarity + shared_count / len(caption)) / 2 if caption else similarity / 2


def _clip_score(text: Floats, picture: Floats) -> float:
    """The score of a text's and a picture's vectors; CLIP's cosines have a narrow range."""
    return min(1.0, max(0.0, (_cosine(text, picture) - CLIP_ZERO) / (CLIP_FULL - CLIP_ZERO)))


def _placed_image(
    paragraph: CitedParagraph, candidate: Candidate, scores: ImageScores, compared_by: ComparedBy
) -> PlacedImage:
    passage = candidate.passage
    score = PICTURE_WEIGHT * scores.picture + TITLE_WEIGHT * scores.title + TEXT_WEIGHT * scores.text
    matched_part = "The picture" if compared_by is ComparedBy.CLIP else "The caption"
    title = f"“{passage.title}”" if passage.title else "which has no title"
    reason = (
        f"{matched_part} fits the paragraph ({scores.picture:.2f}), and so does its document, {title} "
        f"(title {scores.title:.2f}, text {scores.text:.2f}); the caption fits the question ({scores.relevance:.2f})."
    )
    return PlacedImage(paragraph.number, candidate.image, passage.document_id, score, reason, scores, compared_by)


async def _embed(models: PlacementModels, texts: Sequence[str]) -> dict[str, Floats]:
    """The vector of each text; one call, in which each text stands once."""
    distinct = list(dict.fromkeys(texts))
    vectors = await models.embed(distinct)
    if vectors is None:
        raise NoEmbedder
    return dict(zip(distinct, vectors, strict=True))
