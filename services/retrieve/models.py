"""Opens the models that the settings name, in threads: nothing blocks the event loop. The exit stack closes each."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing, contextmanager
from dataclasses import dataclass

import structlog

from libs.runtime.errors import Unavailable
from libs.runtime.serving.server_info import Capability
from libs.runtime.settings import SettingsError
from services.retrieve.embedding.batching import BatchingEmbedder, BatchingReader
from services.retrieve.embedding.centering import CenteredEncoder
from services.retrieve.embedding.embedder import Encoder, TokenEncoder, UnusableModel
from services.retrieve.embedding.http import Endpoint, HttpEncoder, is_address
from services.retrieve.embedding.onnx_model import OnnxEncoder
from services.retrieve.embedding.opening import NONE, NoEncoder, backend_of, open_encoder
from services.retrieve.embedding.packaged import PACKAGED
from services.retrieve.pictures.embedder import PictureEmbedder, open_picture_encoder
from services.retrieve.reranking import BatchingReranker, HttpReranker, Reranker, open_scorer
from services.retrieve.settings import RetrieveSettings

_log = structlog.get_logger("parley.retrieve")


@dataclass(frozen=True, slots=True)
class Models:
    """The configured models; None for those that are not configured."""

    embedder: BatchingEmbedder | None
    reader: BatchingReader | None
    """Reads texts token by token, by the embedding model or the packaged one."""
    reranker: Reranker | None
    pictures: PictureEmbedder | None
    capabilities: tuple[Capability, ...]
    """What each of them does."""


async def open_models(settings: RetrieveSettings, stack: AsyncExitStack) -> Models:
    """Open all configured models. Raises SettingsError: one of them cannot be used."""
    encoder = await _open_encoder(settings)
    embedder, embeds = await _shared(encoder, settings, stack)
    reader = await _open_reader(encoder, embedder, settings, stack)
    with _blaming("reranker"):
        reranker = await _open_reranker(settings, stack)
    reranks = Capability("rerank", NONE, "no reranking model is configured: the fused order stands")
    if reranker is not None:
        reranks = Capability("rerank", backend_of(settings.reranker)[0], reranker.name)
    with _blaming("pictures"):
        models = settings.data / "models"
        encoder_of_pictures = await asyncio.to_thread(open_picture_encoder, settings.pictures, models, settings.threads)
    pictures, sees = None, Capability("embed pictures", NONE, "no model of pictures is configured")
    if encoder_of_pictures is not None:
        pictures = stack.enter_context(closing(PictureEmbedder(encoder_of_pictures)))
        sees = Capability("embed pictures", backend_of(settings.pictures)[0], pictures.name)
    return Models(embedder, reader, reranker, pictures, (embeds, reranks, sees))


@contextmanager
def _blaming(setting: str) -> Iterator[None]:
    """Report a failure as a settings error, without a traceback."""
    try:
        yield
    except (UnusableModel, Unavailable, OSError) as error:
        raise SettingsError(f"{RetrieveSettings.variable(setting)}: {error}") from error


async def open_embedder(
    settings: RetrieveSettings, stack: AsyncExitStack
) -> tuple[BatchingEmbedder | None, Capability]:
    """Open the configured embedder, None if there is none, and describe it. Raises SettingsError: it cannot be used."""
    return await _shared(await _open_encoder(settings), settings, stack)


async def _open_encoder(settings: RetrieveSettings) -> Encoder | NoEncoder:
    key = settings.embedder_api_key.get_secret_value()
    with _blaming("embedder"):
        return await asyncio.to_thread(
            open_encoder,
            *(settings.embedder, settings.data / "models", settings.threads, key),
            precision=settings.embedder_precision,
            habits=settings.embedder_habits,
        )


async def _shared(
    encoder: Encoder | NoEncoder, settings: RetrieveSettings, stack: AsyncExitStack
) -> tuple[BatchingEmbedder | None, Capability]:
    if isinstance(encoder, NoEncoder):
        _log.warning("no embedder: only the full-text engine searches", reason=encoder.reason)
        return None, Capability("embed", NONE, encoder.reason)
    if isinstance(encoder, HttpEncoder):
        stack.callback(encoder.close)
    side_by_side = encoder.side_by_side if isinstance(encoder, OnnxEncoder) else 1
    with _blaming("embedder"):
        scaled = encoder if _is_packaged(encoder) else await asyncio.to_thread(CenteredEncoder, encoder)
    embedder = stack.enter_context(closing(BatchingEmbedder(scaled, side_by_side=side_by_side)))
    return embedder, Capability("embed", backend_of(settings.embedder)[0], scaled.profile.name)


def _is_packaged(encoder: Encoder) -> bool:
    return encoder.profile.name == PACKAGED


async def _open_reader(
    encoder: Encoder | NoEncoder, embedder: BatchingEmbedder | None, settings: RetrieveSettings, stack: AsyncExitStack
) -> BatchingReader | None:
    """The reader: the embedding model if it shows its states, else the packaged model beside it.

    The runs of the packaged model give the vectors of queries as well if it embeds.
    """
    if isinstance(encoder, NoEncoder):
        return None
    token_encoder = await _token_encoder(encoder) or await _token_encoder(await _open_packaged(settings))
    if token_encoder is None:
        return None
    shared = embedder if _is_packaged(encoder) else None
    return stack.enter_context(closing(BatchingReader(token_encoder, embedder=shared)))


async def _token_encoder(encoder: Encoder | NoEncoder) -> TokenEncoder | None:
    return await asyncio.to_thread(encoder.token_encoder) if isinstance(encoder, OnnxEncoder) else None


async def _open_packaged(settings: RetrieveSettings) -> Encoder | NoEncoder:
    precision = settings.embedder_precision
    return await asyncio.to_thread(
        open_encoder, "auto", settings.data / "models", settings.threads, precision=precision
    )


async def _open_reranker(settings: RetrieveSettings, stack: AsyncExitStack) -> Reranker | None:
    if is_address(settings.reranker):
        key = settings.reranker_api_key.get_secret_value()
        remote = HttpReranker(Endpoint.of(settings.reranker, key, settings.rerank_seconds))
        stack.push_async_callback(remote.close)
        return remote
    scorer = await asyncio.to_thread(open_scorer, settings.reranker, settings.data / "models", settings.threads)
    return None if scorer is None else stack.enter_context(closing(BatchingReranker(scorer)))
