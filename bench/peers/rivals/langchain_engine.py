"""LangChain: a history-aware retrieval chain over faiss and rank_bm25 in an ensemble, in memory and built once."""
# mypy: ignore-errors

from collections.abc import AsyncIterator

from langchain_classic.chains import create_history_aware_retriever, create_retrieval_chain
from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_classic.retrievers import EnsembleRetriever
from langchain_community.retrievers import BM25Retriever
from langchain_community.vectorstores import FAISS
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import Runnable
from langchain_openai import ChatOpenAI

from bench.peers.base import Turn
from bench.peers.load import Engine
from bench.peers.rivals.common import ANSWER, CANDIDATES, PASSAGES, REWRITE, Encoder, Material, messages_of

ROLES = {"user": HumanMessage, "assistant": AIMessage}


def build(material: Material, encoder: Encoder, stub: str) -> Engine:
    """Index the passages."""
    llm = ChatOpenAI(model="stub", base_url=f"{stub}/v1", api_key="none", max_retries=0)
    rewriting = create_history_aware_retriever(llm, _retriever(material, encoder), _prompt(REWRITE))
    answering = create_stuff_documents_chain(llm, _prompt(ANSWER + "\n{context}"))
    return LangChain(create_retrieval_chain(rewriting, answering))


class LangChain:
    """One chain for all questions."""

    def __init__(self, chain: Runnable) -> None:
        self._chain = chain

    async def ask(self, turn: Turn, passage_ids: list[str]) -> AsyncIterator[str]:
        """See `Engine`."""
        history = [ROLES[role](content) for role, content in messages_of(turn)]
        async for piece in self._chain.astream({"input": turn.question, "chat_history": history}):
            passage_ids += [document.metadata["id"] for document in piece.get("context") or ()]
            yield piece.get("answer") or ""


class _Embedding(Embeddings):
    def __init__(self, material: Material, encoder: Encoder) -> None:
        self._material, self._encoder = material, encoder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._material.of(texts).tolist()

    def embed_query(self, text: str) -> list[float]:
        return self._encoder.query(text).tolist()


def _retriever(material: Material, encoder: Encoder) -> Runnable:
    documents = [Document(document["text"], metadata={"id": document["id"]}) for document in material.documents]
    store = FAISS.from_documents(documents, _Embedding(material, encoder))
    vectors = store.as_retriever(search_kwargs={"k": CANDIDATES})
    words = BM25Retriever.from_documents(documents, k=CANDIDATES)
    both = EnsembleRetriever(retrievers=[vectors, words], weights=[0.5, 0.5])  # its default: equal ones
    return both | (lambda ranking: ranking[:PASSAGES])


def _prompt(system: str) -> ChatPromptTemplate:
    history = MessagesPlaceholder("chat_history")
    return ChatPromptTemplate.from_messages([("system", system), history, ("human", "{input}")])
