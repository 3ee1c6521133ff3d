"""Haystack's own package before a running suite."""

import asyncio

import pytest

pytest.importorskip("haystack", reason="needs Haystack: make retrievers")

from haystack import Pipeline
from haystack.utils import Secret

from bench.suite import RunningSuite
from parley.client import Parley
from parley.client.errors import NotFoundError
from parley.client.retrievers.haystack import ParleyRetriever
from tests.retrievers.pages import QUESTION, run_block

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def test_passages_are_documents_with_what_is_known_of_them(suite: RunningSuite) -> None:
    found = ParleyRetriever(suite.address, top_k=3).run(QUESTION)["documents"]
    with Parley(suite.address) as parley:
        passage = parley.passage(found[0].id)
    assert 1 <= len(found) <= 3
    first = found[0]
    assert "25 May 2008" in (first.content or "")
    assert (first.content, first.meta["document_id"]) == (passage.text, passage.document_id)
    assert first.meta["section"] == " > ".join(passage.headings)
    assert first.score == first.meta["score"] > 0
    assert len(ParleyRetriever(suite.address, top_k=3).run(QUESTION, top_k=1)["documents"]) == 1


async def test_it_searches_on_the_event_loop_too(suite: RunningSuite) -> None:
    retriever = ParleyRetriever(suite.address)
    assert await retriever.run_async(QUESTION) == await asyncio.to_thread(retriever.run, QUESTION)


def test_a_pipeline_with_it_is_written_and_read_again(suite: RunningSuite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_TOKEN", "secret")
    pipeline = Pipeline()
    token = Secret.from_env_var("PARLEY_TOKEN")
    pipeline.add_component("retriever", ParleyRetriever(suite.address, token=token, top_k=1))
    written = pipeline.dumps()
    assert "secret" not in written.replace("env_var", "")
    read = Pipeline.loads(written, allowed_modules=["parley.client.retrievers.haystack"])
    (document,) = read.run({"retriever": {"query": QUESTION}})["retriever"]["documents"]
    assert "25 May 2008" in document.content


def test_an_unknown_collection_is_the_clients_error(suite: RunningSuite) -> None:
    with pytest.raises(NotFoundError):
        ParleyRetriever(suite.address, collection="nowhere").run(QUESTION)


def test_the_code_of_the_page_runs(suite: RunningSuite, capsys: pytest.CaptureFixture[str]) -> None:
    run_block("Haystack", suite.address)
    assert "25 May 2008" in capsys.readouterr().out
