"""An embedder that another server hosts.

Two shapes are spoken, told apart by the path: `/embed` of Text Embeddings Inference, and `/v1/embeddings` as OpenAI and
many servers after it have it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from services.retrieve.embedding.profile import ModelProfile, UnusableModel, near_duplicate_of
from services.retrieve.endpoint import Endpoint, content_of
from services.runtime.errors import Unavailable


class HttpEncoder:
    """Asks an endpoint. Blocking: `services.retrieve.embedding.batching` stands before it."""

    def __init__(self, endpoint: Endpoint) -> None:
        """Embed a word, to learn how wide the vectors are.

        Raises:
            UnusableModel: it does not answer, or the address ends neither with /embed nor with /embeddings.
        """
        import httpx2

        if not endpoint.path.endswith(("/embed", "/embeddings")):
            raise UnusableModel("the address of an embedder ends with /embed or /v1/embeddings")
        self._endpoint = endpoint
        self._openai = endpoint.path.endswith("/embeddings")
        self._client = httpx2.Client(headers=endpoint.headers, timeout=endpoint.seconds)
        try:
            width = self._embedded(["width"]).shape[1]
        except Unavailable as error:
            self.close()
            raise UnusableModel(error.message) from error
        self.profile = ModelProfile(endpoint.name, width, near_duplicate=near_duplicate_of(endpoint.name))

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Encoder`."""
        vectors = self._embedded(texts)
        unit: NDArray[np.float32] = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return unit

    def close(self) -> None:
        """Let go of connections."""
        self._client.close()

    def _embedded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import httpx2

        try:
            response = self._client.post(self._endpoint.url, json=self._request(texts))
        except httpx2.HTTPError as error:
            raise Unavailable("ENGINE_UNAVAILABLE", "The embedding server does not answer.") from error
        return self._vectors(content_of(response), len(texts))

    def _request(self, texts: Sequence[str]) -> Mapping[str, Any]:
        if not self._openai:
            return {"inputs": list(texts), "normalize": True, "truncate": True}
        return {"model": self._endpoint.model, "input": list(texts), "encoding_format": "float"}

    def _vectors(self, content: Any, count: int) -> NDArray[np.float32]:
        try:
            rows = content
            if self._openai:
                rows = [place["embedding"] for place in sorted(content["data"], key=lambda place: place["index"])]
            vectors = np.asarray(rows, np.float32)
        except (TypeError, KeyError, ValueError) as error:
            raise Unavailable("ENGINE_UNAVAILABLE", "The embedding server answered in another shape.") from error
        if vectors.ndim != 2 or len(vectors) != count or not np.isfinite(vectors).all():
            raise Unavailable("ENGINE_UNAVAILABLE", "The embedding server did not give one vector a text.")
        return vectors
