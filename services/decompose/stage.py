"""Assembles the services of the decompose stage for its host process: settings, files, channels and engines."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from threadpoolctl import threadpool_limits

from libs.contracts.query import Strategy
from libs.contracts.stages.decompose import METHODS
from libs.contracts.usage import Stage
from libs.engines.catalog import built_in, open_engine
from libs.inference.client import InferenceClient, TokenClient
from libs.language.known import ENGLISH
from libs.llm.by_model import ByModel
from libs.llm.client import capability_of, open_chat_model
from libs.llm.messages import ChatModel
from libs.llm.prompts import PromptLibrary
from libs.llm.settings import RULES, LlmSettings
from libs.runtime.calling.channel import open_channel
from libs.runtime.serving.stage import StageServices
from libs.runtime.settings import SettingsError
from libs.runtime.threads import in_thread
from libs.servicing.stage_service import stage_service
from services.decompose.condense.llm import PROMPT as SUMMARIZING_PROMPT
from services.decompose.condense.llm import Summarizer
from services.decompose.decomposer import Decomposer
from services.decompose.plan.planner import Planner
from services.decompose.plan.split import Splitter
from services.decompose.prepare_llm import PROMPT as PLANNING_PROMPT
from services.decompose.prepare_llm import LlmPreparer
from services.decompose.query.formulation import QueryFormulation
from services.decompose.query.multi_query import PROMPT as REWRITING_PROMPT
from services.decompose.query.multi_query import LlmRewording, Rewriter
from services.decompose.settings import DecomposeSettings
from services.decompose.tasks import DecomposeTasks
from services.decompose.turn_analysis import DecomposeBounds
from services.decompose.wording.service import WordingService
from services.decompose.wording.tagger import MODEL, STATE_LAYERS
from services.decompose.words.domain import Domain, load_domain

PROMPTS = Path(__file__).parent / "prompts"
EMBED_SECONDS: Final = 5.0
"""Timeout of embedding, for MMR and MULTI_QUERY. A guess: half of the gateway's timeout for the whole step."""

SUMMARIZING: Final = 0.5
"""Share of the model's time for a rewrite that summarizing older turns may take (taste)."""

READ_SECONDS: Final = 1.0
"""Timeout of reading a turn and its history, which takes milliseconds; unread, the turn is searched as it is. Taste."""


@asynccontextmanager
async def open_stage() -> AsyncIterator[StageServices]:
    """Open the stage with the settings of the environment.

    Raises:
        SettingsError: the domain file can't be read.
        PromptError: a prompt in the user's folder is invalid.
    """
    settings, llm_settings = DecomposeSettings.load(), LlmSettings.load()
    condense_plugin = open_engine("condense", settings.engine, settings.variable("engine"))
    plan_plugin = open_engine("plan", settings.plan_engine, settings.variable("plan_engine"))
    domain, prompts = _domain(settings), PromptLibrary(PROMPTS, llm_settings.prompts_folder)
    plan_prompt, rewriting_prompt = prompts.load(*PLANNING_PROMPT), prompts.load(*REWRITING_PROMPT)
    summary_prompt = prompts.load(*SUMMARIZING_PROMPT)
    async with AsyncExitStack() as stack:
        # Matrices of words are small: with two threads of OpenBLAS, which spin while they wait for each other, the
        # tagger took 24 ms of a busy core, and takes 2 with one.
        stack.enter_context(threadpool_limits(1, user_api="blas"))
        model = await stack.enter_async_context(open_chat_model(llm_settings, Stage.DECOMPOSE))
        channel = await stack.enter_async_context(open_channel(settings.inference))
        embedder = InferenceClient(channel, EMBED_SECONDS)
        wording = WordingService(TokenClient(channel, READ_SECONDS, MODEL, STATE_LAYERS))
        llm_planner = LlmPreparer(model, plan_prompt) if model else None
        splitter, seconds = Splitter(domain), llm_settings.step_seconds
        bounds = DecomposeBounds(Strategy(settings.strategy), built_in(settings.engine), seconds)
        planner = Planner(splitter, built_in(settings.plan_engine), seconds, llm_planner)

        def decomposer_by(model: ChatModel | None) -> Decomposer:
            preparer = rewording = None
            if model is not None:
                summarizer = Summarizer(model, summary_prompt, seconds * SUMMARIZING)
                preparer = LlmPreparer(model, plan_prompt, summarizer)
                rewording = LlmRewording(model, rewriting_prompt, summarizer) if bounds.engine != "rules" else None
            rewriter = Rewriter(domain, seconds, rewording)
            searching = QueryFormulation(rewriter, embedder, settings.mmr_sentences, settings.mmr_trade_off)
            return Decomposer(domain, bounds, preparer, searching, planner, wording)

        decomposer = decomposer_by(model)
        decomposers = {RULES: decomposer_by(None)}
        if model:
            decomposers |= {name: decomposer_by(model.named(name)) for name in llm_settings.offered - {RULES}}
        tasks = DecomposeTasks(ByModel(decomposer, decomposers), condense_plugin, plan_plugin)
        yield StageServices(
            name="decompose",
            tasks=tasks,
            services=(stage_service(METHODS, tasks),),
            capabilities=(
                capability_of("condense", settings.engine, llm_settings),
                capability_of("decompose", settings.plan_engine, llm_settings),
            ),
            warm_up=lambda: in_thread(decomposer.warm_up),
        )


def _domain(settings: DecomposeSettings) -> Domain:
    try:
        return load_domain(settings.domain, language=ENGLISH)
    except ValueError as error:
        raise SettingsError(f"{settings.variable('domain')}: {error}") from None
