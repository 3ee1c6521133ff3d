"""Retrieval for each sub-query of a graph, in dependency order; answers are not filled in. Awaits, never blocks."""

import asyncio
from collections.abc import Sequence

from libs.contracts.options import RetrieveOptions
from libs.contracts.query import QueryGraph, WeightedQuery
from libs.contracts.stages.retrieve import NodeEvidence, RecalledGraph, RetrieveResult
from libs.contracts.usage import Degraded
from libs.graph.plan_graph import PlanGraph
from services.retrieve.search.retriever import Retriever


async def recall_graph(retriever: Retriever, graph: QueryGraph, options: RetrieveOptions) -> RecalledGraph:
    """Search for each node that needs it, layer by layer, the nodes of a layer concurrently.

    Raises:
        InvalidInput: the graph is invalid, as `PlanGraph.from_query_graph` reports.
        NotFound, Unavailable: as `Retriever.retrieve`.
    """
    evidence: list[NodeEvidence] = []
    degraded: dict[Degraded, None] = {}
    plan = PlanGraph.from_query_graph(graph)
    for number, layer in enumerate(plan.get_turns()):
        nodes = [node for node in layer if node.id in plan.recall_queries and node.function_call is None]
        results = await asyncio.gather(*(search(retriever, plan.recall_queries[node.id], options) for node in nodes))
        for node, (result, failures) in zip(nodes, results, strict=True):
            evidence.append(NodeEvidence(node.id, number, result.evidence))
            degraded.update(dict.fromkeys(failures))
    return RecalledGraph(tuple(evidence), tuple(degraded))


async def search(
    retriever: Retriever, query: WeightedQuery, options: RetrieveOptions
) -> tuple[RetrieveResult, Sequence[Degraded]]:
    """A retrieval's result, with its `Degraded` steps."""
    degraded: list[Degraded] = []
    result = RetrieveResult()
    async for step in retriever.retrieve(query, options):
        if isinstance(step, Degraded):
            degraded.append(step)
        elif isinstance(step, RetrieveResult):
            result = step
    return result, degraded
