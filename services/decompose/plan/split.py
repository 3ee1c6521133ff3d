"""Plans a question by rules. Deliberately conservative: if uncertain, the question stays whole.

What it describes instead of naming is looked up first. The rest is split as several questions in one turn, or by the
form of the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from libs.contracts.query import DecisionRecord, QueryGraph, QueryNode, Strategy, WeightedQuery, WeightedTerm
from libs.graph.placeholders import PLACEHOLDER
from libs.graph.plan_graph import PlanGraph
from libs.runtime.errors import InvalidInput
from libs.text.tokens import content_words, stem
from services.decompose.plan.descriptions import Lookup, take_descriptions
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
        query, domain = record.query if record else None, domain_in(self.domain, language)
        graph = _graph_of(text, domain, language) if _is_plain(text) else None
        if graph is None or len(graph) == 1:
            return QueryGraph((QueryNode("1", question, query=query),), "it asks one thing")
        nodes = (replace(node, query=_own_query(node, text, query, language)) for node in graph)
        return replace(graph.to_query_graph(), nodes=tuple(nodes))


def _own_query(node: QueryNode, question: str, query: WeightedQuery | None, language: str) -> WeightedQuery | None:
    """The query of a node; None for one that is searched with its filled-in text alone."""
    return query_of(node.text, question, query, language) if node.query or not node.links else None


def _is_plain(question: str) -> bool:
    """Whether a question can be split: it is no story, and has nothing that looks like a placeholder."""
    return len(question) <= LONGEST and not PLACEHOLDER.search(question)


def _graph_of(question: str, domain: Domain, language: str) -> PlanGraph | None:
    """The graph of a question, with a lookup before each part that describes something, if it has room for all."""
    described = take_descriptions(question, domain, language)
    for text, lookups in ((described.text, described.lookups), (question, ())):
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


def _graph(split: Split, lookups: Sequence[Lookup]) -> PlanGraph:
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
    for lookup in lookups:
        node = next((node for node in graph.get_attr("need_rag") if lookup.stand_in in node.text), None)
        if node is not None:
            graph.insert_node_front(QueryNode(str(len(graph) + 1), lookup.asks), node.id, lookup.stand_in)
    return graph.numbered()


def query_of(text: str, question: str, query: WeightedQuery | None, language: str) -> WeightedQuery:
    """Return a sub-query's query, with the history of its turn and the other words of the whole question."""
    terms = (*_siblings(question, language), *(query.terms if query else ()))
    weights: dict[str, WeightedTerm] = {}
    for term in terms:
        earlier = weights.get(stem(term.term, language))
        weights[stem(term.term, language)] = term if earlier is None or term.weight > earlier.weight else earlier
    text_stems = {stem(word, language) for word in content_words(text, language)}
    extra_terms = tuple(term for key, term in weights.items() if key not in text_stems)
    recalls = query is not None and query.recalls_passages
    return WeightedQuery(text, extra_terms, query.texts if query else (), recalls_passages=recalls)


def _siblings(question: str, language: str) -> list[WeightedTerm]:
    return [WeightedTerm(word, SIBLING_WEIGHT) for word in dict.fromkeys(content_words(question, language))]
