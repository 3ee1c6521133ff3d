"""Opening what places pictures, as the settings say."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from libs.runtime.channel import open_channel
from services.answer.choreography.choreographer import Choreographer
from services.answer.choreography.inference import InferenceClient
from services.answer.choreography.settings import ChoreographySettings


@asynccontextmanager
async def open_choreographer() -> AsyncIterator[Choreographer | None]:
    """With the settings of the environment; None where no pictures are wanted. Its channel connects when first used."""
    settings = ChoreographySettings.load()
    if not settings.enabled:
        yield None
        return
    async with open_channel(settings.inference) as channel:
        models = InferenceClient(channel)
        yield Choreographer(models, settings.bounds, settings.weights, settings.seconds, settings.most)
