"""Documents that nobody waits for to be embedded: found by words when the command ends, by meaning soon after."""

from pathlib import Path

import grpc
import pytest

from bench.suite import RunningSuite
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc, retrieve_pb2
from tests.system.waiting import wait_for

FILES = 200


@pytest.mark.timeout(300)
def test_a_folder_is_found_by_words_when_the_command_ends(suite: RunningSuite, tmp_path: Path) -> None:
    for number in range(FILES):
        (tmp_path / f"{number:04}.md").write_text(f"# Day {number}\n\n{f'The pump {number} ran well. ' * 40}\n")
    suite.parley("ingest", str(tmp_path), "--collection", "logbook", "--wait", "text")
    options = retrieve_pb2.RetrieveOptions(collection="logbook")
    with grpc.insecure_channel(suite.address) as channel:
        corpus = corpus_pb2_grpc.CorpusServiceStub(channel)

        def without_vectors() -> int:
            request = corpus_pb2.GetCollectionRequest(name="logbook")
            return corpus.GetCollection(request).collection.passages_without_vectors

        def search() -> corpus_pb2.SearchResponse:
            return corpus.Search(corpus_pb2.SearchRequest(query=f"pump {FILES - 1}", options=options))

        early, left = search(), without_vectors()
        assert early.evidence[0].passage.document_id.endswith(f"{FILES - 1:04}.md")
        assert left > 0
        wait_for(lambda: not without_vectors(), 240)
        later = search()
        assert later.evidence[0].passage.document_id.endswith(f"{FILES - 1:04}.md")
        assert later.evidence[0].scores.HasField("vector")
        assert not later.degraded
