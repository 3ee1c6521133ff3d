"""The embedder of another process, over gRPC."""

from collections.abc import Sequence
from enum import Enum

import grpc

from libs.inference.vectors import Vector, read_vectors
from libs.runtime.channel import unary
from parley.retrieve.v1 import inference_pb2, inference_pb2_grpc

EMBED = "parley.retrieve.v1.InferenceService/Embed"
MOST_TEXTS = 1024
"""The contract's greatest number of texts of one call."""


class TextKind(Enum):
    """What texts are for: some models want a prefix. Queries go before passages where both wait."""

    QUERY = inference_pb2.TEXT_KIND_QUERY
    PASSAGE = inference_pb2.TEXT_KIND_PASSAGE


class InferenceClient:
    """InferenceService.Embed with the configured model; every text is embedded as one kind."""

    def __init__(self, channel: grpc.aio.Channel, seconds: float, kind: TextKind = TextKind.QUERY) -> None:
        """`seconds` is the most that one call may take."""
        self._stub = inference_pb2_grpc.InferenceServiceStub(channel)
        self._seconds = seconds
        self._kind = kind.value

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One unit vector a text, all of one width, in their order; one call for each 1,024 texts.

        Raises:
            ParleyError: there is no model, or nobody answers in time.
        """
        vectors: list[Vector] = []
        for start in range(0, len(texts), MOST_TEXTS):
            request = inference_pb2.EmbedRequest(texts=texts[start : start + MOST_TEXTS], kind=self._kind)
            response = await unary(self._stub.Embed, request, timeout=self._seconds)
            vectors += await read_vectors(response.embeddings)
        return vectors
