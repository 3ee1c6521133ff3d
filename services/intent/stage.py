"""Set up the intent stage for its process: settings, the policy's and prompts' files, and the language model."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from libs.contracts.stages.intent import METHODS
from libs.contracts.usage import Stage
from libs.engines.catalog import open_engine
from libs.llm.client import capability_of, open_chat_model
from libs.llm.messages import ChatModel
from libs.llm.prompts import PromptLibrary
from libs.llm.settings import LlmSettings
from libs.runtime.serving.stage import StageServices
from libs.runtime.settings import SettingsError
from libs.runtime.threads import in_thread
from libs.servicing.stage_service import stage_service
from services.intent.by_model import judge_llm, reading
from services.intent.by_model.llm_engine import LlmEngine
from services.intent.policy.policies import Policies, load_policies
from services.intent.policy.policy import PolicyError
from services.intent.rules import RulesEngine
from services.intent.settings import IntentSettings
from services.intent.tasks import IntentTasks
from services.intent.understand import Understander

_PROMPTS = Path(__file__).parent / "prompts"


@asynccontextmanager
async def open_stage(settings: IntentSettings | None = None) -> AsyncIterator[StageServices]:
    """Open the stage, with the settings of the environment if none are given.

    Raises:
        SettingsError: the policy file is unusable.
        PromptError: a prompt in the user's folder is invalid.
    """
    settings, llm_settings = settings or IntentSettings.load(), LlmSettings.load()
    rules = RulesEngine(_policies(settings), settings.ask_threshold)
    judge_plugin = open_engine("judge", settings.judge_engine, settings.variable("judge_engine"), ("auto",))
    async with open_chat_model(llm_settings, Stage.INTENT) as model:
        llm = _llm_engine(llm_settings, rules, model)
        understander = Understander(rules, llm, settings.engine, llm_settings.step_seconds)
        tasks = IntentTasks(understander, judge_plugin=judge_plugin)
        yield StageServices(
            name="intent",
            tasks=tasks,
            services=(stage_service(METHODS, tasks),),
            capabilities=(
                capability_of(reading.TASK, settings.engine, llm_settings),
                capability_of(judge_llm.TASK, settings.judge_engine if judge_plugin else settings.engine, llm_settings),
            ),
            warm_up=lambda: in_thread(rules.warm_up),
        )


def _llm_engine(llm_settings: LlmSettings, rules: RulesEngine, model: ChatModel | None) -> LlmEngine | None:
    prompts = PromptLibrary(_PROMPTS, llm_settings.prompts_folder)
    prompt, judge_prompt = prompts.load(*reading.PROMPT), prompts.load(*judge_llm.PROMPT)
    if model is None:
        return None
    return LlmEngine(rules, reading.IntentReader(model, prompt, rules.policies), judge_llm.Judge(model, judge_prompt))


def _policies(settings: IntentSettings) -> Policies:
    try:
        return load_policies(settings.policy, settings.refuse)
    except PolicyError as error:
        raise SettingsError(f"{settings.variable('policy')}: {error}") from None
