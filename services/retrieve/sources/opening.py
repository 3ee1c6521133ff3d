"""Opens the web search as configured: its search engines, its fetcher, and the retriever over both."""

import asyncio
import ssl
from contextlib import AsyncExitStack
from typing import Final

from libs.runtime.serving.server_info import Capability
from services.retrieve.embedding.embedder import SharedEmbedder
from services.retrieve.indexing.preparing import Preparation
from services.retrieve.sources import pages, web_search
from services.retrieve.sources.search_engines import any_configured, configured_engines
from services.retrieve.sources.settings import WebSettings
from services.retrieve.sources.web import WebSource
from services.retrieve.sources.web_candidates import WebRetriever
from services.retrieve.sources.web_store import KeptPassages

MAX_PAGE_BYTES: Final = 1024 * 1024
"""Size of a page, uncompressed; a larger one is left out. On one core, 66 KB of paragraphs take .12 seconds, 1 MB of
nothing but links took 7."""


async def open_web(
    settings: WebSettings,
    preparation: Preparation,
    embedder: SharedEmbedder | None,
    store: KeptPassages,
    stack: AsyncExitStack,
) -> WebRetriever | None:
    """The web retriever, closed with the stack; None if no search engine is configured."""
    if not any_configured(settings):
        return None
    import httpx2  # an HTTP client that only the web needs

    from libs.web.fetching import Fetcher
    from libs.web.limits import FetchLimits, user_agent

    await asyncio.to_thread(pages.load_parsers)
    context = await asyncio.to_thread(ssl.create_default_context)
    headers = {"User-Agent": user_agent()}
    client = await stack.enter_async_context(
        httpx2.AsyncClient(verify=context, headers=headers, timeout=web_search.SEARCH_SECONDS)
    )
    limits = FetchLimits(seconds=pages.PAGE_SECONDS, max_bytes=MAX_PAGE_BYTES, allow_loopback=settings.allow_loopback)
    fetcher = await stack.enter_async_context(Fetcher(limits))
    reader = pages.PageReader(fetcher, pages.PAGE_SECONDS)
    stack.callback(reader.close)
    source = WebSource(configured_engines(settings, client), reader, settings, preparation)
    return WebRetriever(source, embedder, store)


def web_capability(settings: WebSettings) -> Capability:
    """The configured search engines."""
    engines = [("SearXNG", bool(settings.searxng_url)), ("Brave", bool(settings.brave_key.get_secret_value()))]
    engines.append(("Tavily", bool(settings.tavily_key.get_secret_value())))
    names = [name for name, is_configured in engines if is_configured]
    if not names:
        return Capability("search the web", "none", "no search engine for it is configured")
    return Capability("search the web", ", ".join(names), "for every question" if settings.always else "for news")
