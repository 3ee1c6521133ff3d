"""Things that a question describes are found first: "when did the craft that first orbited Mars launch?" """

from libs.contracts.query import QueryNode
from libs.graph.plan_graph import PlanGraph
from services.decompose.plan.descriptions import find_description
from services.decompose.words.domain import Domain


def look_up_descriptions(graph: PlanGraph, domain: Domain, language: str) -> None:
    """Put a node in front of each searched one that describes something, and its answer in place of the description.

    A description nested in another is looked up only if it is unique, because documents may use the same words.

    Raises:
        InvalidInput: the graph has no room for all nodes; it is left with some of them.
    """
    for node in graph.get_attr("need_rag"):
        _look_up(graph, node.id, domain, language, unique_only=False)


def _look_up(graph: PlanGraph, node_id: str, domain: Domain, language: str, unique_only: bool) -> None:
    while description := find_description(graph[node_id].text, domain, language):
        if unique_only and not description.is_unique:
            return
        text, lookup = graph[node_id].text, QueryNode(str(len(graph) + 1), description.asks)
        graph.reword(node_id, description.without_clause(text))
        graph.insert_node_front(lookup, node_id, text[description.start : description.end], description.stand_in)
        _look_up(graph, lookup.id, domain, language, unique_only=True)
