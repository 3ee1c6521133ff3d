"""LlamaIndex: CondensePlusContextChatEngine over faiss (MiniLM's 384 dimensions) and bm25s. Limits: taste."""
# mypy: ignore-errors

import asyncio
from collections.abc import AsyncIterator

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

from bench.peers.base import Turn
from bench.peers.load import Engine
from bench.peers.rivals.common import CANDIDATES, PASSAGES, Encoder, Material, messages_of


def build(material: Material, encoder: Encoder, stub: str) -> Engine:
    """Index the passages."""
    Settings.embed_model = _embedding(material, encoder)
    Settings.llm = llm = OpenAILike(
        model="stub", api_base=f"{stub}/v1", api_key="none", is_chat_model=True, context_window=16000, max_retries=0
    )
    return LlamaIndex(material, _retriever(_nodes(material), llm), llm)


class LlamaIndex:
    """A chat engine a question, with the question's history."""

    def __init__(self, material: Material, retriever: QueryFusionRetriever, llm: OpenAILike) -> None:
        self._material, self._retriever, self._llm = material, retriever, llm

    async def ask(self, turn: Turn, passage_ids: list[str]) -> AsyncIterator[str]:
        """See `Engine`."""
        history = [ChatMessage(role=role, content=content) for role, content in messages_of(turn)]
        memory = ChatMemoryBuffer.from_defaults(token_limit=3000, chat_history=history, tokenizer_fn=str.split)
        engine = CondensePlusContextChatEngine.from_defaults(retriever=self._retriever, llm=self._llm, memory=memory)
        response = await engine.astream_chat(turn.question)
        passage_ids += [self._material.documents[int(node.node.node_id)]["id"] for node in response.source_nodes]
        async for piece in response.async_response_gen():
            yield piece


def _embedding(material: Material, encoder: Encoder) -> BaseEmbedding:
    class Embedding(BaseEmbedding):
        def _get_query_embedding(self, query: str) -> list[float]:
            return encoder.query(query).tolist()

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return await asyncio.to_thread(self._get_query_embedding, query)

        def _get_text_embedding(self, text: str) -> list[float]:
            return material.of([text])[0].tolist()

    return Embedding(model_name="minilm")


def _nodes(material: Material) -> list[TextNode]:
    return [
        TextNode(
            id_=str(row),
            text=document["text"],
            metadata={"title": document["title"]},
            excluded_embed_metadata_keys=["title"],
        )
        for row, document in enumerate(material.documents)
    ]


def _retriever(nodes: list[TextNode], llm: OpenAILike) -> QueryFusionRetriever:
    store = StorageContext.from_defaults(vector_store=FaissVectorStore(faiss_index=faiss.IndexFlatIP(384)))
    vectors = VectorStoreIndex(nodes, storage_context=store).as_retriever(similarity_top_k=CANDIDATES)
    words = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=CANDIDATES)
    return QueryFusionRetriever(
        [vectors, words], similarity_top_k=PASSAGES, num_queries=1, mode="reciprocal_rerank", use_async=True, llm=llm
    )
