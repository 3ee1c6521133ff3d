"""LangChain's own packages before a running suite: the retriever, and OpenAI's embeddings at the HTTP server."""

import asyncio
from typing import Any

import pytest

pytest.importorskip("langchain_core", reason="needs LangChain: make retrievers")

from langchain_core.runnables import RunnableLambda
from langchain_openai import OpenAIEmbeddings

from bench.suite import RunningSuite
from parley.client import AsyncParley, Parley
from parley.client.errors import NotFoundError
from parley.client.retrievers.langchain import ParleyRetriever
from tests.retrievers.pages import QUESTION, run_block
from tests.system.test_http_doors import serving

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def test_passages_are_documents_with_what_is_known_of_them(suite: RunningSuite) -> None:
    with Parley(suite.address) as parley:
        found = ParleyRetriever(parley=parley, limit=3).invoke(QUESTION)
        passage = parley.passage(str(found[0].id))
    assert 1 <= len(found) <= 3
    first = found[0]
    assert "25 May 2008" in first.page_content
    assert (first.page_content, first.metadata["document_id"]) == (passage.text, passage.document_id)
    assert first.metadata["title"] == passage.title
    assert first.metadata["section"] == " > ".join(passage.headings)
    scores = [document.metadata["score"] for document in found]
    assert scores[0] > 0
    assert scores == sorted(scores, reverse=True)


async def test_it_searches_on_the_event_loop_and_in_a_thread(suite: RunningSuite) -> None:
    with Parley(suite.address) as parley:
        async with AsyncParley(suite.address) as async_parley:
            expected = await asyncio.to_thread(ParleyRetriever(parley=parley).invoke, QUESTION)
            for more in (None, async_parley):
                retriever = ParleyRetriever(parley=parley, async_parley=more)
                assert await retriever.ainvoke(QUESTION) == expected


def test_it_is_a_part_of_a_chain(suite: RunningSuite) -> None:
    with Parley(suite.address) as parley:
        chain = ParleyRetriever(parley=parley, limit=1) | RunnableLambda(lambda documents: documents[0].page_content)
        assert "25 May 2008" in chain.invoke(QUESTION)


def test_an_unknown_collection_is_the_clients_error(suite: RunningSuite) -> None:
    with Parley(suite.address) as parley, pytest.raises(NotFoundError):
        ParleyRetriever(parley=parley, collection="nowhere").invoke(QUESTION)


def test_the_code_of_the_page_runs(suite: RunningSuite, capsys: pytest.CaptureFixture[str]) -> None:
    run_block("LangChain", suite.address)
    assert "25 May 2008" in capsys.readouterr().out


async def test_texts_are_embedded_by_openais_class(suite: RunningSuite) -> None:
    async with serving(suite) as address:
        options: dict[str, Any] = {"base_url": f"{address}/v1", "api_key": "none", "check_embedding_ctx_length": False}
        embeddings = OpenAIEmbeddings(model="parley", **options)
        documents = await embeddings.aembed_documents(["The landing of Phoenix", "A recipe for plum cake"])
        query = await embeddings.aembed_query("When did Phoenix land?")
    likeness = [sum(a * b for a, b in zip(query, document, strict=True)) for document in documents]
    assert likeness[0] > likeness[1] + 0.3
