"""What the corpus holds and what its engines find, as lines and as JSON."""

import json
from typing import Any

import pytest

from libs.runtime.errors import NotFound
from parley.context.v1 import evidence_pb2, usage_pb2
from parley.retrieve.v1 import corpus_pb2
from tests.unit.cli.conftest import Run


def found() -> corpus_pb2.SearchResponse:
    passage = evidence_pb2.Passage(
        passage_id="phoenix#2",
        document_id="phoenix",
        title="Phoenix",
        date="2024-03-01",
        url="https://example.org/phoenix",
        text="The last signal\nwas received in November.",
    )
    same = evidence_pb2.NearDuplicate(passage=evidence_pb2.Passage(passage_id="copy#0"), similarity=0.97)
    evidence = evidence_pb2.Evidence(
        passage=passage,
        rank=1,
        scores=evidence_pb2.EngineScores(lexical=7.25, fused=1.5),
        near_duplicates=[same],
    )
    return corpus_pb2.SearchResponse(evidence=[evidence])


def test_a_passage_is_told_with_the_score_of_each_engine(gateway: Any, parley: Run) -> None:
    gateway.found = found()
    assert parley("search", "last signal").stdout == (
        "1. Phoenix\n"
        "   fused 1.500, lexical 7.250, vector -\n"
        "   phoenix#2, 2024-03-01, https://example.org/phoenix\n"
        "   also in copy#0 (0.970)\n"
        "   The last signal was received in November.\n"
    )


def test_a_search_is_made_as_it_was_asked_for(gateway: Any, parley: Run) -> None:
    parley("search", "last signal", "--collection", "moon", "--limit", "3", "--principal", "press", "--web")
    (request,) = gateway.searched
    assert request.options.web
    assert (request.query, request.options.collection, request.options.depth.evidence) == ("last signal", "moon", 3)
    assert gateway.principals == [["press"]]


def test_json_is_one_line_a_passage(gateway: Any, parley: Run) -> None:
    gateway.found = found()
    (line,) = parley("search", "last signal", "--json").stdout.splitlines()
    entry = json.loads(line)
    assert entry["scores"] == {"lexical": 7.25, "fused": 1.5}
    assert entry["passage"]["passage_id"] == "phoenix#2"


def test_an_engine_that_took_no_part_is_told_beside_the_result(gateway: Any, parley: Run) -> None:
    gateway.found = found()
    gateway.found.degraded.add(
        stage=usage_pb2.STAGE_RETRIEVE, reason="EMBEDDER_MISSING", effect="Only words were searched."
    )
    result = parley("search", "last signal", "--json")
    assert result.exit_code == 0
    assert result.stderr == "degraded: Only words were searched. (EMBEDDER_MISSING)\n"
    assert len(result.stdout.splitlines()) == 1


def test_collections_are_rows_parted_by_tabs(gateway: Any, parley: Run) -> None:
    gateway.collections.collections.add(name="default")
    gateway.collections.collections.add(
        name="moon",
        documents=71,
        passages=312,
        embedding_model="all-MiniLM-L6-v2",
        vector_width=384,
        passages_without_vectors=40,
    )
    assert parley("collections").stdout == (
        "collection\tdocuments\tpassages\twithout vectors\tembedder\twidth\n"
        "default\t0\t0\t0\t-\t-\nmoon\t71\t312\t40\tall-MiniLM-L6-v2\t384\n"
    )


@pytest.mark.parametrize(("asked", "more"), [("redsi", " Did you mean 'redis'?"), ("moon", "")])
def test_of_a_mistyped_collection_the_nearest_name_is_told(gateway: Any, parley: Run, asked: str, more: str) -> None:
    gateway.collections.collections.add(name="default")
    gateway.collections.collections.add(name="redis")
    gateway.found = NotFound("collection", asked)
    result = parley("search", "keys", "--collection", asked)
    expected = f"There is no collection '{asked}' (COLLECTION_NOT_FOUND).{more}\n"
    assert (result.exit_code, result.stderr) == (1, expected)
    assert f"lists them.{more}\n" in parley("collections", "--delete", asked).stderr


def test_documents_are_deleted_by_their_ids(gateway: Any, parley: Run) -> None:
    result = parley("delete", "notes/a.pdf", "b", "--collection", "moon", "--principal", "ann")
    assert (result.exit_code, result.stdout) == (0, "deleted 2\n")
    assert gateway.deleted == ["notes/a.pdf", "b"]
    assert gateway.principals == [["ann"], ["ann"]]


def test_a_document_that_is_not_there_stops_nothing(gateway: Any, parley: Run) -> None:
    gateway.missing = ["a"]
    result = parley("delete", "a", "b")
    assert (result.exit_code, result.stdout) == (1, "deleted 1\n")
    assert result.stderr == "There is no document a. `parley documents` lists them.\n"
