"""Plans a graph by a language model; it must be valid and use only names from the question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from libs.contracts.options import Scene
from libs.contracts.query import QueryGraph
from libs.contracts.usage import Usage
from libs.graph.placeholders import PLACEHOLDER
from libs.graph.plan_graph import MAX_NODES
from libs.graph.signatures import SIGNATURES
from libs.llm.evidence import DataBlock
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt
from libs.llm.structured import complete_form
from libs.runtime.errors import InvalidInput
from libs.text.tokens import content_stems
from services.decompose.plan.nodes import PlannedNode, graph_of
from services.decompose.words.phrases import find_named

TASK = "decompose"
PROMPT = (TASK, frozenset(("most", "functions", "scene", "question")))
"""The prompt's name, and the placeholders that it may have."""
MAX_TOKENS = 600
"""Six sub-queries of a sentence each, as JSON (taste)."""
_SCENES = {
    Scene.GENERAL: "The sub-queries together answer the question.",
    Scene.TIMELINE: "The sub-queries together find the dated events of the matter from its beginning to its end.",
}


@dataclass(frozen=True, slots=True)
class PlannedGraph:
    """The form that the model fills in."""

    nodes: tuple[PlannedNode, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LlmPlanner:
    """Plans by a language model. Stateless."""

    model: ChatModel
    prompt: Prompt

    async def plan(
        self, question: str, scene: Scene, language: str, on_refusal: Callable[[str], None]
    ) -> tuple[QueryGraph, Usage]:
        """Return the graph of a question, without queries, and the usage.

        If a graph is invalid, calls an unregistered function, or has a name that the question lacks, the model gets
        the reason and one more attempt.

        Args:
            question: a standalone question.
            scene: what the graph is for.
            language: the question's, ISO 639-1.
            on_refusal: called with the reason when a graph is refused.

        Raises:
            LlmError: the model failed, or its second graph was refused too.
        """

        def fault(form: PlannedGraph) -> str | None:
            reason = graph_fault(form.nodes, question, scene, language)
            if reason:
                on_refusal(reason)
            return reason and f"nodes: {reason}"

        messages = self.prompt.messages(
            {
                "most": MAX_NODES[scene],
                "functions": shown_functions(),
                "scene": _SCENES[scene],
                "question": DataBlock.of([question]),
            }
        )
        form, usage = await complete_form(
            self.model, messages, PlannedGraph, task=TASK, max_tokens=MAX_TOKENS, check=fault
        )
        return graph_of(form.nodes, form.reason, scene).to_query_graph(), usage


def shown_functions() -> str:
    """Return the registered functions for the prompt, one per line."""
    lines = []
    for name, signature in SIGNATURES.items():
        kinds = ", ".join(kind.value.lower() for kind in signature.arguments)
        lines.append(f"- {name}({kinds}{', …' if signature.repeats else ''}): {signature.meaning}")
    return "\n".join(lines)


def graph_fault(nodes: Sequence[PlannedNode], question: str, scene: Scene, language: str) -> str | None:
    """Return why a graph is refused, in words for the model; None if it is accepted."""
    if reason := shape_fault(nodes, scene):
        return reason
    stems = set(content_stems(question, language))
    named = (name for node in nodes for name in find_named(PLACEHOLDER.sub(" ", node.text), language))
    new = next((name for name in named if not stems.issuperset(content_stems(name, language))), None)
    return f"the question doesn't name {new!r}" if new else None


def shape_fault(nodes: Sequence[PlannedNode], scene: Scene) -> str | None:
    """Return why a graph is invalid regardless of its question, in words for the model; None if it is valid."""
    if not nodes:
        return "there is no sub-query"
    if empty := [node.id for node in nodes if not node.text.strip()]:
        return f"node {empty[0]!r} has no text"
    if not any(node.search and not node.function for node in nodes):
        return "nothing is searched"
    try:
        graph_of(nodes, "", scene)
    except InvalidInput as error:
        return error.violations[0].description
    return None
