"""The models that the stage hosts, opened as the settings say; each is closed with the stack that it is opened on."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass

import structlog

from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.embedding.opening import NONE, NoEncoder, open_encoder
from services.retrieve.embedding.profile import UnusableModel
from services.retrieve.endpoint import is_address
from services.retrieve.reranking.batching import BatchingReranker
from services.retrieve.reranking.opening import open_remote, open_scorer
from services.retrieve.reranking.reranker import Reranker
from services.retrieve.settings import RetrieveSettings
from services.runtime.server_info import Capability
from services.runtime.settings import SettingsError

_log = structlog.get_logger("parley.retrieve")


@dataclass(frozen=True, slots=True)
class Models:
    """What is there; None for what is not."""

    embedder: BatchingEmbedder | None
    reranker: Reranker | None
    embeds: Capability
    reranks: Capability


async def open_models(settings: RetrieveSettings, stack: AsyncExitStack) -> Models:
    """All models that are configured.

    Raises:
        SettingsError: one of them cannot be used.
    """
    with _blaming("embedder"):
        embedder, embeds = await _open_embedder(settings, stack)
    with _blaming("reranker"):
        reranker = await _open_reranker(settings, stack)
    reranks = Capability("rerank", "none", "no reranking model is configured: the fused order stands")
    if reranker is not None:
        reranks = Capability("rerank", _backend(settings.reranker, "onnx"), reranker.name)
    return Models(embedder, reranker, embeds, reranks)


@contextmanager
def _blaming(setting: str) -> Iterator[None]:
    """What cannot be opened is the fault of a setting: a line for people, not a trace."""
    try:
        yield
    except (UnusableModel, OSError) as error:
        raise SettingsError(f"{RetrieveSettings.variable(setting)}: {error}") from error


async def _open_embedder(
    settings: RetrieveSettings, stack: AsyncExitStack
) -> tuple[BatchingEmbedder | None, Capability]:
    key = settings.embedder_api_key.get_secret_value()
    encoder = await asyncio.to_thread(
        open_encoder, settings.embedder, settings.data / "models", settings.embedder_threads, key
    )
    if isinstance(encoder, NoEncoder):
        _log.warning("no embedder: only the full-text engine searches", reason=encoder.reason)
        return None, Capability("embed", NONE, encoder.reason)
    embedder = BatchingEmbedder(encoder, settings.embedder_cache)
    stack.callback(embedder.close)
    return embedder, Capability("embed", _backend(settings.embedder, "onnx"), encoder.profile.name)


async def _open_reranker(settings: RetrieveSettings, stack: AsyncExitStack) -> Reranker | None:
    if is_address(settings.reranker):
        key = settings.reranker_api_key.get_secret_value()
        remote = open_remote(settings.reranker, key, settings.rerank_seconds)
        stack.push_async_callback(remote.close)
        return remote
    scorer = await asyncio.to_thread(
        open_scorer, settings.reranker, settings.data / "models", settings.reranker_threads
    )
    if scorer is None:
        return None
    reranker = BatchingReranker(scorer)
    stack.callback(reranker.close)
    return reranker


def _backend(setting: str, otherwise: str) -> str:
    """What runs a model, as a setting names it: the part before the colon, if it is one of ours."""
    backend = setting.partition(":")[0]
    if backend in ("http", "https"):
        return "http"
    return backend if backend in ("sentence-transformers", "cross-encoder", "flag") else otherwise
