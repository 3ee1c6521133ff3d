"""Settings of image placement, and the placer that they describe."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

from pydantic import Field, model_validator

from libs.runtime.calling.channel import open_channel
from libs.runtime.settings import AreaSettings
from services.answer.image_placement.inference import PlacementModelClient
from services.answer.image_placement.placer import ImagePlacer
from services.answer.image_placement.scoring import PlacementBounds, Weights

_BOUNDS, _WEIGHTS = PlacementBounds(), Weights()


class ImagePlacementSettings(AreaSettings, area="answer_pictures"):
    """Whether pictures are placed, which process compares them, and how well they must fit."""

    enabled: bool = True
    """Whether pictures are placed at all."""
    inference: str = "127.0.0.1:50054"
    """Address of the process whose models compare (the retrieve stage); called only if there is a picture to place."""
    seconds: float = Field(default=3.0, gt=0, le=60)
    """Most time after the text until the pictures are placed; after that there are none, and that is reported. On two
    cores that ten other processes used too, it took .02 s for known texts and .3 to 1.6 s for new ones."""
    most: int = Field(default=32, ge=1, le=64)
    """Most pictures examined per answer, those of the best ranked documents first."""
    reranked_relevance: float = Field(default=_BOUNDS.reranked_relevance, ge=0, le=1)
    """Least relevance of a caption to the question by a reranker."""
    embedded_relevance: float = Field(default=_BOUNDS.embedded_relevance, ge=0, le=1)
    """Least cosine of caption and question without a reranker; for all-MiniLM-L6-v2, other embedders need their own."""
    least_score: float = Field(default=_BOUNDS.least_score, ge=0, le=1)
    """Least score of a picture beside a paragraph."""
    clip_zero: float = Field(default=_BOUNDS.clip_zero, ge=-1, lt=1)
    """The image model's cosine of an unrelated picture and text; for CLIP ViT-B/32."""
    clip_full: float = Field(default=_BOUNDS.clip_full, gt=0, le=1)
    """The image model's cosine of a perfect match; more than `clip_zero`."""
    picture_weight: float = Field(default=_WEIGHTS.picture, ge=0, le=10)
    """Weight of the similarity of picture and paragraph."""
    title_weight: float = Field(default=_WEIGHTS.title, ge=0, le=10)
    """Weight of the similarity of the document's title and the paragraph."""
    text_weight: float = Field(default=_WEIGHTS.text, ge=0, le=10)
    """Weight of the similarity of the document's text and the paragraph."""

    @property
    def bounds(self) -> PlacementBounds:
        """As placing takes them."""
        return PlacementBounds(
            self.reranked_relevance, self.embedded_relevance, self.least_score, self.clip_zero, self.clip_full
        )

    @model_validator(mode="after")
    def _stretch(self) -> Self:
        if self.clip_full <= self.clip_zero:
            raise ValueError("clip_full must be more than clip_zero")
        return self

    @property
    def weights(self) -> Weights:
        """As placing takes them."""
        return Weights(self.picture_weight, self.title_weight, self.text_weight)


@asynccontextmanager
async def open_image_placer() -> AsyncIterator[ImagePlacer | None]:
    """Open an image placer with the environment's settings; None if disabled. Its channel connects on first use."""
    settings = ImagePlacementSettings.load()
    if not settings.enabled:
        yield None
        return
    async with open_channel(settings.inference) as channel:
        models = PlacementModelClient(channel)
        yield ImagePlacer(models, settings.bounds, settings.weights, settings.seconds, settings.most)
