"""The timeline stage as a process hosts it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.runtime.server_info import Capability
from services.runtime.stage import StageServices
from services.text.tokens import stem
from services.timeline.build import TimelineBuilder
from services.timeline.servicer import TimelineServicer
from services.timeline.settings import TimelineSettings


@asynccontextmanager
async def open_stage() -> AsyncIterator[StageServices]:
    """The stage with the settings of the environment; nothing to close."""
    settings = TimelineSettings.load()
    yield StageServices(
        name="timeline",
        servicers=(TimelineServicer(TimelineBuilder(settings.bounds)),),
        capabilities=(Capability("build", "rules"),),
        warm_up=_warm_up,
    )


async def _warm_up() -> None:
    """The stemmer is loaded with the first word."""
    await asyncio.to_thread(stem, "timelines")
