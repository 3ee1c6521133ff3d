"""Settings of image placement, from the environment (PARLEY_ANSWER_PICTURES_...), and the placer that they describe."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pydantic import Field

from libs.runtime.calling.channel import open_channel
from libs.runtime.settings import AreaSettings, Tuned
from services.answer.image_placement.inference import PlacementModelClient
from services.answer.image_placement.matching import PlacementBounds
from services.answer.image_placement.placer import ImagePlacer

_BOUNDS = PlacementBounds()


class ImagePlacementSettings(AreaSettings, area="answer_pictures"):
    """Whether pictures are placed, which process compares them, and how well they must fit."""

    enabled: bool = True
    """Whether pictures are placed at all."""
    inference: str = "127.0.0.1:50054"  # that stage's default port
    """Address of the process whose models compare (the retrieve stage); called only if there is a picture to place."""
    seconds: float = Field(default=3.0, gt=0, le=60)  # taste
    """Maximum time after the text until the pictures are placed; after that there are none, and that is reported. On
    two cores that ten other processes used too, it took .02 s for known texts and .3 to 1.6 s for new ones."""
    reranked_relevance: Tuned[float] = Field(default=_BOUNDS.reranked_relevance, ge=0, le=1)
    """Minimum relevance of a caption to the question by a reranker."""
    embedded_relevance: Tuned[float] = Field(default=_BOUNDS.embedded_relevance, ge=0, le=1)
    """Minimum cosine of caption and question without a reranker; for all-MiniLM-L6-v2, other embedders differ."""

    @property
    def bounds(self) -> PlacementBounds:
        """As placing takes them."""
        return PlacementBounds(self.reranked_relevance, self.embedded_relevance)


@asynccontextmanager
async def open_image_placer() -> AsyncIterator[ImagePlacer | None]:
    """Open an image placer with the environment's settings; None if disabled. Its channel connects on first use."""
    settings = ImagePlacementSettings.load()
    if not settings.enabled:
        yield None
        return
    async with open_channel(settings.inference) as channel:
        models = PlacementModelClient(channel)
        yield ImagePlacer(models, settings.bounds, settings.seconds)
