"""The models that image placement needs, in another process, over gRPC. Calls are awaited."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from libs.inference.client import InferenceClient
from libs.inference.vectors import Vector, read_vectors
from libs.runtime.calling.channel import unary
from libs.runtime.errors import FailedPrecondition
from parley.retrieve.v1 import inference_pb2

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ImageVectors:
    """Unit vectors of pictures and texts in a common space; None for a picture that is not available."""

    pictures: "tuple[Vector | None, ...]"
    texts: tuple[Vector, ...]


class PlacementModels(InferenceClient):
    """An embedder, and models of which each may be missing: its result is None then.

    Texts are embedded as queries: the turn's question is embedded once.

    Raises:
        ParleyError: there is no embedder, or a model or the connection to it failed.
    """

    async def rerank(self, query: str, passages: Sequence[str]) -> list[float] | None:
        """Return how well each passage answers the query, in [0, 1]."""
        request = inference_pb2.RerankRequest(query=query, passages=passages)
        response = await _if_available(unary(self._stub.Rerank, request))
        return list(response.scores) if response else None

    async def look(
        self, images: Sequence[tuple[str, str]], texts: Sequence[str], principals: Sequence[str]
    ) -> ImageVectors | None:
        """Embed stored pictures, as far as the principals may see them, and texts about pictures.

        Args:
            images: collection and image id of each picture.
            texts: to compare with the pictures.
            principals: of the user.
        """
        stored = [
            inference_pb2.StoredImage(collection=collection, image_id=image_id) for collection, image_id in images
        ]
        request = inference_pb2.EmbedImagesRequest(texts=texts, stored=stored, principals=principals)
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
