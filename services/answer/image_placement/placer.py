"""Places pictures beside the paragraphs of an answer, with models that another process runs.

Pictures that fail or take too long are omitted, and that is reported; nothing is raised. No model is called without a
good picture in the cited documents.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final

from libs.contracts.answers import PlacedImage
from libs.contracts.evidence import Reference
from libs.contracts.usage import Degraded, Stage
from libs.inference.vectors import Vector
from libs.runtime.errors import ParleyError
from services.answer.answer_language import question_language
from services.answer.image_placement.inference import PlacementModels
from services.answer.image_placement.matching import (
    Candidate,
    CitedParagraph,
    PairScorer,
    choose,
    cosine,
    find_candidates,
)
from services.answer.image_placement.settings import ImagePlacementSettings

MAX_PICTURES: Final = 32
"""Pictures that are examined, those of the best ranked documents first; a bound on the time, chosen by hand."""


@dataclass(frozen=True, slots=True)
class ImagePlacer:
    """Finds, compares and chooses pictures."""

    models: PlacementModels
    settings: ImagePlacementSettings = field(default_factory=ImagePlacementSettings)

    async def place(
        self,
        question: str,
        paragraphs: Sequence[CitedParagraph],
        references: Sequence[Reference],
        principals: Sequence[str] = (),
        seconds: float = inf,
    ) -> tuple[PlacedImage | Degraded, ...]:
        """Return pictures of the cited documents in paragraph order, each beside the paragraph that it illustrates.

        The paragraphs are those of the final text with citations; `seconds` are left in the request's budget.
        """
        candidates = find_candidates(paragraphs, references)[:MAX_PICTURES]
        if not candidates:
            return ()
        try:
            async with asyncio.timeout(min(self.settings.seconds, seconds)):
                relevant = await self._relevant(question, candidates)
                placements = await self._beside(question, paragraphs, relevant, principals) if relevant else ()
        except TimeoutError:
            return _without("DEADLINE_EXCEEDED", "comparing them took longer than PARLEY_ANSWER_PICTURES_SECONDS")
        except ParleyError as error:
            return _without(error.reason, "they could not be compared")
        return choose(placements, self.settings.min_score)

    async def _relevant(self, question: str, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates whose caption fits the question, by the reranker, or by the embedder without one."""
        captions = [candidate.image.caption for candidate in candidates]
        scores = await self.models.rerank(question, captions)
        reranked, least = scores is not None, self.settings.reranked_relevance
        if scores is None:
            vector_of, least = await self._embed([question, *captions]), self.settings.embedded_relevance
            scores = [cosine(vector_of[question], vector_of[caption]) for caption in captions]
        pairs = zip(candidates, scores, strict=True)
        return [replace(each, relevance=score, reranked=reranked) for each, score in pairs if score >= least]

    async def _beside(
        self,
        question: str,
        paragraphs: Sequence[CitedParagraph],
        candidates: Sequence[Candidate],
        principals: Sequence[str],
    ) -> list[PlacedImage]:
        """Each picture beside each paragraph, with how well it fits there."""
        texts = [paragraph.text for paragraph in paragraphs]
        of_pictures = (text for candidate in candidates for text in candidate.texts)
        stored = [(candidate.passage.collection, candidate.image.image_id) for candidate in candidates]
        vector_of, looks = await asyncio.gather(
            self._embed([*texts, *of_pictures]), self.models.look(stored, texts, principals)
        )
        scorer = PairScorer(question, question_language(question, [each.passage for each in candidates]), vector_of)
        return [
            scorer.score(paragraph, candidate, (looks.texts[row], seen) if looks and seen is not None else None)
            for row, paragraph in enumerate(paragraphs)
            for candidate, seen in zip(candidates, looks.pictures if looks else [None] * len(candidates), strict=True)
        ]

    async def _embed(self, texts: Sequence[str]) -> Mapping[str, Vector]:
        """The vector of each text; one call, in which each text stands once."""
        distinct = list(dict.fromkeys(texts))
        return dict(zip(distinct, await self.models.embed(distinct), strict=True))


def _without(reason: str, cause: str) -> tuple[Degraded]:
    return (Degraded(Stage.ANSWER, reason, f"The answer has no pictures: {cause}."),)
