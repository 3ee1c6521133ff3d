"""Plans a question by rules. Deliberately conservative: if uncertain, the question stays whole.

What it describes instead of naming is looked up first. The rest is split as several questions in one turn, or by the
form of the question.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from libs.contracts.options import Scene
from libs.contracts.query import DecisionRecord, QueryGraph, QueryNode, Strategy, WeightedQuery, WeightedTerm
from libs.graph.placeholders import PLACEHOLDER
from libs.graph.plan_graph import PlanGraph
from libs.runtime.errors import InvalidInput
from libs.text.tokens import content_stems, content_words, stem
from services.decompose.condense.tidy import body_of
from services.decompose.plan.descriptions import take_descriptions
from services.decompose.plan.forms import split_by_form
from services.decompose.plan.joined import split_questions
from services.decompose.plan.nodes import as_one, graph_of
from services.decompose.words.domain import Domain, domain_in

LONGEST = 400
"""Maximum characters of a question that is split; a longer text is a story, not a question (taste)."""
SIBLING_WEIGHT = 0.4
"""Weight of a word of the whole question in a sub-query that lacks it (MTRAG: nDCG@10 of the first turns .607, .602
without)."""
_REASON = "it takes more than one step"


@dataclass(frozen=True, slots=True)
class Splitter:
    """Splits by rules. Stateless and thread-safe."""

    domain: Domain

    def plan(self, question: str, record: DecisionRecord | None, language: str) -> QueryGraph:
        """Return the graph of a question: its sub-queries, or one node with the record's query.

        Args:
            question: a standalone question.
            record: the decision record of its turn; None if there is no conversation.
            language: the question's, ISO 639-1.
        """
        text = record.raw if record and record.strategy is Strategy.LAST_TURN else question
        is_plain = len(text) <= LONGEST and not PLACEHOLDER.search(text)
        graph = _graph_of(text, domain_in(self.domain, language), language) if is_plain else as_one(question)
        return with_history(graph, question, record, language)


def _graph_of(question: str, domain: Domain, language: str) -> QueryGraph:
    """The graph of a question, with a lookup before each part that describes something, if it has room for all."""
    for text, lookups in (take_descriptions(question, domain, language), (question, {})):
        try:
            graph = _graph(text, lookups, domain, language)
        except InvalidInput:
            continue
        return graph.to_query_graph() if len(graph) > 1 else as_one(question)
    return as_one(question)


def _graph(question: str, lookups: Mapping[str, str], domain: Domain, language: str) -> PlanGraph:
    """The graph of a question and of what has to be found first.

    Raises:
        InvalidInput: it would have too many nodes.
    """
    body = " ".join(body_of(question, language).split())
    plain = body[:1].lower() + body[1:]
    joined = split_questions(question, domain, language)
    nodes = joined or split_by_form(plain, domain, language) or (QueryNode("1", plain),)
    graph = graph_of(nodes, _REASON, Scene.GENERAL)
    for stand_in, asks in lookups.items():
        if waiting := [node for node in (*graph.get_attr("need_rag"), *graph) if stand_in in node.text]:
            graph.insert_node_front(QueryNode(str(len(graph) + 1), asks), waiting[0].id, stand_in)
    return graph.numbered()


def with_history(graph: QueryGraph, question: str, record: DecisionRecord | None, language: str) -> QueryGraph:
    """Return a graph with the history added to the sub-queries that are searched first.

    Args:
        graph: a graph of at least one node.
        question: the standalone question.
        record: the decision record of the question, with its query; None if there is no conversation.
        language: the question's, ISO 639-1.
    """
    query = record.query if record else None
    if len(graph.nodes) == 1:
        return replace(graph, nodes=(replace(graph.nodes[0], text=question, query=query),))
    nodes = (
        node
        if node.links or not node.need_rag
        else replace(node, query=_query_of(node.text, question, query, language))
        for node in graph.nodes
    )
    return replace(graph, nodes=tuple(nodes))


def _query_of(text: str, question: str, query: WeightedQuery | None, language: str) -> WeightedQuery:
    """The query of a sub-query, with the history of its turn and the other words of the whole question."""
    own, query = set(content_stems(text, language)), query or WeightedQuery(text)
    siblings = (WeightedTerm(word, SIBLING_WEIGHT) for word in dict.fromkeys(content_words(question, language)))
    terms = tuple(term for term in (*siblings, *query.terms) if stem(term.term, language) not in own)
    return replace(query, text=text, terms=terms, variants=(), turn="")
