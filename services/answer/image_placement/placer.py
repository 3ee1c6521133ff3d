"""Places pictures beside the paragraphs of an answer.

The answer is never affected: pictures that fail or take too long are omitted, and that is reported; nothing is raised.
If the cited documents have no good picture, no model is called.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

from libs.contracts.answers import ComparedBy, PlacedImage
from libs.contracts.evidence import Reference
from libs.contracts.usage import Degraded, Stage
from libs.runtime.errors import ParleyError
from services.answer.image_placement.assignment import assign
from services.answer.image_placement.candidates import CitedParagraph, find_candidates
from services.answer.image_placement.comparing import Fit, NoEmbedder, RelevantPicture, compare, find_relevant
from services.answer.image_placement.inference import PlacementModels
from services.answer.image_placement.scoring import PlacementBounds, mean_of


@dataclass(frozen=True, slots=True)
class PicturePlacement:
    """Pictures beside paragraphs, in paragraph order; an empty result is valid."""

    images: tuple[PlacedImage, ...] = ()
    degraded: Degraded | None = None
    """The reason why there are none, if something failed."""

    @property
    def steps(self) -> tuple[PlacedImage | Degraded, ...]:
        """The pictures, then the degradation if any."""
        return (*self.images, self.degraded) if self.degraded else self.images


@dataclass(frozen=True, slots=True)
class ImagePlacer:
    """Finds, compares and assigns pictures."""

    models: PlacementModels
    bounds: PlacementBounds = field(default_factory=PlacementBounds)
    seconds: float = 3.0
    """Limit on the whole placement, in seconds (taste)."""
    max_pictures: int = 32
    """Pictures that are examined, those of the best ranked documents first; a bound on the time, chosen by hand."""

    async def place(
        self,
        question: str,
        paragraphs: Sequence[CitedParagraph],
        references: Sequence[Reference],
        principals: Sequence[str] = (),
        seconds: float = inf,
    ) -> PicturePlacement:
        """Place pictures of the cited documents, each beside the paragraph that it illustrates.

        Args:
            question: the standalone question.
            paragraphs: of the final text, only those with citations.
            references: the evidence of the answer.
            principals: of the user.
            seconds: time left in the request's budget.
        """
        candidates = find_candidates(paragraphs, references, self.max_pictures)
        if not candidates:
            return PicturePlacement()
        try:
            async with asyncio.timeout(min(self.seconds, seconds)):
                pictures = await find_relevant(self.models, question, candidates, self.bounds)
                if not pictures:
                    return PicturePlacement()
                fits = await compare(self.models, question, paragraphs, pictures, principals)
        except TimeoutError:
            return _without("DEADLINE_EXCEEDED", "comparing them took longer than PARLEY_ANSWER_PICTURES_SECONDS")
        except NoEmbedder:
            return _without("EMBEDDER_MISSING", "no embedding model is configured to compare them")
        except ParleyError as error:
            return _without(error.reason, "they could not be compared")
        return PicturePlacement(choose(paragraphs, pictures, fits, self.bounds.min_score))


def choose(
    paragraphs: Sequence[CitedParagraph],
    pictures: Sequence[RelevantPicture],
    fits: Sequence[Sequence[Fit]],
    min_score: float,
) -> tuple[PlacedImage, ...]:
    """Return the pictures with the greatest total score: one per paragraph, each once, none below `min_score`.

    Args:
        paragraphs: the paragraphs to illustrate.
        pictures: the pictures; the same one may come from several documents.
        fits: one row per paragraph, one column per picture.
        min_score: pairs with a lower score are not made.
    """
    columns: dict[tuple[str, int, int], list[int]] = {}
    for column, picture in enumerate(pictures):
        columns.setdefault(picture.candidate.shows, []).append(column)
    best = [
        [max(copies, key=lambda column: mean_of(row[column].scores)) for copies in columns.values()] for row in fits
    ]
    scores = [
        [mean_of(row[column].scores) for column in best_columns] for row, best_columns in zip(fits, best, strict=True)
    ]
    pairs = assign([[score if score >= min_score else 0.0 for score in row] for row in scores])
    return tuple(
        _placed_image(paragraph, pictures[best_columns[index]], row[best_columns[index]], worth[index])
        for paragraph, row, best_columns, worth, index in zip(paragraphs, fits, best, scores, pairs, strict=True)
        if index is not None
    )


def _placed_image(paragraph: CitedParagraph, picture: RelevantPicture, fit: Fit, score: float) -> PlacedImage:
    passage, scores = picture.candidate.passage, fit.scores
    matched_part = "The picture" if fit.compared_by is ComparedBy.CLIP else "The caption"
    title = _quoted_title(passage.title)
    reason = (
        f"{matched_part} fits the paragraph ({scores.picture:.2f}), and so does its document, {title} "
        f"(title {scores.title:.2f}, text {scores.text:.2f}); the caption fits the question ({scores.relevance:.2f})."
    )
    return PlacedImage(
        paragraph.number, picture.candidate.image, passage.document_id, score, reason, scores, fit.compared_by
    )


def _quoted_title(title: str) -> str:
    return f"“{title}”" if title else "which has no title"


def _without(reason: str, cause: str) -> PicturePlacement:
    return PicturePlacement(degraded=Degraded(Stage.ANSWER, reason, f"The answer has no pictures: {cause}."))
