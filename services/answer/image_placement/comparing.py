"""Compares paragraphs with pictures: calls the models concurrently and turns their results into scores.

If the corpus's image model cannot read a picture, its caption is compared instead, and the scores say so.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.answers import ComparedBy, ImageScores
from libs.text.sentences import split_sentences
from libs.text.tokens import content_stems
from services.answer.image_placement.candidates import Candidate, Paragraph
from services.answer.image_placement.models import Models, Seen, StoredPicture
from services.answer.image_placement.scoring import Floats, PlacementBounds, caption_score, clip_score, cosine

LONGEST_TEXT: Final = 350
"""Characters of a passage that are compared; the cost of the text embedder grows with them."""


@dataclass(frozen=True, slots=True)
class Relevant:
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
    models: Models, question: str, candidates: Sequence[Candidate], bounds: PlacementBounds
) -> list[Relevant]:
    """Return the candidates whose caption fits the question, by the reranker, or by the embedder without a reranker.

    Raises:
        NoEmbedder: there is neither.
        ParleyError: see `Models`.
    """
    captions = [candidate.image.caption for candidate in candidates]
    scores = await models.rerank(question, captions)
    reranked, least = scores is not None, bounds.reranked_relevance
    if scores is None:
        asked, *told = await _embedded(models, [question, *captions])
        scores, least = [cosine(asked, caption) for caption in told], bounds.embedded_relevance
    pairs = zip(candidates, scores, strict=True)
    return [Relevant(candidate, score, reranked) for candidate, score in pairs if score >= least]


async def compare(
    models: Models,
    question: str,
    paragraphs: Sequence[Paragraph],
    relevant: Sequence[Relevant],
    principals: Sequence[str],
    bounds: PlacementBounds,
) -> list[list[Fit]]:
    """Return how well each picture fits each paragraph: one row per paragraph, one column per picture.

    Raises:
        NoEmbedder: there is none.
        ParleyError: see `Models`.
    """
    told = [paragraph.text for paragraph in paragraphs]
    stored = [StoredPicture(one.candidate.passage.collection, one.candidate.image.image_id) for one in relevant]
    vectors, titles, seen = await asyncio.gather(
        _vectors(models, told, relevant), _titles(models, told, relevant), models.look(stored, told, principals)
    )
    told_stems = [_sentence_stems(question, text) for text in told]
    captions = [frozenset(content_stems(one.candidate.image.caption)) for one in relevant]
    compared = _Compared(vectors, titles, seen, told_stems, captions, bounds)
    return [[_fit(row, column, one, compared) for column, one in enumerate(relevant)] for row in range(len(paragraphs))]


@dataclass(frozen=True, slots=True)
class _Compared:
    """The models' results."""

    vectors: "_Vectors"
    titles: Sequence[Sequence[float]] | None
    """The reranker's score of each picture's document title and each paragraph."""
    seen: Seen | None
    told: Sequence[Sequence[frozenset[str]]]
    """The stems of the question and of one sentence, for each sentence of each paragraph."""
    captions: Sequence[frozenset[str]]
    """The stems of each caption."""
    bounds: PlacementBounds


@dataclass(frozen=True, slots=True)
class _Vectors:
    """The text embedder's vectors: one per paragraph; a caption, a title and a text per picture."""

    paragraphs: Sequence[Floats]
    captions: Sequence[Floats]
    titles: Sequence[Floats]
    texts: Sequence[Floats]


def _sentence_stems(question: str, paragraph: str) -> list[frozenset[str]]:
    asked = frozenset(content_stems(question))
    return [asked | frozenset(content_stems(sentence.text)) for sentence in split_sentences(paragraph)]


def _fit(row: int, column: int, one: Relevant, compared: _Compared) -> Fit:
    vectors, seen = compared.vectors, compared.seen
    paragraph, picture = vectors.paragraphs[row], seen.pictures[column] if seen else None
    if seen is not None and picture is not None:
        similar, compared_by = clip_score(seen.texts[row], picture, compared.bounds), ComparedBy.CLIP
    else:
        meaning = cosine(paragraph, vectors.captions[column])
        similar = caption_score(meaning, compared.captions[column], compared.told[row])
        compared_by = ComparedBy.CAPTION
    title = compared.titles[column][row] if compared.titles else cosine(paragraph, vectors.titles[column])
    text = cosine(paragraph, vectors.texts[column])
    return Fit(ImageScores(one.relevance, similar, title, text, one.reranked), compared_by)


async def _titles(
    models: Models, paragraphs: Sequence[str], relevant: Sequence[Relevant]
) -> Sequence[Sequence[float]] | None:
    """Rerank the paragraphs once per title; titles are the queries because rerankers expect a short query."""
    if not relevant[0].reranked:
        return None
    titles = list(dict.fromkeys(one.candidate.passage.title for one in relevant))
    scores = await asyncio.gather(*(_reranked(models, title, paragraphs) for title in titles))
    by_title = dict(zip(titles, scores, strict=True))
    return [by_title[one.candidate.passage.title] for one in relevant]


async def _reranked(models: Models, title: str, paragraphs: Sequence[str]) -> list[float]:
    scores = await models.rerank(title, paragraphs) if title.strip() else None
    return scores or [0.0] * len(paragraphs)


async def _vectors(models: Models, paragraphs: Sequence[str], relevant: Sequence[Relevant]) -> _Vectors:
    """Embed all texts in one call, each once."""
    captions = [one.candidate.image.caption for one in relevant]
    titles = [one.candidate.passage.title for one in relevant]
    texts = [one.candidate.passage.text[:LONGEST_TEXT] for one in relevant]
    every = list(dict.fromkeys([*paragraphs, *captions, *titles, *texts]))
    vector_of = dict(zip(every, await _embedded(models, every), strict=True))
    return _Vectors(
        [vector_of[text] for text in paragraphs],
        [vector_of[text] for text in captions],
        [vector_of[text] for text in titles],
        [vector_of[text] for text in texts],
    )


async def _embedded(models: Models, texts: Sequence[str]) -> list[Floats]:
    vectors = await models.embed(texts)
    if vectors is None:
        raise NoEmbedder
    return vectors
