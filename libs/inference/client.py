"""A gRPC client for another process's embedding model; it waits on the event loop, without blocking it."""

from collections.abc import Sequence
from enum import Enum
from typing import Final

import grpc

from libs.inference.tokens import Tokens
from libs.inference.vectors import Vector, read_vectors
from libs.runtime.calling.channel import unary
from parley.retrieve.v1 import inference_pb2, inference_pb2_grpc

MOST_TEXTS = 1024
"""Most texts of one call, by the contract."""
READ_AT_ONCE: Final = 8
"""Texts of one call of ReadTokens, which allows 32: so an answer has at most 5 MB, and other callers wait less."""
MOST_CHARACTERS: Final = 8192
"""Most characters of a text to read, by the contract; the tokens that are read end long before."""


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


class TokenClient:
    """A client of InferenceService.ReadTokens for one model and some of its layers."""

    def __init__(self, channel: grpc.aio.Channel, seconds: float, model: str, layers: Sequence[int]) -> None:
        """Create a client whose calls time out after `seconds`."""
        self._stub = inference_pb2_grpc.InferenceServiceStub(channel)
        self._seconds = seconds
        self._model = model
        self._layers = tuple(layers)

    async def read(self, texts: Sequence[str]) -> list[Tokens]:
        """The first tokens of each text with the states of the layers, in order; a call for each 8 texts.

        Raises:
            ParleyError: the configured model is another one or shows no states, or no answer came in time.
        """
        tokens: list[Tokens] = []
        for start in range(0, len(texts), READ_AT_ONCE):
            cut = [text[:MOST_CHARACTERS] for text in texts[start : start + READ_AT_ONCE]]
            request = inference_pb2.ReadTokensRequest(texts=cut, layers=self._layers, model=self._model)
            response = await unary(self._stub.ReadTokens, request, timeout=self._seconds)
            tokens += _tokens_of(response, len(self._layers))
        return tokens


def _tokens_of(response: inference_pb2.ReadTokensResponse, layers: int) -> list[Tokens]:
    import numpy as np

    return [
        Tokens(
            list(text.ids),
            list(zip(text.starts, text.ends, strict=True)),
            np.frombuffer(text.states, "<f2").reshape(len(text.ids), layers, response.width),
        )
        for text in response.texts
    ]
