"""The models that image placement needs, and the client for those of another process, over gRPC. Calls are awaited."""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import grpc

from libs.inference.vectors import read_vectors
from libs.runtime.calling.channel import unary
from libs.runtime.errors import FailedPrecondition
from parley.retrieve.v1 import inference_pb2, inference_pb2_grpc
from services.answer.image_placement.scoring import Floats


@dataclass(frozen=True, slots=True)
class StoredPicture:
    """The location of a picture in the corpus."""

    collection: str
    image_id: str


@dataclass(frozen=True, slots=True)
class ImageVectors:
    """Unit vectors of pictures and texts in a common space; None for a picture that is not available."""

    pictures: "tuple[Floats | None, ...]"
    texts: tuple[Floats, ...]


class PlacementModels(Protocol):
    """The available models. A result of None means that there is no such model.

    Raises:
        ParleyError: a model or the connection to it failed.
    """

    async def embed(self, texts: Sequence[str]) -> list[Floats] | None:
        """Return one unit vector per text."""
        ...

    async def rerank(self, query: str, passages: Sequence[str]) -> list[float] | None:
        """Return how well each passage answers the query, in [0, 1]."""
        ...

    async def look(
        self, images: Sequence[StoredPicture], texts: Sequence[str], principals: Sequence[str]
    ) -> ImageVectors | None:
        """Embed stored pictures, as far as the principals may see them, and texts about pictures."""
        ...


MISSING_SECONDS = 60.0
"""A missing model is requested again after this time, because its host may have been restarted (taste)."""
MAX_CHARACTERS = 2000
"""Limit on each text that is sent; embedders and rerankers read about that much (taste)."""

T = TypeVar("T")


class PlacementModelClient:
    """InferenceService as `Models`; a missing model is not requested on every turn."""

    def __init__(self, channel: grpc.aio.Channel, now: Callable[[], float] = time.monotonic) -> None:
        self._stub = inference_pb2_grpc.InferenceServiceStub(channel)
        self._now = now
        self._missing_until: dict[str, float] = {}

    async def embed(self, texts: Sequence[str]) -> list[Floats] | None:
        """See `Models`; every text is embedded as a query, so that the turn's question is embedded only once."""
        request = inference_pb2.EmbedRequest(texts=_truncate(texts), kind=inference_pb2.TEXT_KIND_QUERY)
        response = await self._call_if_available("embed", lambda: unary(self._stub.Embed, request))
        return await read_vectors(response.embeddings) if response else None

    async def rerank(self, query: str, passages: Sequence[str]) -> list[float] | None:
        """See `Models`."""
        request = inference_pb2.RerankRequest(query=query[:MAX_CHARACTERS], passages=_truncate(passages))
        response = await self._call_if_available("rerank", lambda: unary(self._stub.Rerank, request))
        return list(response.scores) if response else None

    async def look(
        self, images: Sequence[StoredPicture], texts: Sequence[str], principals: Sequence[str]
    ) -> ImageVectors | None:
        """See `Models`."""
        stored_images = [
            inference_pb2.StoredImage(collection=image.collection, image_id=image.image_id) for image in images
        ]
        request = inference_pb2.EmbedImagesRequest(texts=_truncate(texts), stored=stored_images, principals=principals)
        response = await self._call_if_available("look", lambda: unary(self._stub.EmbedImages, request))
        if response is None:
            return None
        pictures, text_vectors = await read_vectors(response.stored), await read_vectors(response.texts)
        return ImageVectors(tuple(vector if vector.size else None for vector in pictures), tuple(text_vectors))

    async def _call_if_available(self, model: str, call: Callable[[], Awaitable[T]]) -> T | None:
        if self._now() < self._missing_until.get(model, 0.0):
            return None
        try:
            return await call()
        except FailedPrecondition:
            self._missing_until[model] = self._now() + MISSING_SECONDS
            return None


def _truncate(texts: Sequence[str]) -> list[str]:
    return [text[:MAX_CHARACTERS] for text in texts]
