"""Splits a question into sub-queries by rules. Deliberately conservative: if uncertain, the question stays whole.

Besides the shapes of the other modules: several questions in one turn, the subject carried over ("When did Viking 1
launch and who built it?"), and a year identified by an event ("which orbiter was launched in the year that Phoenix
landed?").
"""

from collections.abc import Callable
from dataclasses import dataclass

from libs.contracts.options import Scene
from libs.contracts.query import Decision, DecisionRecord, QueryGraph, QueryNode, Strategy, WeightedQuery, WeightedTerm
from libs.graph.placeholders import PLACEHOLDER
from libs.language.topics.follow_ups import JoinedQuestions
from libs.language.topics.grammar import Grammar
from libs.language.topics.plans import EventForms
from libs.text.sentences import split_sentences
from libs.text.tokens import content_words, stem, tokenize
from services.decompose.condense.ellipsis import body_of, has_verb
from services.decompose.condense.ladder import Condenser
from services.decompose.condense.tidy import tidy
from services.decompose.history import Exchange, HistoryWindow
from services.decompose.plan.comparisons import split_comparison
from services.decompose.plan.enumerations import split_enumeration
from services.decompose.plan.events import when_question
from services.decompose.plan.graph import MAX_NODES, PlanGraph
from services.decompose.plan.intervals import split_interval
from services.decompose.plan.multi_hop import new_sketch, split_multi_hop
from services.decompose.plan.parts import PlanPart, Split
from services.decompose.words.domain import Domain, domain_in


def split_same_year(question: str, domain: Domain, language: str) -> Split | None:
    """Return sub-queries for the event, its year, and the main question; None if no event identifies a year."""
    forms = EventForms.of(language)
    match = forms.year_at_start.fullmatch(question) or forms.year_at_end.fullmatch(question)
    event_question = when_question(match["event"], domain, language) if match else None
    if not match or not event_question:
        return None
    sketch = new_sketch(domain, language)
    day = sketch.ask(event_question)
    year = sketch.compute(forms.year.format(date=day), "year_of", day)
    main = match["main"]
    sketch.ask(forms.in_year.format(main=main[:1].lower() + main[1:], year=year))
    return sketch.split(f'the year is told by what happened in it: "{event_question}"')


def split_questions(question: str, condenser: Condenser, language: str) -> Split | None:
    """Return the questions of a turn, each condensed with those before it; None for a single question."""
    questions = _sentences(question, language) or _conjoined_questions(body_of(question, language), language)
    if len(questions) < 2:
        return None
    standalone: list[str] = []
    for text in questions:
        window = HistoryWindow(tuple(Exchange(before) for before in standalone))
        record = condenser.condense(text, window, language=language)
        if record.decision is Decision.CLARIFY:
            return None
        standalone.append(tidy(record.standalone, language))
    return Split.side_by_side(standalone, f"it asks {len(standalone)} questions")


def _sentences(question: str, language: str) -> list[str]:
    """The sentences of a turn if there are several and all are questions, each split further; else empty."""
    sentences = [sentence.text for sentence in split_sentences(question, language)]
    if len(sentences) < 2 or not all(_asks(sentence, language) for sentence in sentences):
        return []
    parts = [_conjoined_questions(body_of(sentence, language), language) or [sentence] for sentence in sentences]
    return [text for texts in parts for text in texts]


def _conjoined_questions(question: str, language: str) -> list[str]:
    """Split "when and where did it land" or "when did it launch and who built it"; empty for a single question."""
    forms = JoinedQuestions.of(language)
    if match := forms.two_words.fullmatch(question):
        words = (match["one"], match["other"])
        return [forms.question_of_two_words.format(word=word, rest=match["rest"]) for word in words]
    if forms.indirect.match(question):
        return []
    parts = forms.joint.split(question)
    return parts if len(parts) > 1 and all(_asks(part, language) for part in parts) else []


def _asks(text: str, language: str) -> bool:
    """Whether a text is a question with a verb and content words."""
    grammar = Grammar.of(language)
    first, second, *_ = [*(token.text.lower() for token in tokenize(body_of(text, language))[:2]), "", ""]
    opens_late = first in JoinedQuestions.of(language).openers and second in grammar.wh_words
    is_question = first in grammar.wh_words or first in grammar.auxiliaries or opens_late
    return is_question and has_verb(text, language) and bool(content_words(text, language))


LONGEST = 400
"""Maximum characters of a question that is split; a longer text is a story, not a question (taste)."""
SIBLING_WEIGHT = 0.4
"""Weight of a word of the whole question in a sub-query without it: as of a word of the previous turn (MTRAG)."""


@dataclass(frozen=True, slots=True)
class Splitter:
    """Splits by rules. Stateless and thread-safe."""

    domain: Domain
    condenser: Condenser

    def split(self, question: str, language: str) -> Split | None:
        """Return the sub-queries of a question; None if it is not split.

        Args:
            question: a standalone question.
            language: its language, ISO 639-1.
        """
        plain, domain = body_of(question, language), domain_in(self.domain, language)
        if len(plain) > LONGEST or PLACEHOLDER.search(plain):
            return None
        rules: tuple[Callable[[], Split | None], ...] = (
            lambda: _with_descriptions(split_questions(question, self.condenser, language), domain, language),
            lambda: split_comparison(plain, domain, language),
            lambda: split_interval(plain, domain, language),
            lambda: split_same_year(plain, domain, language),
            lambda: _with_descriptions(split_enumeration(plain, language), domain, language),
            lambda: split_multi_hop(plain, domain, language),
        )
        splits = (rule() for rule in rules)
        return next((split for split in splits if split and split.fits(MAX_NODES[Scene.GENERAL])), None)

    def plan(self, question: str, record: DecisionRecord | None, language: str) -> QueryGraph:
        """Return the graph of a question: its sub-queries, or one node with the record's query."""
        text = record.raw if record and record.strategy is Strategy.LAST_TURN else question
        split = self.split(text, language)
        query = record.query if record else None
        if split is None:
            return QueryGraph((QueryNode("1", question, query=query),), "it asks one thing")
        graph = PlanGraph(reason=split.reason)
        for number, part in enumerate(split.parts, start=1):
            graph.add_new_node(_node(str(number), part, text, query, language))
        return graph.to_query_graph()


def _with_descriptions(split: Split | None, domain: Domain, language: str) -> Split | None:
    """The split with a lookup before each part that describes something, if the graph has room for all nodes."""
    if split is None:
        return None
    sketch = new_sketch(domain, language)
    for part in split.parts:
        sketch.ask(part.text)
    with_lookups = sketch.split(split.reason)
    return with_lookups if with_lookups and with_lookups.fits(MAX_NODES[Scene.GENERAL]) else split


def _node(node_id: str, part: PlanPart, question: str, query: WeightedQuery | None, language: str) -> QueryNode:
    links = tuple(str(dependency) for dependency in part.waits_for)
    own_query = None if links or part.function else query_of(part.text, question, query, language)
    return QueryNode(node_id, part.text, part.function is None, part.function, links=links, query=own_query)


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
