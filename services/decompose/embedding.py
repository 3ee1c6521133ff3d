"""Embeddings of texts, cached by text so that a known turn is not embedded again.

Sub-queries of a language model that repeat the question, or that are unrelated to it, are dropped. Those from the rules
have a cosine similarity of .40 to .92 to their question (127 parts of 84 questions, all-MiniLM-L6-v2), so none of them
would be dropped.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from libs.contracts.query import QueryGraph, QueryNode
from libs.inference.vectors import Embedder, Vector

CACHED_TEXTS: Final = 2048
"""Texts whose vectors are kept: 3 MB at 384 dimensions. Chosen by hand, about 50 conversations of 40 texts."""
TOO_NEAR: Final = 0.95
TOO_FAR: Final = 0.25
"""Cosine to the question above which a sub-query repeats it, and below which it is unrelated (by hand, beside the
figures above)."""


class CachedEmbedder:
    """Asks another embedder only for texts that are not in its cache."""

    def __init__(self, inner: Embedder, capacity: int = CACHED_TEXTS) -> None:
        """`capacity` is the size of the cache in vectors; the least recently used one is evicted first."""
        self._inner = inner
        self._capacity = capacity
        self._cache: OrderedDict[str, Vector] = OrderedDict()

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """See `Embedder`."""
        vectors = {text: self._cache[text] for text in texts if text in self._cache}
        missing = [text for text in dict.fromkeys(texts) if text not in vectors]
        if missing:
            vectors.update(zip(missing, await self._inner.embed(missing), strict=True))
        for text in dict.fromkeys(texts):
            self._cache[text] = vectors[text]
            self._cache.move_to_end(text)
        while len(self._cache) > self._capacity:
            self._cache.popitem(last=False)
        return [vectors[text] for text in texts]


async def without_strays(graph: QueryGraph, question: str, embedder: Embedder) -> tuple[QueryGraph, tuple[str, ...]]:
    """Return the graph without sub-queries too near to or too far from the question, and the texts of those dropped.

    Sub-queries with dependencies or dependents are always kept. If fewer than two searched sub-queries remain after
    dropping, the question replaces them.

    Raises:
        ParleyError: the texts can't be embedded.
    """
    candidates = [node for node in graph.nodes if _stands_alone(node, graph)]
    if len(graph.nodes) < 2 or not candidates:
        return graph, ()
    question_vector, *vectors = await embedder.embed([question, *(node.text for node in candidates)])
    cosines = {node.id: float(question_vector @ vector) for node, vector in zip(candidates, vectors, strict=True)}
    stray_ids = {node_id for node_id, cosine in cosines.items() if not TOO_FAR <= cosine <= TOO_NEAR}
    nodes = tuple(node for node in graph.nodes if node.id not in stray_ids)
    dropped_texts = tuple(node.text for node in graph.nodes if node.id in stray_ids)
    if stray_ids and sum(node.need_rag for node in nodes) < 2:
        nodes = (QueryNode("1", question),)
    return replace(graph, nodes=nodes), dropped_texts


def _stands_alone(node: QueryNode, graph: QueryGraph) -> bool:
    return node.need_rag and not node.links and not any(node.id in other.links for other in graph.nodes)
