"""The embedder of another process, over gRPC."""

from collections.abc import Sequence

import grpc

from parley.retrieve.v1 import inference_pb2, inference_pb2_grpc
from services.decompose.embedding import Vector
from services.runtime.channel import unary

EMBED = "parley.retrieve.v1.InferenceService/Embed"
MOST_TEXTS = 1024
"""The contract's greatest number of texts of one call."""


class InferenceClient:
    """InferenceService.Embed with the configured model; every text is embedded as a query."""

    def __init__(self, channel: grpc.aio.Channel, seconds: float) -> None:
        self._stub = inference_pb2_grpc.InferenceServiceStub(channel)
        self._seconds = seconds

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """See `Embedder`; one call for each 1,024 texts."""
        import numpy as np

        vectors: list[Vector] = []
        for start in range(0, len(texts), MOST_TEXTS):
            part = texts[start : start + MOST_TEXTS]
            request = inference_pb2.EmbedRequest(texts=part, kind=inference_pb2.TEXT_KIND_QUERY)
            response = await unary(self._stub.Embed, request, timeout=self._seconds)
            vectors += [np.array(embedding.values, np.float32) for embedding in response.embeddings]
        return vectors
