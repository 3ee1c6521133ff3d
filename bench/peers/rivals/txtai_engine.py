"""txtai's hybrid index (faiss, own BM25, SQLite content); it has no conversation step: httpx asks. Limits: ample."""
# mypy: ignore-errors

import asyncio
import json
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import numpy as np
from txtai import Embeddings

from bench.peers.base import Turn
from bench.peers.load import Engine
from bench.peers.rivals.common import ANSWER, PASSAGES, REWRITE, Encoder, Material, messages_of


def build(material: Material, encoder: Encoder, stub: str) -> Engine:
    """Index the passages."""

    def vectors(texts: Any) -> np.ndarray:
        texts = list(texts)
        return encoder.query(texts[0])[None] if len(texts) == 1 else material.of(texts)

    index = Embeddings(method="external", transform=vectors, hybrid=True, content=True)
    index.index((row, document["text"], None) for row, document in enumerate(material.documents))
    return Txtai(material, index, stub)


class Txtai:
    """A thread searches; the model is asked beside it."""

    def __init__(self, material: Material, index: Embeddings, stub: str) -> None:
        self._material, self._index = material, index
        self._client = httpx.AsyncClient(base_url=f"{stub}/v1", timeout=120, limits=httpx.Limits(max_connections=100))
        self._searching = ThreadPoolExecutor(1)

    async def ask(self, turn: Turn, passage_ids: list[str]) -> AsyncIterator[str]:
        """See `Engine`."""
        question = await self._rewrite(turn)
        loop = asyncio.get_running_loop()
        rows = await loop.run_in_executor(self._searching, self._index.search, question, PASSAGES)
        passage_ids += [self._material.documents[int(row["id"])]["id"] for row in rows]
        context = "\n".join(row["text"] for row in rows)
        request = _body(turn, f"{ANSWER}\nPassages:\n{context}\nQuestion: {question}", stream=True)
        async with self._client.stream("POST", "/chat/completions", json=request) as chunks:
            async for line in chunks.aiter_lines():
                if line.startswith("data: {"):
                    yield json.loads(line[6:])["choices"][0]["delta"].get("content") or ""

    async def _rewrite(self, turn: Turn) -> str:
        request = _body(turn, f"{REWRITE}\nQuestion: {turn.question}")
        answer = (await self._client.post("/chat/completions", json=request)).json()
        return answer["choices"][0]["message"]["content"]


def _body(turn: Turn, text: str, **more: Any) -> dict[str, Any]:
    messages = [{"role": role, "content": content} for role, content in messages_of(turn)]
    return {"model": "stub", "messages": [*messages, {"role": "user", "content": text}], **more}
