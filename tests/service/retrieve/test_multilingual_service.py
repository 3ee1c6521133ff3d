"""With a multilingual embedder as the setting, a question finds what documents say in another language."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from libs.runtime.serving.server import running
from libs.runtime.settings import ServerSettings
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from services.retrieve.settings import RetrieveSettings
from services.retrieve.stage import open_stage
from tests.fakes.tiny_multilingual import write_model

QUICK = ServerSettings(port=0, lame_duck_seconds=0, drain_seconds=1)
DOCUMENTS = {"salt": "Salt is mined in the hills.", "mond": "Eine Landesonde steht auf dem Mond.", "mars": "火星"}


@pytest.fixture
async def corpus(tmp_path: Path) -> AsyncIterator[Any]:
    write_model(tmp_path / "models" / "many")
    async with open_stage(RetrieveSettings(data=tmp_path, embedder="onnx:many")) as stage:
        assert stage.warm_up is not None
        await stage.warm_up()
        async with (
            running(QUICK, *stage.servicers, capabilities=stage.capabilities) as server,
            grpc.aio.insecure_channel(server.target) as channel,
        ):
            stub: Any = corpus_pb2_grpc.CorpusServiceStub(channel)
            for name, text in DOCUMENTS.items():
                document = corpus_pb2.Document(document_id=name, text=text)
                await stub.PutDocument(corpus_pb2.PutDocumentRequest(document=document))
            yield stub


@pytest.mark.parametrize(
    ("query", "expected_id"),
    [
        ("lander moon", "mond"),
        ("atterrisseur lune", "mond"),
        ("月球 着陆器", "mond"),
        ("Salz", "salt"),
        ("mars", "mars"),
    ],
)
async def test_a_query_in_any_language_finds_what_means_the_same(corpus: Any, query: str, expected_id: str) -> None:
    first, *_ = (await corpus.Search(corpus_pb2.SearchRequest(query=query))).evidence
    assert first.passage.document_id == expected_id
    assert first.scores.vector > 0
