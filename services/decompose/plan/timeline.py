"""Sub-queries for a timeline: the question itself, and the phases of its topic."""

from libs.contracts.options import Scene
from libs.contracts.query import DecisionRecord, QueryGraph, QueryNode
from services.decompose.plan.graph import MOST_NODES
from services.decompose.words.domain import Domain
from services.decompose.words.phrases import PhraseKind, find_phrases

MOST_PHRASES = 2
"""Maximum phrases of the question used as the topic of a phase's query."""


def plan_timeline(question: str, record: DecisionRecord | None, domain: Domain, language: str) -> QueryGraph:
    """Return a node for the question with the record's query, and one per phase, as many as the graph allows."""
    question_node = QueryNode("1", question, query=record.query if record else None)
    topic = _topic(question, language)
    phases = domain.phases[: MOST_NODES[Scene.TIMELINE] - 1] if topic else ()
    nodes = [QueryNode(str(number), f"{topic} {phase}") for number, phase in enumerate(phases, start=2)]
    return QueryGraph(
        (question_node, *nodes), f'the phases of "{topic}"' if phases else "it names no topic to tell phases of"
    )


def _topic(question: str, language: str) -> str:
    phrases = [phrase for phrase in find_phrases(question, language=language) if phrase.kind is not PhraseKind.DATE]
    names = [phrase for phrase in phrases if phrase.kind.is_name]
    return " ".join(phrase.text for phrase in (names or phrases)[:MOST_PHRASES])
