"""A text of 1,000 pages and a table of 50,000 rows are taken in with little memory."""

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from bench.large import ROWS, ingest, peak_megabytes, write_table, write_text
from bench.suite import RunningSuite, running_suite
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

COMMAND_MEGABYTES = 400.0
RETRIEVE_MEGABYTES = 500.0
"""More than the process holds before."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800), pytest.mark.xdist_group("large")]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSuite]:
    with running_suite(tmp_path_factory.mktemp("large") / "data") as suite:
        yield suite


def takes_little_memory(suite: RunningSuite, file: Path) -> None:
    before = peak_megabytes(suite.processes()["retrieve"].pid)
    took = ingest(suite, file, "large")
    assert "failed 0" in took.output
    assert took.command_megabytes < COMMAND_MEGABYTES
    assert took.retrieve_megabytes - before < RETRIEVE_MEGABYTES


def test_a_text_of_a_thousand_pages(alone: RunningSuite, tmp_path: Path) -> None:
    takes_little_memory(alone, write_text(tmp_path / "long.txt"))


def test_a_table_of_fifty_thousand_rows_whose_last_one_is_found(alone: RunningSuite, tmp_path: Path) -> None:
    takes_little_memory(alone, write_table(tmp_path / "long.csv"))
    with grpc.insecure_channel(alone.address) as channel:
        request = corpus_pb2.SearchRequest(query=f"number: {ROWS}")
        request.options.collection = "large"
        response = corpus_pb2_grpc.CorpusServiceStub(channel).Search(request, timeout=30)
    assert any(f"number: {ROWS};" in evidence.passage.text for evidence in response.evidence)
