"""LlamaIndex's own package before a running suite."""

import asyncio

import pytest

pytest.importorskip("llama_index.core", reason="needs LlamaIndex: make retrievers")

from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import MetadataMode

from bench.suite import RunningSuite
from parley.client import AsyncParley, Parley
from parley.client.errors import NotFoundError
from parley.client.retrievers.llama_index import ParleyRetriever
from tests.retrievers.pages import QUESTION, run_block

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def test_passages_are_nodes_with_what_is_known_of_them(suite: RunningSuite) -> None:
    with Parley(suite.address) as parley:
        found = ParleyRetriever(parley, limit=3).retrieve(QUESTION)
        passage = parley.passage(found[0].node.node_id)
    assert 1 <= len(found) <= 3
    node = found[0].node
    assert "25 May 2008" in node.get_content()
    assert (node.get_content(), node.ref_doc_id) == (passage.text, passage.document_id)
    assert node.metadata["section"] == " > ".join(passage.headings)
    assert found[0].score == node.metadata["score"] > 0
    shown = node.get_content(metadata_mode=MetadataMode.LLM)
    assert passage.title in shown
    assert "passage_id" not in shown


async def test_it_searches_on_the_event_loop_and_in_a_thread(suite: RunningSuite) -> None:
    with Parley(suite.address) as parley:
        async with AsyncParley(suite.address) as async_parley:
            expected = await asyncio.to_thread(ParleyRetriever(parley).retrieve, QUESTION)
            for retriever in (ParleyRetriever(parley), ParleyRetriever(parley, async_parley)):
                found = await retriever.aretrieve(QUESTION)
                assert [each.node.node_id for each in found] == [each.node.node_id for each in expected]


def test_it_is_a_part_of_a_query_engine(suite: RunningSuite) -> None:
    with Parley(suite.address) as parley:
        retriever = ParleyRetriever(parley, limit=1)
        response = RetrieverQueryEngine.from_args(retriever, llm=MockLLM()).query(QUESTION)
    assert "25 May 2008" in str(response), "that model says what it was told"
    assert len(response.source_nodes) == 1


def test_an_unknown_collection_is_the_clients_error(suite: RunningSuite) -> None:
    with Parley(suite.address) as parley, pytest.raises(NotFoundError):
        ParleyRetriever(parley, collection="nowhere").retrieve(QUESTION)


def test_the_code_of_the_page_runs(suite: RunningSuite, capsys: pytest.CaptureFixture[str]) -> None:
    run_block("LlamaIndex", suite.address)
    assert "25 May 2008" in capsys.readouterr().out
