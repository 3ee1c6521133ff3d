"""A suite with a few documents, for the tests that send it hostile messages."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest

from bench.suite import RunningSuite, running_suite
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from tests.hostile.messages import DOCUMENTS, PICTURE, SENTENCES


@dataclass(frozen=True)
class HostileSuite:
    """A running suite, and the folder of its processes' logs."""

    running: RunningSuite
    logs: Path


@pytest.fixture(scope="session")
def hostile_suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HostileSuite]:
    """Two processes: the answer stage has its own, as its methods are not the gateway's."""
    data = tmp_path_factory.mktemp("suite") / "data"
    with running_suite(data, {"PARLEY_ADMISSION_CALLS_PER_SECOND": "100000"}, processes=2) as running:
        with grpc.insecure_channel(running.address) as channel:
            put_documents(corpus_pb2_grpc.CorpusServiceStub(channel))
        yield HostileSuite(running, data / "logs")


def put_documents(corpus: corpus_pb2_grpc.CorpusServiceStub) -> None:
    """Store the documents that the hostile messages refer to."""
    for document_id in DOCUMENTS:
        image = corpus_pb2.DocumentImage(image_id=f"{document_id}-0", data=PICTURE, media_type="image/png")
        text = f"# {document_id}\n\n" + "\n\n".join(SENTENCES)
        document = corpus_pb2.Document(document_id=document_id, title=document_id, text=text, images=[image])
        corpus.PutDocument(corpus_pb2.PutDocumentRequest(document=document))
