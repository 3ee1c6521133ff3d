"""Opens the cache of answers with the gateway's settings."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from gateway.answer_cache.cache import AnswerCache, MemoryAnswerCache, NoAnswerCache
from gateway.answer_cache.circumstances import SuiteCircumstances
from gateway.answer_cache.codec import ContractAnswerCodec
from gateway.answer_cache.entries import CachedAnswers
from gateway.calling.access import StageAccess
from gateway.settings import GatewaySettings
from gateway.store.sessions import SessionStore
from libs.runtime.calling.channel import open_channel
from parley.runtime.v1 import server_info_pb2_grpc


@asynccontextmanager
async def open_answer_cache(
    settings: GatewaySettings, access: StageAccess, corpus: object, sessions: SessionStore
) -> AsyncIterator[AnswerCache]:
    """Yield the cache of answers, or one that caches nothing if the settings give it no memory."""
    if not settings.answer_cache_bytes:
        yield NoAnswerCache()
        return
    addresses = {address for name, address in access.addresses.items() if name not in access.local_services}
    async with AsyncExitStack() as stack:
        channels = [await stack.enter_async_context(open_channel(address)) for address in sorted(addresses)]
        processes = [server_info_pb2_grpc.ServerInfoServiceStub(channel) for channel in channels]
        yield MemoryAnswerCache(
            CachedAnswers(settings.answer_cache_bytes, settings.answer_cache_seconds),
            SuiteCircumstances(corpus, processes, sessions),
            ContractAnswerCodec(),
            settings.answer_cache_moment_seconds,
        )
