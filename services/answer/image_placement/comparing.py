"""Compares paragraphs with pictures: calls the models concurrently and turns their results into scores.

If the corpus's image model cannot read a picture, its caption is compared instead, and the scores say so. The models
are awaited, in another process; comparing their vectors is pure and short.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.answers import ComparedBy, ImageScores
from libs.text.sentences import split_sentences
from libs.text.tokens import content_stems
from services.answer.answer_language import question_language
from services.answer.image_placement.candidates import Candidate, CitedParagraph
from services.answer.image_placement.inference import ImageVectors, PlacementModels, StoredPicture
from services.answer.image_placement.scoring import Floats, PlacementBounds, caption_score, clip_score, cosine

MAX_TEXT: Final = 350
"""Characters of a passage that are compared; the cost of the text embedder grows with them (taste)."""


@dataclass(frozen=True, slots=True)
class RelevantPicture:
    """A candidate whose caption fits the question."""

    candidate: Candidate
    relevance: float
    reranked: bool


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a picture fits a paragraph."""

    scores: ImageScores
    compared_by: ComparedBy


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
        question_vector, *caption_vectors = await _embed(models, [question, *captions])
        scores, min_score = [cosine(question_vector, vector) for vector in caption_vectors], bounds.embedded_relevance
    pairs = zip(candidates, scores, strict=True)
    return [RelevantPicture(candidate, score, is_reranked) for candidate, score in pairs if score >= min_score]


async def compare(
    models: PlacementModels,
    question: str,
    paragraphs: Sequence[CitedParagraph],
    pictures: Sequence[RelevantPicture],
    principals: Sequence[str],
) -> list[list[Fit]]:
    """Return how well each picture fits each paragraph: one row per paragraph, one column per picture.

    Raises:
        NoEmbedder: there is none.
        ParleyError: see `PlacementModels`.
    """
    texts = [paragraph.text for paragraph in paragraphs]
    stored_pictures = [
        StoredPicture(picture.candidate.passage.collection, picture.candidate.image.image_id) for picture in pictures
    ]
    vectors, titles, image_vectors = await asyncio.gather(
        _embed_all(models, texts, pictures),
        _titles(models, texts, pictures),
        models.look(stored_pictures, texts, principals),
    )
    language = question_language(question, [picture.candidate.passage for picture in pictures])
    sentence_stems = [_sentence_stems(question, text, language) for text in texts]
    captions = [frozenset(content_stems(picture.candidate.image.caption, language)) for picture in pictures]
    comparison = _Comparison(vectors, titles, image_vectors, sentence_stems, captions)
    return [
        [_fit(row, column, picture, comparison) for column, picture in enumerate(pictures)]
        for row in range(len(paragraphs))
    ]


@dataclass(frozen=True, slots=True)
class _Comparison:
    """The models' results."""

    vectors: "_Vectors"
    titles: Sequence[Sequence[float]] | None
    """The reranker's score of each picture's document title and each paragraph."""
    image_vectors: ImageVectors | None
    sentence_stems: Sequence[Sequence[frozenset[str]]]
    """The stems of the question and of one sentence, for each sentence of each paragraph."""
    captions: Sequence[frozenset[str]]
    """The stems of each caption."""


@dataclass(frozen=True, slots=True)
class _Vectors:
    """The text embedder's vectors: one per paragraph; a caption, a title and a text per picture."""

    paragraphs: Sequence[Floats]
    captions: Sequence[Floats]
    titles: Sequence[Floats]
    texts: Sequence[Floats]


def _sentence_stems(question: str, paragraph: str, language: str) -> list[frozenset[str]]:
    question_stems = frozenset(content_stems(question, language))
    sentences = split_sentences(paragraph, language)
    return [question_stems | frozenset(content_stems(sentence.text, language)) for sentence in sentences]


def _fit(row: int, column: int, picture: RelevantPicture, comparison: _Comparison) -> Fit:
    vectors, image_vectors = comparison.vectors, comparison.image_vectors
    paragraph, picture_vector = vectors.paragraphs[row], image_vectors.pictures[column] if image_vectors else None
    if image_vectors is not None and picture_vector is not None:
        similarity, compared_by = clip_score(image_vectors.texts[row], picture_vector), ComparedBy.CLIP
    else:
        caption_similarity = cosine(paragraph, vectors.captions[column])
        similarity = caption_score(caption_similarity, comparison.captions[column], comparison.sentence_stems[row])
        compared_by = ComparedBy.CAPTION
    title = comparison.titles[column][row] if comparison.titles else cosine(paragraph, vectors.titles[column])
    text = cosine(paragraph, vectors.texts[column])
    return Fit(ImageScores(picture.relevance, similarity, title, text, picture.reranked), compared_by)


async def _titles(
    models: PlacementModels, paragraphs: Sequence[str], pictures: Sequence[RelevantPicture]
) -> Sequence[Sequence[float]] | None:
    """Rerank the paragraphs once per title; titles are the queries because rerankers expect a short query."""
    if not pictures[0].reranked:
        return None
    titles = list(dict.fromkeys(picture.candidate.passage.title for picture in pictures))
    scores = await asyncio.gather(*(_rerank(models, title, paragraphs) for title in titles))
    by_title = dict(zip(titles, scores, strict=True))
    return [by_title[picture.candidate.passage.title] for picture in pictures]


async def _rerank(models: PlacementModels, title: str, paragraphs: Sequence[str]) -> list[float]:
    scores = await models.rerank(title, paragraphs) if title.strip() else None
    return scores or [0.0] * len(paragraphs)


async def _embed_all(
    models: PlacementModels, paragraphs: Sequence[str], pictures: Sequence[RelevantPicture]
) -> _Vectors:
    """Embed all texts in one call, each once."""
    captions = [picture.candidate.image.caption for picture in pictures]
    titles = [picture.candidate.passage.title for picture in pictures]
    texts = [picture.candidate.passage.text[:MAX_TEXT] for picture in pictures]
    unique_texts = list(dict.fromkeys([*paragraphs, *captions, *titles, *texts]))
    vector_of = dict(zip(unique_texts, await _embed(models, unique_texts), strict=True))
    return _Vectors(
        [vector_of[text] for text in paragraphs],
        [vector_of[text] for text in captions],
        [vector_of[text] for text in titles],
        [vector_of[text] for text in texts],
    )


async def _embed(models: PlacementModels, texts: Sequence[str]) -> list[Floats]:
    vectors = await models.embed(texts)
    if vectors is None:
        raise NoEmbedder
    return vectors
