"""Plans a question by rules. Deliberately conservative: if uncertain, the question stays whole.

The first rule that applies splits it: several questions in one turn, a comparison, moments, one thing asked about
several names. What the parts describe instead of naming is then looked up first.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from libs.contracts.options import Scene
from libs.contracts.query import DecisionRecord, QueryGraph, QueryNode, Strategy, WeightedQuery, WeightedTerm
from libs.graph.placeholders import PLACEHOLDER
from libs.graph.plan_graph import MAX_NODES, PlanGraph
from libs.runtime.errors import InvalidInput
from libs.text.tokens import content_words, stem
from services.decompose.plan.comparisons import split_comparison
from services.decompose.plan.enumerations import split_enumeration
from services.decompose.plan.joined.questions import split_questions
from services.decompose.plan.lookups import look_up_descriptions
from services.decompose.plan.moments import split_moments
from services.decompose.plan.parts import Split
from services.decompose.plan.sentences import body_of
from services.decompose.words.domain import Domain, domain_in

LONGEST = 400
"""Maximum characters of a question that is split; a longer text is a story, not a question (taste)."""
SIBLING_WEIGHT = 0.4
"""Weight of a word of the whole question in a sub-query without it: as of a word of the previous turn (MTRAG)."""


@dataclass(frozen=True, slots=True)
class Splitter:
    """Splits by rules. Stateless and thread-safe."""

    domain: Domain

    def _split(self, question: str, language: str) -> Split | None:
        """Return the sub-queries of a question, its descriptions as they are; None if it is not split.

        Args:
            question: a standalone question.
            language: its language, ISO 639-1.
        """
        plain, domain = body_of(question, language), domain_in(self.domain, language)
        if not _is_plain(plain):
            return None
        rules: tuple[Callable[[], Split | None], ...] = (
            lambda: split_questions(question, domain, language),
            lambda: split_comparison(plain, domain, language),
            lambda: split_moments(plain, domain, language),
            lambda: split_enumeration(plain, language),
        )
        splits = (rule() for rule in rules)
        return next((split for split in splits if split and split.fits(MAX_NODES[Scene.GENERAL])), None)

    def plan(self, question: str, record: DecisionRecord | None, language: str) -> QueryGraph:
        """Return the graph of a question: its sub-queries, or one node with the record's query."""
        text = record.raw if record and record.strategy is Strategy.LAST_TURN else question
        query, plain = record.query if record else None, body_of(text, language)
        split = self._split(text, language) or Split.of([plain[:1].lower() + plain[1:]], "")
        graph = _with_lookups(split, domain_in(self.domain, language), language) if _is_plain(plain) else None
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


def _with_lookups(split: Split, domain: Domain, language: str) -> PlanGraph:
    """The graph of a split, with a lookup before each part that describes something, if it has room for all."""
    graph = _graph(split)
    try:
        look_up_descriptions(graph, domain, language)
    except InvalidInput:
        return _graph(split)
    graph = graph.numbered()
    first = next(iter(graph))
    graph.reason = split.reason or f'what it asks about has to be found first: "{first.text}"'
    return graph


def _graph(split: Split) -> PlanGraph:
    graph = PlanGraph(reason=split.reason)
    for number, part in enumerate(split.parts, start=1):
        query = WeightedQuery(part.text) if part.leans else None
        graph.add_new_node(QueryNode(str(number), part.text, part.function is None, part.function, query=query))
        for former in part.waits_for:
            graph.add_arrow(str(number), str(former))
    return graph


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
