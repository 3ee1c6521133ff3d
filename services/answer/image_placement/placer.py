"""Places pictures beside the paragraphs of an answer.

The answer is never affected: pictures that fail or take too long are omitted, and that is reported; nothing is raised.
If the cited documents have no good picture, no model is called.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

from libs.contracts.answers import PlacedImage
from libs.contracts.evidence import Reference
from libs.contracts.usage import Degraded, Stage
from libs.runtime.errors import ParleyError
from services.answer.image_placement.candidates import CitedParagraph, find_candidates
from services.answer.image_placement.inference import PlacementModels
from services.answer.image_placement.matching import NoEmbedder, PlacementBounds, choose, compare, find_relevant


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
    """Finds, compares and chooses pictures."""

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
                placements = await compare(self.models, question, paragraphs, pictures, principals)
        except TimeoutError:
            return _without("DEADLINE_EXCEEDED", "comparing them took longer than PARLEY_ANSWER_PICTURES_SECONDS")
        except NoEmbedder:
            return _without("EMBEDDER_MISSING", "no embedding model is configured to compare them")
        except ParleyError as error:
            return _without(error.reason, "they could not be compared")
        return PicturePlacement(choose(placements, self.bounds.min_score))


def _without(reason: str, cause: str) -> PicturePlacement:
    return PicturePlacement(degraded=Degraded(Stage.ANSWER, reason, f"The answer has no pictures: {cause}."))
