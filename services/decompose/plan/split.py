"""Plans a question by rules. Deliberately conservative: if uncertain, the question stays whole.

What it describes instead of naming is looked up first. The rest is split as several questions in one turn, or by the
form of the question.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from libs.contracts.query import DecisionRecord, QueryGraph, QueryNode, Strategy, WeightedQuery, WeightedTerm
from libs.graph.placeholders import PLACEHOLDER
from libs.graph.plan_graph import PlanGraph
from libs.runtime.errors import InvalidInput
from libs.text.tokens import content_words, stem
from services.decompose.plan.descriptions import take_descriptions
from services.decompose.plan.forms import split_by_form
from services.decompose.plan.joined import split_questions
from services.decompose.plan.parts import PlanPart, Split
from services.decompose.plan.sentences import body_of, small_first_letter
from services.decompose.words.domain import Domain, domain_in

LONGEST = 400
"""Maximum characters of a question that is split; a longer text is a story, not a question (taste)."""
SIBLING_WEIGHT = 0.4
"""Weight of a word of the whole question in a sub-query without it: as of a word of the previous turn (MTRAG)."""


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
        graph = _graph_of(text, domain_in(self.domain, language), language) if _is_plain(text) else None
        if graph is None or len(graph) == 1:
            query = record.query if record else None
            return QueryGraph((QueryNode("1", question, query=query),), "it asks one thing")
        return with_history(graph.to_query_graph(), question, record, language)


def _is_plain(question: str) -> bool:
    """Whether a question can be split: it is no story, and has nothing that looks like a placeholder."""
    return len(question) <= LONGEST and not PLACEHOLDER.search(question)


def _graph_of(question: str, domain: Domain, language: str) -> PlanGraph | None:
    """The graph of a question, with a lookup before each part that describes something, if it has room for all."""
    for text, lookups in (take_descriptions(question, domain, language), (question, {})):
        try:
            return _graph(_split(text, domain, language), lookups)
        except InvalidInput:
            continue
    return None


def _split(question: str, domain: Domain, language: str) -> Split:
    """The sub-queries of a question; the question itself if it is not split."""
    plain = small_first_letter(" ".join(body_of(question, language).split()), language)
    split = split_questions(question, domain, language) or split_by_form(plain, domain, language)
    return split or Split((PlanPart(plain),), "it describes what it asks about")


def _graph(split: Split, lookups: Mapping[str, str]) -> PlanGraph:
    """The graph of a split and of what has to be found first.

    Raises:
        InvalidInput: it would have too many nodes.
    """
    graph = PlanGraph(reason=split.reason)
    for number, part in enumerate(split.parts, start=1):
        query = WeightedQuery(part.text) if part.leans else None
        graph.add_new_node(QueryNode(str(number), part.text, part.function is None, part.function, query=query))
        for former in part.waits_for:
            graph.add_arrow(str(number), str(former))
    for stand_in, asks in lookups.items():
        first = next(node for node in (*graph.get_attr("need_rag"), *graph) if stand_in in node.text)
        graph.insert_node_front(QueryNode(str(len(graph) + 1), asks), first.id, stand_in)
    return graph.numbered()


def with_history(graph: QueryGraph, question: str, record: DecisionRecord | None, language: str) -> QueryGraph:
    """Return a graph with the history added to the sub-queries that are searched first, or have a query already.

    Args:
        graph: a graph of at least one node.
        question: the standalone question.
        record: the decision record of the question, with its query; None if there is no conversation.
        language: the question's, ISO 639-1.
    """
    query = record.query if record else None
    asked = record.raw if record and record.strategy is Strategy.LAST_TURN else question
    if len(graph.nodes) == 1:
        return replace(graph, nodes=(replace(graph.nodes[0], text=question, query=query),))
    nodes = (
        replace(node, query=_query_of(node.text, asked, query, language))
        if node.query or (node.need_rag and not node.links)
        else node
        for node in graph.nodes
    )
    return replace(graph, nodes=tuple(nodes))


def _query_of(text: str, question: str, query: WeightedQuery | None, language: str) -> WeightedQuery:
    """A sub-query's query, with the history of its turn and the other words of the whole question."""
    siblings = [WeightedTerm(word, SIBLING_WEIGHT) for word in dict.fromkeys(content_words(question, language))]
    own = {stem(word, language) for word in content_words(text, language)}
    terms = sorted((*siblings, *(query.terms if query else ())), key=lambda term: term.weight)
    heaviest = {key: term for term in terms if (key := stem(term.term, language)) not in own}
    recalls = query is not None and query.recalls_passages
    return WeightedQuery(text, tuple(heaviest.values()), query.texts if query else (), recalls_passages=recalls)
