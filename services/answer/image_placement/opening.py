"""Opening what places pictures, as the settings say."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from libs.runtime.channel import open_channel
from services.answer.image_placement.inference import InferenceClient
from services.answer.image_placement.placer import ImagePlacer
from services.answer.image_placement.settings import ImagePlacementSettings


@asynccontextmanager
async def open_image_placer() -> AsyncIterator[ImagePlacer | None]:
    """With the settings of the environment; None where no pictures are wanted. Its channel connects when first used."""
    settings = ImagePlacementSettings.load()
    if not settings.enabled:
        yield None
        return
    async with open_channel(settings.inference) as channel:
        models = InferenceClient(channel)
        yield ImagePlacer(models, settings.bounds, settings.weights, settings.seconds, settings.most)
