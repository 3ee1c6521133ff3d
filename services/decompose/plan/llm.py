"""Plans a graph by a language model, held to the same rules as any other graph, and to the question's own names."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from libs.contracts.options import Scene
from libs.contracts.query import FunctionCall, QueryGraph, QueryNode
from libs.contracts.usage import Usage
from libs.graph.placeholders import PLACEHOLDER, named_in
from libs.graph.signatures import SIGNATURES, Signature
from libs.llm.evidence import DataBlock
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt, PromptLibrary
from libs.llm.structured import structured
from libs.runtime.errors import InvalidInput
from services.decompose.condense.content_words import stems_of
from services.decompose.plan.graph import MOST_NODES, PlanGraph
from services.decompose.words.phrases import Kind, find_phrases

TASK = "decompose"
PLACES = frozenset(("most", "functions", "scene", "question"))
MAX_TOKENS = 600
"""Six sub-queries of a sentence each, as JSON."""
_SCENES = {
    Scene.GENERAL: "The sub-queries together answer the question.",
    Scene.TIMELINE: "The sub-queries together find the dated events of the matter from its beginning to its end.",
}


@dataclass(frozen=True, slots=True)
class PlannedNode:
    """A sub-query as the model writes it down."""

    id: str
    text: str
    search: bool = True
    function: str = ""
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlannedGraph:
    """What the model fills in."""

    nodes: tuple[PlannedNode, ...]
    reason: str = ""


def load_plan_prompt(replaced_by: Path | None = None) -> Prompt:
    """The prompt, or the file of the same name in the user's folder.

    Raises:
        PromptError: the file is missing or wrong.
    """
    return PromptLibrary(Path(__file__).with_name("prompts"), replaced_by).load(TASK, PLACES)


@dataclass(frozen=True, slots=True)
class LlmPlanner:
    """Asks a model; without state of its own."""

    model: ChatModel
    prompt: Prompt

    async def plan(self, question: str, scene: Scene, refused: Callable[[str], None]) -> tuple[QueryGraph, Usage]:
        """The graph of a question, without queries.

        A graph that can't be walked, calls what isn't registered, or names what the question doesn't is shown to the
        model with the reason, once.

        Args:
            refused: told why a graph was refused.

        Raises:
            LlmError: the model failed, or its second graph was refused too.
        """

        def fault(filled: PlannedGraph) -> str | None:
            reason = graph_fault(filled.nodes, question, scene)
            if reason:
                refused(reason)
            return reason and f"nodes: {reason}"

        messages = self.prompt.messages(
            {
                "most": MOST_NODES[scene],
                "functions": shown_functions(),
                "scene": _SCENES[scene],
                "question": DataBlock.of([question]),
            }
        )
        filled, usage = await structured(
            self.model, messages, PlannedGraph, task=TASK, max_tokens=MAX_TOKENS, check=fault
        )
        return graph_of(filled.nodes, filled.reason, scene).to_query_graph(), usage


def shown_functions() -> str:
    """What can be computed, a line each."""
    return "\n".join(f"- {_shown(name, signature)}" for name, signature in SIGNATURES.items())


def _shown(name: str, signature: Signature) -> str:
    kinds = ", ".join(kind.value.lower() for kind in signature.arguments)
    return f"{name}({kinds}{', …' if signature.repeats else ''}): {signature.meaning}"


def graph_fault(planned: Sequence[PlannedNode], question: str, scene: Scene) -> str | None:
    """Why a graph can't be taken, in words for the model; None when it can."""
    if reason := shape_fault(planned, scene):
        return reason
    invented = _invented([node.text for node in planned], question)
    return f"the question doesn't name {invented!r}" if invented else None


def shape_fault(planned: Sequence[PlannedNode], scene: Scene) -> str | None:
    """Why a graph can't be walked, whatever its question, in words for the model; None when it can."""
    if not planned:
        return "there is no sub-query"
    if empty := [node.id for node in planned if not node.text.strip()]:
        return f"node {empty[0]!r} has no text"
    if not any(node.search and not node.function for node in planned):
        return "nothing is searched"
    try:
        graph_of(planned, "", scene)
    except InvalidInput as error:
        return error.violations[0].description
    return None


def graph_of(planned: Sequence[PlannedNode], reason: str, scene: Scene) -> PlanGraph:
    """The graph that a model wrote down.

    Raises:
        InvalidInput: it can't be walked, or calls what isn't registered.
    """
    nodes = tuple(_node(node, frozenset(other.id for other in planned)) for node in planned)
    return PlanGraph.from_query_graph(QueryGraph(nodes, reason or "planned by the language model"), scene)


def _node(node: PlannedNode, ids: frozenset[str]) -> QueryNode:
    """With a link for each id that its text or arguments name."""
    named = frozenset().union(*(named_in(text) for text in (node.text, *node.arguments)))
    call = FunctionCall(node.function, node.arguments) if node.function else None
    in_text = named_in(node.text) & ids  # "the #1 song" names no node
    links = sorted(in_text | (named if call else in_text))
    searched = node.search and call is None
    return QueryNode(node.id, node.text.strip(), searched, call, links=tuple(link for link in links if link != node.id))


def _invented(texts: Sequence[str], question: str) -> str | None:
    """A name, date or number in a sub-query that the question doesn't have."""
    said = stems_of(question)
    for text in texts:
        for phrase in find_phrases(PLACEHOLDER.sub(" ", text)):
            if phrase.kind is not Kind.THING and not stems_of(phrase.text) <= said:
                return phrase.text
    return None
