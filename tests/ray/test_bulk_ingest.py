"""An ingest by a cluster of two workers fills a collection as one process does, whoever dies. Run by `make ray`."""

import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import grpc
import pytest

from bench.bulk_ingest import RayHead, ingest_command, ray_head, write_documents
from bench.suite import RunningSuite, running_suite
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from tests.system.waiting import wait_for

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(find_spec("ray") is None, reason="the extra ray is not installed: see `make ray`"),
]

DOCUMENTS = 240
SUMMARY = f"added {DOCUMENTS + 3}, replaced 1, unchanged 0, empty 1, failed 2"
WORKER = "BulkWorker"
DOCUMENT_COLUMNS = (
    "document_id, title, text, url, date, source, metadata, principals, fingerprint, d.passages, images, content, "
    "language, structure"
)
PASSAGE_COLUMNS = "passage_id, first, last, vector, repeated, headings, section, page, front, blocks"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many files, and some of each thing that can happen to one."""
    folder = tmp_path_factory.mktemp("bulk") / "documents"
    write_documents(folder, DOCUMENTS, paragraphs=6)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    (folder / "empty.txt").write_text(" ")
    lines = ['{"id": "first", "text": "Early."}', "nonsense", '{"id": "second", "text": "Whole.", "date": "2024"}']
    (folder / "lines.jsonl").write_text("\n".join([*lines, '{"id": "first", "text": "Late: the later one counts."}']))
    (folder / "z.md").write_text("# Last\n\nThe last of all.\n")
    return folder


@dataclass(frozen=True)
class Bench:
    """A suite, a cluster of two workers and the folder."""

    suite: RunningSuite
    data: Path
    head: RayHead
    folder: Path
    corpus: corpus_pb2_grpc.CorpusServiceStub

    @contextmanager
    def ingest(self, collection: str, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
        """A running ingest, which is killed if it is still there at the end."""
        command = ingest_command(self.suite, self.folder, collection, arguments)
        pipe, environment = subprocess.PIPE, self.head.environment
        with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment) as process:
            try:
                yield process
            finally:
                process.kill()

    def ingest_by_cluster(self, collection: str) -> AbstractContextManager["subprocess.Popen[str]"]:
        return self.ingest(collection, "--ray", self.head.address)

    def acknowledged(self, collection: str) -> int:
        """Documents that a collection holds so far."""
        answer = self.corpus.ListCollections(corpus_pb2.ListCollectionsRequest())
        return next((int(known.documents) for known in answer.collections if known.name == collection), 0)

    def content(self, collection: str) -> tuple[list[Any], list[Any]]:
        """All documents and all passages with their vectors, as they are stored."""
        with sqlite3.connect(f"file:{self.data / 'corpus.db'}?mode=ro", uri=True) as connection:
            where = "JOIN collections c ON c.id = d.collection WHERE c.name = ?"
            documents = connection.execute(
                f"SELECT {DOCUMENT_COLUMNS} FROM documents d {where} ORDER BY document_id", (collection,)
            ).fetchall()
            passages = connection.execute(
                f"SELECT {PASSAGE_COLUMNS} FROM passages p JOIN documents d ON d.id = p.document {where} "
                "ORDER BY passage_id",
                (collection,),
            ).fetchall()
        connection.close()
        return documents, passages


@pytest.fixture(scope="module")
def bench(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    data = tmp_path_factory.mktemp("suite") / "data"
    with (
        running_suite(data, processes=1) as suite,
        ray_head(2) as head,
        grpc.insecure_channel(suite.address) as channel,
    ):
        yield Bench(suite, data, head, folder, corpus_pb2_grpc.CorpusServiceStub(channel))


@pytest.fixture(scope="module")
def by_one_process(bench: Bench) -> tuple[str, str]:
    """What the command says without a cluster; fills the collection `one`."""
    with bench.ingest("one") as process:
        output = process.communicate(timeout=300)
    assert process.returncode == 1, output
    assert output[0].startswith(SUMMARY)
    return output


def test_a_killed_worker_loses_nothing(bench: Bench, by_one_process: tuple[str, str]) -> None:
    with bench.ingest_by_cluster("killed") as process:
        wait_for(lambda: process.poll() is not None or _is_in_the_middle(bench, "killed"), 300)
        workers = bench.head.workers(WORKER)
        assert process.poll() is None, process.communicate()
        assert len(workers) == 2
        workers[0].kill()
        acknowledged = bench.acknowledged("killed")
        stdout, stderr = process.communicate(timeout=300)
    assert acknowledged < DOCUMENTS
    assert not workers[0].is_running()
    assert (process.returncode, stdout) == (1, by_one_process[0])
    assert complaints(stderr, bench.folder) == complaints(by_one_process[1], bench.folder)
    assert bench.content("killed") == bench.content("one")
    assert len(bench.content("killed")[1]) > DOCUMENTS


def _is_in_the_middle(bench: Bench, collection: str) -> bool:
    return len(bench.head.workers(WORKER)) == 2 and bench.acknowledged(collection) >= 16


def test_an_ingest_that_was_killed_goes_on_where_it_was(bench: Bench, by_one_process: tuple[str, str]) -> None:
    with bench.ingest_by_cluster("resumed") as first:
        wait_for(lambda: first.poll() is not None or bench.acknowledged("resumed") > 16, 300)
        first.kill()
        first.communicate()
    before = bench.acknowledged("resumed")
    assert 16 < before < DOCUMENTS
    with bench.ingest_by_cluster("resumed") as second:
        stdout, _ = second.communicate(timeout=300)
    unchanged = int(stdout.partition("unchanged ")[2].partition(",")[0])
    assert second.returncode == 1
    assert unchanged >= before - 2
    assert bench.content("resumed") == bench.content("one")


def complaints(stderr: str, folder: Path) -> list[str]:
    """The lines about files, without what Ray says of its workers."""
    lines = [line for line in stderr.splitlines() if line.startswith(str(folder))]
    assert lines
    return lines
