"""Assembles the timeline stage for its process: its settings, prompt, model, and the process that compares meanings."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from libs.contracts.stages.timeline import METHODS
from libs.contracts.usage import Stage
from libs.engines.catalog import built_in, open_engine
from libs.inference.client import InferenceClient, TextKind
from libs.language.known import ENGLISH
from libs.llm.client import capability_of, open_chat_model
from libs.llm.prompts import PromptLibrary
from libs.llm.settings import LlmSettings
from libs.runtime.calling.channel import open_channel
from libs.runtime.serving.server_info import Capability
from libs.runtime.serving.stage import StageServices
from libs.runtime.threads import in_thread
from libs.servicing.stage_service import stage_service
from libs.text.tokens import stem
from services.timeline import extract_llm
from services.timeline.build import TimelineBounds, TimelineBuilder
from services.timeline.event_selection import EventSelector
from services.timeline.paraphrases import ParaphraseFinder
from services.timeline.settings import NONE, TimelineSettings
from services.timeline.tasks import TimelineTasks

_PROMPTS = Path(__file__).parent / "prompts"
COMPARISON_SECONDS: Final = 2.0
"""Timeout of the comparison by meaning; then only words are compared, which is reported. A guess: a timeline without it
is worse, a late one is useless."""


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
    async with open_chat_model(llm_settings, Stage.TIMELINE) as model, _open_meaning(settings) as meaning:
        extractor = extract_llm.Extractor(model, prompt) if model else None
        choosing = EventSelector(extractor, built_in(settings.engine), llm_settings.step_seconds)
        tasks = TimelineTasks(
            TimelineBuilder(TimelineBounds(settings.max_events, settings.duplicate_likeness), choosing, meaning), plugin
        )
        yield StageServices(
            name="timeline",
            tasks=tasks,
            services=(stage_service(METHODS, tasks),),
            capabilities=(
                Capability("build", settings.engine if plugin else "rules"),
                _comparison(settings),
                capability_of(extract_llm.TASK, built_in(settings.engine), llm_settings),
            ),
            warm_up=_warm_up,
        )


@asynccontextmanager
async def _open_meaning(settings: TimelineSettings) -> AsyncIterator[ParaphraseFinder]:
    """Open the comparison by meaning; its channel connects when first used. Texts are embedded as passages."""
    if settings.inference == NONE:
        yield ParaphraseFinder()
        return
    async with open_channel(settings.inference) as channel:
        embedder = InferenceClient(channel, COMPARISON_SECONDS, TextKind.PASSAGE)
        yield ParaphraseFinder(embedder, settings.meaning_likeness)


def _comparison(settings: TimelineSettings) -> Capability:
    """Describe how duplicate events are recognised."""
    if settings.inference == NONE:
        return Capability("compare", "words")
    return Capability("compare", "words and meaning", f"the model of {settings.inference}")


async def _warm_up() -> None:
    """Load the stemmer, which happens with the first word."""
    await in_thread(stem, "timelines", ENGLISH)
