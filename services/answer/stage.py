"""Set up the answer stage for its process. At the start a wrong setting raises SettingsError, a prompt PromptError."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

from libs.contracts.evidence import Evidence, Passage, Reference
from libs.contracts.options import Length
from libs.contracts.stages.answer import METHODS, VerifyRequest, WriteRequest
from libs.contracts.usage import Stage
from libs.engines.catalog import built_in
from libs.llm.by_model import ByModel
from libs.llm.client import OpenAiChatModel, capability_of, open_chat_model
from libs.llm.prompts import PromptLibrary
from libs.llm.settings import RULES, LlmSettings
from libs.runtime.calling.channel import open_channel
from libs.runtime.serving.server_info import Capability
from libs.runtime.serving.stage import StageServices
from libs.runtime.threads import in_thread
from libs.servicing.stage_service import stage_service
from services.answer.by_model import extraction, translation
from services.answer.by_model.extraction import Extractor
from services.answer.by_model.task_model import TaskModel
from services.answer.image_placement.inference import PlacementModels
from services.answer.image_placement.placer import ImagePlacer
from services.answer.image_placement.settings import ImagePlacementSettings
from services.answer.quoting.drafting import draft_answer
from services.answer.settings import TASKS, AnswerSettings, Plugins
from services.answer.tasks import AnswerTasks
from services.answer.verification.verify import verify
from services.answer.write import Writer
from services.answer.writing.llm import LlmWriter
from services.answer.writing.prompt_building import PROMPT

_PROMPTS = Path(__file__).parent / "prompts"


@asynccontextmanager
async def open_stage() -> AsyncIterator[StageServices]:
    """Open the stage with the settings of the environment, for the duration of the context."""
    settings, llm_settings = AnswerSettings.load(), LlmSettings.load()
    plugins = Plugins.open(settings)
    writing = settings.model_copy(update={"engine": built_in(settings.engine)})
    extract_choice = "rules" if "extract" in plugins.engines else built_in(settings.extract_engine)
    needs_model = {writing.engine, extract_choice} != {"rules"}
    model_context = open_chat_model(llm_settings, Stage.ANSWER) if needs_model else nullcontext()
    async with model_context as model, _open_image_placer() as image_placer:
        prompts = PromptLibrary(_PROMPTS, llm_settings.prompts_folder)
        prompt = prompts.load(extraction.TASK, extraction.PLACEHOLDERS)
        extractor = Extractor(extract_choice, TaskModel(extraction.TASK, model, prompt) if model else None)
        writers = _writers(writing, llm_settings.offered - {RULES}, prompts, model, image_placer, plugins)
        tasks = AnswerTasks(writers, extractor, plugins)
        yield StageServices(
            name="answer",
            tasks=tasks,
            services=(stage_service(METHODS, tasks),),
            capabilities=(
                *(capability_of(task, settings.engine_of(task), llm_settings) for task in TASKS),
                Capability("place pictures", "rules" if image_placer else "none"),
            ),
            warm_up=_warm_up,
        )


@asynccontextmanager
async def _open_image_placer() -> AsyncIterator[ImagePlacer | None]:
    """Open an image placer with the environment's settings; None if disabled. Its channel connects on first use."""
    settings = ImagePlacementSettings.load()
    if not settings.enabled:
        yield None
        return
    async with open_channel(settings.inference) as channel:
        yield ImagePlacer(PlacementModels(channel, settings.seconds), settings)


def _writers(
    settings: AnswerSettings,
    offered: Iterable[str],
    prompts: PromptLibrary,
    model: OpenAiChatModel | None,
    image_placer: ImagePlacer | None,
    plugins: Plugins,
) -> ByModel[Writer]:
    prompt, translation_prompt = prompts.load(*PROMPT), prompts.load(translation.TASK, translation.PLACEHOLDERS)

    def writer_by(chat_model: OpenAiChatModel) -> Writer:
        translator = TaskModel(translation.TASK, chat_model, translation_prompt)
        writer = LlmWriter(chat_model, prompt, settings.llm_passages, settings.llm_words)
        return Writer(settings, writer, image_placer, plugins, translator)

    rules = Writer(settings.model_copy(update={"engine": "rules"}), None, image_placer, plugins)
    if model is None:
        return ByModel(Writer(settings, None, image_placer, plugins), {RULES: rules})
    writers = {name: writer_by(model.named(name)) for name in offered}
    return ByModel(writer_by(model), {RULES: rules, **writers})


async def _warm_up() -> None:
    """Draft and verify a sample answer, because stemmer, word lists and patterns are built on first use."""
    text = "The first bridge over the river was built in May 1849. It was 90 metres long."
    passage = Passage("warm-up", "warm-up", text, title="The first bridge")
    request = WriteRequest("When was the bridge built?", references=(Reference(1, Evidence(passage)),))
    await in_thread(draft_answer, request, Length.MEDIUM, 0.5)  # the setting's default; any threshold does
    await in_thread(verify, VerifyRequest(("The bridge dates from 1849.",), (passage,)))
