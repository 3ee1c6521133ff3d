"""Opens the image placer according to the settings."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from libs.runtime.calling.channel import open_channel
from services.answer.image_placement.inference import PlacementModelClient
from services.answer.image_placement.placer import ImagePlacer
from services.answer.image_placement.settings import ImagePlacementSettings


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
