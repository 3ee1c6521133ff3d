"""Clients of a retrieve stage that runs for a test: real gRPC on a real port, the embedded engines."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc

from parley.retrieve.v1 import (
    corpus_pb2,
    corpus_pb2_grpc,
    inference_pb2_grpc,
    retrieve_pb2,
    retrieve_pb2_grpc,
)
from parley.runtime.v1 import server_info_pb2_grpc
from services.retrieve.settings import RetrieveSettings
from services.retrieve.sources.web_search import WebSettings
from services.retrieve.stage import open_stage
from tests.fakes.running_server import running


class Client:
    """Stubs of the stage's services."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.channel = channel
        self.retrieve = retrieve_pb2_grpc.RetrieveServiceStub(channel)
        self.corpus = corpus_pb2_grpc.CorpusServiceStub(channel)
        self.inference = inference_pb2_grpc.InferenceServiceStub(channel)
        self.info = server_info_pb2_grpc.ServerInfoServiceStub(channel)

    async def put(self, document_id: str, text: str, collection: str = "", **more: Any) -> int:
        """Take in one document; its status."""
        document = corpus_pb2.Document(document_id=document_id, text=text, **more)
        response = await self.corpus.PutDocument(
            corpus_pb2.PutDocumentRequest(collection=collection, document=document)
        )
        return response.status

    async def ingest(self, *documents: corpus_pb2.Document, collection: str = "") -> list[corpus_pb2.IngestResponse]:
        """Take in a stream."""
        header = corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader(collection=collection))
        requests = [header, *(corpus_pb2.IngestRequest(document=document) for document in documents)]
        return [response async for response in self.corpus.Ingest(iter(requests))]

    async def ingest_together(self, *messages: Sequence[corpus_pb2.Document]) -> list[corpus_pb2.IngestResponse]:
        """Take in a stream whose messages hold several documents."""
        requests = [corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader(together=True))]
        requests += [corpus_pb2.IngestRequest(document=first, further=rest) for first, *rest in messages]
        return [response async for response in self.corpus.Ingest(iter(requests))]

    async def search(self, query: str, **options: Any) -> list[str]:
        """The passages found, the best first, each followed by its near duplicates."""
        request = corpus_pb2.SearchRequest(query=query, options=retrieve_pb2.RetrieveOptions(**options))
        evidence = (await self.corpus.Search(request)).evidence
        return [
            passage.passage_id
            for item in evidence
            for passage in (item.passage, *(copy.passage for copy in item.near_duplicates))
        ]


@asynccontextmanager
async def serving(
    data: Path, embedder: str = "none", web: WebSettings | None = None, **settings: Any
) -> AsyncIterator[Client]:
    async with open_stage(RetrieveSettings(data=data, embedder=embedder, **settings), web) as stage:
        assert stage.warm_up is not None
        await stage.warm_up()
        async with (
            running(*stage.services, capabilities=stage.capabilities) as server,
            grpc.aio.insecure_channel(server.target) as channel,
        ):
            yield Client(channel)
