"""Haystack: a pipeline over its in-memory store, built once and shared by all questions; embedding runs in a thread."""
# mypy: ignore-errors

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from haystack import Document, Pipeline, component
from haystack.components.builders import ChatPromptBuilder
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.components.joiners import DocumentJoiner
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.utils import Secret

from bench.peers.base import Turn
from bench.peers.load import Engine
from bench.peers.rivals.common import ANSWER, CANDIDATES, PASSAGES, REWRITE, Encoder, Material, messages_of

SAID = "{% for who, text in said %}{{who}}: {{text}}\n{% endfor %}"
CONTENTS = "{% for document in documents %}{{document.content}}\n{% endfor %}"
CONNECTIONS = (
    ("rewrite.prompt", "rewriting.messages"),
    ("rewriting.replies", "query.replies"),
    ("query.text", "words.query"),
    ("query.embedding", "vectors.query_embedding"),
    ("words.documents", "joined.documents"),
    ("vectors.documents", "joined.documents"),
    ("joined.documents", "answer.documents"),
    ("answer.prompt", "answering.messages"),
)


def build(material: Material, encoder: Encoder, stub: str) -> Engine:
    """Index the passages."""
    pipeline = Pipeline()
    for name, part in _components(_store(material), encoder, stub).items():
        pipeline.add_component(name, part)
    for sender, receiver in CONNECTIONS:
        pipeline.connect(sender, receiver)
    return Haystack(material, pipeline)


class Haystack:
    """One pipeline for all questions."""

    def __init__(self, material: Material, pipeline: Pipeline) -> None:
        self._material, self._pipeline = material, pipeline

    async def ask(self, turn: Turn, passage_ids: list[str]) -> AsyncIterator[str]:
        """See `Engine`."""
        inputs = {
            "rewrite": {"said": messages_of(turn), "question": turn.question},
            "answer": {"question": turn.question},
        }
        running = self._pipeline.stream(inputs, streaming_components=["answering"], include_outputs_from={"joined"})
        async for piece in running:
            yield piece.content or ""
        documents = running.result["joined"]["documents"]
        passage_ids += [self._material.documents[int(document.id)]["id"] for document in documents]


@component
class Query:
    """The rewritten question as words and as a vector."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    @component.output_types(embedding=list[float], text=str)
    def run(self, replies: list[ChatMessage]) -> dict[str, Any]:
        """Of the model's first reply."""
        return {"embedding": self._encoder.query(replies[0].text).tolist(), "text": replies[0].text}

    @component.output_types(embedding=list[float], text=str)
    async def run_async(self, replies: list[ChatMessage]) -> dict[str, Any]:
        """The same in a thread."""
        return await asyncio.to_thread(self.run, replies)


def _store(material: Material) -> InMemoryDocumentStore:
    store = InMemoryDocumentStore(embedding_similarity_function="dot_product")
    store.write_documents(
        [
            Document(id=str(row), content=document["text"], embedding=material.vectors[row].tolist())
            for row, document in enumerate(material.documents)
        ]
    )
    return store


def _components(store: InMemoryDocumentStore, encoder: Encoder, stub: str) -> dict[str, Any]:
    return {
        "rewrite": _prompt(f"{REWRITE}\n{SAID}Question: {{{{question}}}}", "said", "question"),
        "rewriting": _model(stub),
        "query": Query(encoder),
        "words": InMemoryBM25Retriever(store, top_k=CANDIDATES),
        "vectors": InMemoryEmbeddingRetriever(store, top_k=CANDIDATES),
        "joined": DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=PASSAGES),
        "answer": _prompt(f"{ANSWER}\n{CONTENTS}Question: {{{{question}}}}", "documents", "question"),
        "answering": _model(stub),
    }


def _prompt(text: str, *variables: str) -> ChatPromptBuilder:
    return ChatPromptBuilder(template=[ChatMessage.from_user(text)], required_variables=list(variables))


def _model(stub: str) -> OpenAIChatGenerator:
    key = Secret.from_token("none")
    return OpenAIChatGenerator(api_key=key, model="stub", api_base_url=f"{stub}/v1", max_retries=0)
