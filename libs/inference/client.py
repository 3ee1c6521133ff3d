"""A gRPC client for another process's embedding model; it waits on the event loop, without blocking it."""

from collections.abc import Sequence
from enum import Enum

import grpc

from libs.inference.vectors import Vector, read_vectors
from libs.runtime.calling.channel import unary
from parley.retrieve.v1 import inference_pb2, inference_pb2_grpc

MOST_TEXTS = 1024
"""Most texts of one call, by the contract."""


class TextKind(Enum):
    """The role of texts: some models need a prefix for each. Waiting queries go before waiting passages."""

    QUERY = inference_pb2.TEXT_KIND_QUERY
    PASSAGE = inference_pb2.TEXT_KIND_PASSAGE


class InferenceClient:
    """A client of InferenceService.Embed with the configured model; embeds all texts as the same kind."""

    def __init__(self, channel: grpc.aio.Channel, seconds: float, kind: TextKind = TextKind.QUERY) -> None:
        """Create a client whose calls time out after `seconds`."""
        self._stub = inference_pb2_grpc.InferenceServiceStub(channel)
        self._seconds = seconds
        self._kind = kind.value

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One unit vector per text, in order and of the same length; makes one call for each 1,024 texts.

        Raises:
            ParleyError: no model is configured, or no answer came in time.
        """
        vectors: list[Vector] = []
        for start in range(0, len(texts), MOST_TEXTS):
            request = inference_pb2.EmbedRequest(texts=texts[start : start + MOST_TEXTS], kind=self._kind)
            response = await unary(self._stub.Embed, request, timeout=self._seconds)
            vectors += await read_vectors(response.embeddings)
        return vectors
