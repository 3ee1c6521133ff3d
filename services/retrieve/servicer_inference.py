"""The gRPC servicer of the models that the stage hosts. They run in threads; errors are mapped by the server."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import grpc
import numpy as np
from numpy.typing import NDArray

from libs.inference.tokens import Tokens
from libs.runtime.errors import FailedPrecondition, InvalidInput, NotFound
from parley.retrieve.v1 import inference_pb2 as pb
from parley.retrieve.v1 import inference_pb2_grpc
from services.retrieve.corpus_access import CorpusAccess
from services.retrieve.embedding.batching import BatchingEmbedder, BatchingReader
from services.retrieve.embedding.embedder import TextKind
from services.retrieve.pictures.embedder import PictureEmbedder
from services.retrieve.reranking import Reranker
from services.retrieve.search.retriever import DEFAULT_COLLECTION

Context = grpc.aio.ServicerContext[Any, Any]


@dataclass(frozen=True)
class InferenceServicer(inference_pb2_grpc.InferenceServiceServicer):
    """Serves one copy of each model; one that is None is answered with FAILED_PRECONDITION."""

    embedder: BatchingEmbedder | None
    reranker: Reranker | None = None
    pictures: PictureEmbedder | None = None
    access: CorpusAccess | None = None
    """Reads stored pictures."""
    reader: BatchingReader | None = None

    async def Embed(self, request: pb.EmbedRequest, context: Context) -> pb.EmbedResponse:
        """One vector per text."""
        if self.embedder is None:
            raise FailedPrecondition("EMBEDDER_MISSING", "Embedding needs a model: set PARLEY_RETRIEVE_EMBEDDER.")
        profile = self.embedder.profile
        _require(request.model, profile.name)
        kind = TextKind.QUERY if request.kind == pb.TEXT_KIND_QUERY else TextKind.PASSAGE
        vectors = await self.embedder.embed(request.texts, kind)
        embeddings = [pb.Embedding(values=vector) for vector in vectors.tolist()]
        return pb.EmbedResponse(model=profile.name, width=profile.width, embeddings=embeddings)

    async def ReadTokens(self, request: pb.ReadTokensRequest, context: Context) -> pb.ReadTokensResponse:
        """The tokens of each text."""
        if self.reader is None or not set(request.layers) <= set(self.reader.layers):
            shown = ", ".join(map(str, self.reader.layers)) if self.reader else "none"
            raise FailedPrecondition(
                "TOKENS_MISSING", f"The embedding model does not show the states of these layers; it shows: {shown}."
            )
        _require(request.model, self.reader.profile.name)
        texts = await self.reader.read(request.texts, request.layers)
        return pb.ReadTokensResponse(
            model=self.reader.profile.name, width=texts[0].states.shape[-1], texts=map(_token_states, texts)
        )

    async def Rerank(self, request: pb.RerankRequest, context: Context) -> pb.RerankResponse:
        """One score per passage."""
        if self.reranker is None:
            raise FailedPrecondition("RERANKER_MISSING", "Reranking needs a model: set PARLEY_RETRIEVE_RERANKER.")
        _require(request.model, self.reranker.name)
        scores = await self.reranker.rerank(request.query, request.passages)
        return pb.RerankResponse(model=self.reranker.name, scores=scores.tolist())

    async def EmbedImages(self, request: pb.EmbedImagesRequest, context: Context) -> pb.EmbedImagesResponse:
        """One vector per picture and per text."""
        if self.pictures is None:
            raise FailedPrecondition(
                "EMBEDDER_MISSING", "Embedding pictures needs a model: set PARLEY_RETRIEVE_PICTURES."
            )
        _require(request.model, self.pictures.name)
        pictures, texts, stored_vectors = await asyncio.gather(
            self.pictures.pictures(request.images),
            self.pictures.texts(request.texts),
            self._stored(self.pictures, request),
        )
        return pb.EmbedImagesResponse(
            model=self.pictures.name,
            images=map(_embedding, pictures),
            texts=map(_embedding, texts),
            stored=map(_embedding, stored_vectors),
        )

    async def _stored(
        self, pictures: PictureEmbedder, request: pb.EmbedImagesRequest
    ) -> list[NDArray[np.float32] | None]:
        if self.access is None:
            return [None] * len(request.stored)
        bytes_of = [await _stored_bytes(self.access, image, request.principals) for image in request.stored]
        return await pictures.readable(bytes_of)


async def _stored_bytes(access: CorpusAccess, image: pb.StoredImage, principals: Sequence[str]) -> bytes:
    """The bytes of a picture; empty if the principals may see no such picture, or if it is stored elsewhere."""
    try:
        return (await access.image(image.collection or DEFAULT_COLLECTION, image.image_id, principals)).data
    except NotFound:
        return b""


def _token_states(tokens: Tokens) -> pb.TokenStates:
    return pb.TokenStates(
        ids=tokens.ids,
        starts=[start for start, _ in tokens.offsets],
        ends=[end for _, end in tokens.offsets],
        states=tokens.states.astype("<f2").tobytes(),
    )


def _embedding(vector: NDArray[np.float32] | None) -> pb.Embedding:
    return pb.Embedding(values=() if vector is None else vector.tolist())


def _require(model: str, name: str) -> None:
    if model and model != name:
        raise InvalidInput("model", f"This process has the model {name} and no other.")
