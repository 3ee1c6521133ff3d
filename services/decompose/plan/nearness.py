"""Drops sub-queries that repeat the question, or that are unrelated to it.

Applies only to the plans of a language model. Sub-queries from the rules have a cosine similarity of .40 to .92 to
their question (127 parts of 84 questions, all-MiniLM-L6-v2), so none of them would be dropped.
"""

from dataclasses import dataclass, replace

from libs.contracts.query import QueryGraph, QueryNode
from services.decompose.embedding import Embedder


@dataclass(frozen=True, slots=True)
class NearnessBounds:
    """The range of cosine similarity to the question within which a sub-query is kept."""

    too_near: float = 0.95
    too_far: float = 0.25


async def without_strays(
    graph: QueryGraph, question: str, embedder: Embedder, bounds: NearnessBounds
) -> tuple[QueryGraph, tuple[str, ...]]:
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
    stray_ids = {node_id for node_id, cosine in cosines.items() if not bounds.too_far <= cosine <= bounds.too_near}
    nodes = tuple(node for node in graph.nodes if node.id not in stray_ids)
    dropped_texts = tuple(node.text for node in graph.nodes if node.id in stray_ids)
    if stray_ids and sum(node.need_rag for node in nodes) < 2:
        nodes = (QueryNode("1", question),)
    return replace(graph, nodes=nodes), dropped_texts


def _stands_alone(node: QueryNode, graph: QueryGraph) -> bool:
    return node.need_rag and not node.links and not any(node.id in other.links for other in graph.nodes)
