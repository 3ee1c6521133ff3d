"""With a multilingual embedder as the setting, a question finds what documents say in another language."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from parley.retrieve.v1 import corpus_pb2
from tests.fakes.tiny_multilingual import write_model
from tests.service.retrieve.running_stage import Client, serving

DOCUMENTS = {"salt": "Salt is mined in the hills.", "mond": "Eine Landesonde steht auf dem Mond.", "mars": "火星"}


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    write_model(tmp_path / "models" / "many")
    async with serving(tmp_path, "onnx:many") as client:
        for name, text in DOCUMENTS.items():
            await client.put(name, text)
        yield client


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
async def test_a_query_in_any_language_finds_what_means_the_same(client: Client, query: str, expected_id: str) -> None:
    first, *_ = (await client.corpus.Search(corpus_pb2.SearchRequest(query=query))).evidence
    assert first.passage.document_id == expected_id
    assert first.scores.vector > 0
