"""Assembles the retrieve stage: the corpus, its engines, the models and the gRPC services.

Sets two things of the process: threads of BLAS, and those of the event loop. What blocks when opening runs in threads.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress

from threadpoolctl import threadpool_limits

from libs.contracts.stages.retrieve import METHODS
from libs.runtime.errors import Unavailable
from libs.runtime.serving.server_info import Capability
from libs.runtime.serving.service import Service
from libs.runtime.serving.stage import StageServices
from libs.runtime.serving.validation import Validation
from libs.runtime.settings import SettingsError
from libs.runtime.storage import unusable_file
from libs.servicing.stage_service import stage_service
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.databases.postgres import PostgresSettings
from services.retrieve.corpus.databases.schema import UnusableCorpus
from services.retrieve.corpus.originals import file_of
from services.retrieve.corpus_access import CorpusAccess
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.embedding.embedder import TextKind
from services.retrieve.engines.collection import Engines
from services.retrieve.engines.opening import EngineSettings, engine_makers
from services.retrieve.indexing import index_sync
from services.retrieve.indexing.ingesting import Ingester
from services.retrieve.indexing.later_vectors import LaterVectors
from services.retrieve.models import open_models
from services.retrieve.pages.pages import PagePictures
from services.retrieve.search.retriever import Retriever
from services.retrieve.servicer_corpus import CorpusServicer
from services.retrieve.servicer_inference import InferenceServicer
from services.retrieve.settings import RetrieveSettings
from services.retrieve.sources.ranges import RangeDetector, RangeSettings
from services.retrieve.sources.search_engines import open_web, web_capability
from services.retrieve.sources.web_search import WebSettings
from services.retrieve.sources.web_store import KeptPassages
from services.retrieve.tasks import RetrieveTasks

THREADS = 32  # threads of a process that calls search servers; most of them wait (taste)


@asynccontextmanager
async def open_stage(
    settings: RetrieveSettings | None = None, web_settings: WebSettings | None = None
) -> AsyncIterator[StageServices]:
    """Open the stage; settings default to those of the environment.

    Raises:
        SettingsError: the data directory is in use or of another version, or a model cannot be used.
    """
    settings, web_settings = settings or RetrieveSettings.load(), web_settings or WebSettings.load()
    async with AsyncExitStack() as stack:
        # One core per search: concurrent callers use the others. OpenBLAS's own threads spin while they wait for each
        # other, which was ten times slower with 16 callers on two cores.
        stack.enter_context(threadpool_limits(1, user_api="blas"))
        corpus = await _open_corpus(settings, stack)
        engine_settings = EngineSettings()
        try:
            makers = stack.enter_context(engine_makers(engine_settings))
        except ValueError as error:
            raise SettingsError(f"{engine_settings.elasticsearch.variable('url')}: {error}") from error
        if not makers.are_embedded:  # calls that wait for servers leave threads to the embedded engines
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS, "retrieve"))
        engines = Engines(corpus, settings.data / "engines", makers)
        stack.callback(engines.close)
        models = await open_models(settings, stack)
        embedder = models.embedder
        preparation = settings.preparation(embedder.profile if embedder else None)
        web_passages = KeptPassages(settings.data / "web.db", web_settings.keep_days)
        web = await open_web(web_settings, preparation, embedder, web_passages, stack)
        retriever = Retriever(corpus, engines, embedder, settings.ranking, models.reranker, web)
        ingester = Ingester(corpus, embedder, preparation)
        validation = Validation()
        access = CorpusAccess(corpus, web_passages)
        pages = stack.enter_context(closing(PagePictures(lambda original: corpus.read(file_of, original))))
        corpus_servicer = CorpusServicer(ingester, access, retriever, pages, validation)
        later_vectors = LaterVectors(corpus, embedder, preparation) if embedder is not None else None
        await stack.enter_async_context(index_sync.in_sync(engines, later_vectors))
        tasks = RetrieveTasks(retriever, RangeDetector(RangeSettings.load(), web is not None), corpus)
        yield StageServices(
            name="retrieve",
            tasks=tasks,
            services=(
                stage_service(METHODS, tasks),
                Service.of(corpus_servicer, long_running=("Ingest",)),
                Service.of(InferenceServicer(embedder, models.reranker, models.pictures, access, models.reader)),
            ),
            capabilities=(
                Capability("store", corpus.database.name, "" if corpus.database.is_shared else "corpus.db"),
                *engine_settings.capabilities(models.capabilities[0]),
                *models.capabilities,
                web_capability(web_settings),
            ),
            warm_up=lambda: _warm_up(engines, embedder),
        )


async def _open_corpus(settings: RetrieveSettings, stack: AsyncExitStack) -> Corpus:
    """Open the corpus; a failure is reported as a settings error, without a traceback."""
    postgres = PostgresSettings.load()
    is_shared = bool(postgres.url.get_secret_value())
    variable = postgres.variable("url") if is_shared else settings.variable("data")
    opening = Corpus.open_shared(postgres) if is_shared else Corpus.open(settings.data)
    try:
        corpus = await asyncio.to_thread(opening.__enter__)
    except (UnusableCorpus, OSError) as error:
        place = "" if is_shared else f" {settings.data}"
        raise SettingsError(f"{variable}{place}: {error}") from error
    except sqlite3.DatabaseError as error:
        raise unusable_file(settings.data / "corpus.db", error) from None
    stack.push(opening.__exit__)
    return corpus


async def _warm_up(engines: Engines, embedder: BatchingEmbedder | None) -> None:
    with suppress(Unavailable):  # a search server may be down
        await asyncio.to_thread(engines.catch_up)
    if embedder is not None:
        await embedder.embed(["warm"], TextKind.QUERY)
