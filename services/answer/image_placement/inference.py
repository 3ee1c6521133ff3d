"""The models that image placement needs, and the client for those of another process, over gRPC. Calls are awaited."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

import grpc

from libs.inference.vectors import read_vectors
from libs.runtime.calling.channel import unary
from libs.runtime.errors import FailedPrecondition
from parley.retrieve.v1 import inference_pb2, inference_pb2_grpc

if TYPE_CHECKING:  # loaded with the first picture: most processes never need it
    import numpy as np
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float32]"
T = TypeVar("T")
MAX_CHARACTERS = 2000
"""Limit on each text that is sent; embedders and rerankers read about that much (taste)."""


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
        self, images: Sequence[tuple[str, str]], texts: Sequence[str], principals: Sequence[str]
    ) -> ImageVectors | None:
        """Embed stored pictures, as far as the principals may see them, and texts about pictures.

        Args:
            images: collection and image id of each picture.
            texts: to compare with the pictures.
            principals: of the user.
        """
        ...


class PlacementModelClient:
    """InferenceService as `PlacementModels`."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = inference_pb2_grpc.InferenceServiceStub(channel)

    async def embed(self, texts: Sequence[str]) -> list[Floats] | None:
        """See `PlacementModels`; each text is embedded as a query, so that the turn's question is embedded once."""
        request = inference_pb2.EmbedRequest(texts=_truncate(texts), kind=inference_pb2.TEXT_KIND_QUERY)
        response = await _if_available(unary(self._stub.Embed, request))
        return await read_vectors(response.embeddings) if response else None

    async def rerank(self, query: str, passages: Sequence[str]) -> list[float] | None:
        """See `PlacementModels`."""
        request = inference_pb2.RerankRequest(query=query[:MAX_CHARACTERS], passages=_truncate(passages))
        response = await _if_available(unary(self._stub.Rerank, request))
        return list(response.scores) if response else None

    async def look(
        self, images: Sequence[tuple[str, str]], texts: Sequence[str], principals: Sequence[str]
    ) -> ImageVectors | None:
        """See `PlacementModels`."""
        stored = [
            inference_pb2.StoredImage(collection=collection, image_id=image_id) for collection, image_id in images
        ]
        request = inference_pb2.EmbedImagesRequest(texts=_truncate(texts), stored=stored, principals=principals)
        response = await _if_available(unary(self._stub.EmbedImages, request))
        if response is None:
            return None
        pictures, text_vectors = await read_vectors(response.stored), await read_vectors(response.texts)
        return ImageVectors(tuple(vector if vector.size else None for vector in pictures), tuple(text_vectors))


async def _if_available(call: Awaitable[T]) -> T | None:
    """The response; None if there is no such model."""
    try:
        return await call
    except FailedPrecondition:
        return None


def _truncate(texts: Sequence[str]) -> list[str]:
    return [text[:MAX_CHARACTERS] for text in texts]
