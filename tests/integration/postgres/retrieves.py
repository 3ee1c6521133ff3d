"""Retrieve processes over a database of PostgreSQL, and what a caller sees of each."""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import grpc

from bench.suite import ROOT, environment_of
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from tests.integration.postgres.process import PostgresProcess, programs
from tests.system.killable_gateways import KillableProcess
from tests.system.waiting import wait_for

PLACES: Final = ("Mars", "Venus", "the Moon", "Titan", "Mercury", "Jupiter")
FINDS: Final = ("water ice", "a magnetic field", "sulphuric clouds", "basalt", "organic dust")
QUERIES: Final = (
    "craft 7",
    "Which craft landed on Titan?",
    "Who measured water ice on Mars?",
    "sulphuric clouds of Venus",
    "basalt",
    "What was there in 1969?",
    "magnetic fields of planets",
)
"""What the documents that `Ingest` sends are asked."""
UNDER_WAY: Final = 8
"""Documents that wait for their acknowledgement, at most: so an ingest ends soon after it is told to."""
Hits = dict[str, float]
"""Scores by passage id."""


def retrieve_process(url: str, data: Path) -> KillableProcess:
    """A retrieve process over a database, which is not started yet; the folder of its engines is made."""
    data.mkdir(exist_ok=True)
    settings = {"PARLEY_RETRIEVE_POSTGRES_URL": url, "PARLEY_RETRIEVE_DATA": str(data)}
    return KillableProcess("services.retrieve", environment_of(ROOT) | settings, data / "retrieve.log")


@contextmanager
def new_database(postgres: PostgresProcess, name: str) -> Iterator[str]:
    """The connection string of an empty database, which is dropped at the end."""
    statement(postgres.url, f"CREATE DATABASE {name}")
    try:
        yield f"postgresql://{postgres.authority}/{name}"
    finally:
        drop(postgres, name)


def drop(postgres: PostgresProcess, name: str) -> None:
    """Drop a database, if it is there, with all connections to it."""
    statement(postgres.url, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def statement(url: str, sql: str) -> str:
    """Run a statement and return the rows of its result, without a head."""
    command = [str(programs() / "psql"), "--dbname", url, "--no-psqlrc", "--tuples-only", "--no-align", "-c", sql]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def text_of(number: int) -> str:
    """The text of a document, which differs from all others in a few words."""
    place, discovery = PLACES[number % len(PLACES)], FINDS[number % len(FINDS)]
    return f"Craft {number} landed on {place} in {1960 + number % 60}. It measured {discovery} there."


class Ingest:
    """A stream of documents that goes on until it is told to end; they are numbered from `first`."""

    def __init__(self, process: KillableProcess, name: str, first: int = 0) -> None:
        self.acknowledged: list[str] = []
        """The ids of documents in the order of their acknowledgements."""
        self._address, self._name, self._first = process.address, name, first
        self._over = threading.Event()
        self._places = threading.Semaphore(UNDER_WAY)
        self._thread = threading.Thread(target=self._run)

    @contextmanager
    def going_on(self, least: int = 20) -> Iterator[None]:
        """Send while the block runs, which begins when so many documents are acknowledged."""
        self._thread.start()
        try:
            wait_for(lambda: len(self.acknowledged) >= least, seconds=60)
            yield
        finally:
            self._over.set()
            self._thread.join()

    def wait_for_more(self, count: int = 10) -> None:
        """Return when so many further documents are acknowledged."""
        before = len(self.acknowledged)
        wait_for(lambda: len(self.acknowledged) >= before + count, seconds=60)

    def _run(self) -> None:
        with grpc.insecure_channel(self._address) as channel:
            try:
                for response in corpus_pb2_grpc.CorpusServiceStub(channel).Ingest(self._requests()):
                    assert response.status != corpus_pb2.INGEST_STATUS_FAILED, response.description
                    self.acknowledged.append(response.document_id)
                    self._places.release()
            except grpc.RpcError:
                return  # the process was killed

    def _requests(self) -> Iterator[corpus_pb2.IngestRequest]:
        yield corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader())
        number = self._first
        while not self._over.is_set():
            if not self._places.acquire(timeout=0.1):
                continue
            document = corpus_pb2.Document(document_id=f"{self._name}-{number}", text=text_of(number))
            yield corpus_pb2.IngestRequest(document=document)
            number += 1


def put(process: KillableProcess, document_id: str, text: str) -> str:
    """Put a document and return its status, as `ADDED`."""
    request = corpus_pb2.PutDocumentRequest(document=corpus_pb2.Document(document_id=document_id, text=text))
    with grpc.insecure_channel(process.address) as channel:
        status = corpus_pb2_grpc.CorpusServiceStub(channel).PutDocument(request, timeout=60).status
    return corpus_pb2.IngestStatus.Name(status).removeprefix("INGEST_STATUS_")


def ids(process: KillableProcess) -> set[str]:
    """The ids of all documents of the default collection."""
    document_ids: set[str] = set()
    request = corpus_pb2.ListDocumentsRequest(page_size=1000)
    with grpc.insecure_channel(process.address) as channel:
        stub = corpus_pb2_grpc.CorpusServiceStub(channel)
        while True:
            page = stub.ListDocuments(request, timeout=60)
            document_ids |= {document.document_id for document in page.documents}
            if not page.next_page_token:
                return document_ids
            request.page_token = page.next_page_token


def hits(process: KillableProcess, query: str) -> Hits:
    """What a process answers by itself."""
    with grpc.insecure_channel(process.address) as channel:
        stub = corpus_pb2_grpc.CorpusServiceStub(channel)
        evidence = stub.Search(corpus_pb2.SearchRequest(query=query), timeout=60).evidence
    return {each.passage.passage_id: round(each.scores.fused, 4) for each in evidence}


def answers(process: KillableProcess) -> dict[str, Hits]:
    """What a process answers to each of `QUERIES`; none of them is empty."""
    hits_by_query = {query: hits(process, query) for query in QUERIES}
    assert all(hits_by_query.values())
    return hits_by_query
