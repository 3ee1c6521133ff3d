"""Assembles the timeline stage for its process: its settings, prompt and model."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from libs.contracts.stages.timeline import METHODS
from libs.contracts.usage import Stage
from libs.engines.catalog import built_in, open_engine
from libs.language.known import ENGLISH
from libs.llm.client import capability_of, open_chat_model
from libs.llm.prompts import PromptLibrary
from libs.llm.settings import LlmSettings
from libs.runtime.serving.server_info import Capability
from libs.runtime.serving.stage import StageServices
from libs.runtime.threads import in_thread
from libs.servicing.stage_service import stage_service
from libs.text.tokens import stem
from services.timeline.build import TimelineBounds, TimelineBuilder
from services.timeline.by_model import extract_llm
from services.timeline.by_model.event_selection import EventSelector
from services.timeline.settings import TimelineSettings
from services.timeline.tasks import TimelineTasks

_PROMPTS = Path(__file__).parent / "prompts"


@asynccontextmanager
async def open_stage() -> AsyncIterator[StageServices]:
    """Open the stage with the settings from the environment.

    Raises:
        PromptError: the prompt in the user's folder is invalid.
        SettingsError: a setting is invalid, or there is no such engine.
    """
    settings, llm_settings = TimelineSettings.load(), LlmSettings.load()
    plugin = open_engine("date", settings.engine, settings.variable("engine"))
    prompt = PromptLibrary(_PROMPTS, llm_settings.prompts_folder).load(*extract_llm.PROMPT)
    async with open_chat_model(llm_settings, Stage.TIMELINE) as model:
        extractor = extract_llm.Extractor(model, prompt) if model else None
        choosing = EventSelector(extractor, built_in(settings.engine), llm_settings.step_seconds)
        bounds = TimelineBounds(settings.max_events, settings.duplicate_likeness)
        tasks = TimelineTasks(TimelineBuilder(bounds, choosing), plugin)
        yield StageServices(
            name="timeline",
            tasks=tasks,
            services=(stage_service(METHODS, tasks),),
            capabilities=(
                Capability("build", settings.engine if plugin else "rules"),
                capability_of(extract_llm.TASK, built_in(settings.engine), llm_settings),
            ),
            warm_up=_warm_up,
        )


async def _warm_up() -> None:
    """Load the stemmer, which happens with the first word."""
    await in_thread(stem, "timelines", ENGLISH)
