"""What an answer has to tell: the sub-questions of the plan, each with the evidence that was found for it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import EngineScores, Reference
from libs.contracts.query import FunctionCall, NodeSearch, QueryNode
from libs.graph.placeholders import fill_in
from libs.graph.signatures import SIGNATURES, Kind
from services.answer.requests import WriteRequest


@dataclass(frozen=True, slots=True)
class Computed:
    """What a function gave, and from what."""

    answer: str
    function: str
    given: tuple[str, ...] = ()
    """The values that it was computed from, as their sources tell them."""
    sources: tuple[CitedSpan, ...] = ()
    """Where they stand, with the numbers to cite them by."""


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """One thing to tell, a paragraph of the answer."""

    text: str
    references: tuple[Reference, ...]
    computed: Computed | None = None
    """Its answer, where a function computed it."""
    source: CitedSpan | None = None
    """Where the short answer stands that others were built on; the sentence around it is what has to be told."""
    uncomputed: bool = False
    """Whether a function should have told it, and lacked what it is computed from."""
    search: NodeSearch | None = None
    """How it was searched; None where that isn't known."""


def sub_questions(request: WriteRequest) -> tuple[SubQuestion, ...]:
    """The plan's questions in their order; the whole question alone where there is no plan or one node."""
    nodes = request.graph.nodes if request.graph else ()
    if len(nodes) < 2:
        search = request.searches[0] if len(request.searches) == 1 else None
        return (SubQuestion(request.question, request.references, search=search),)
    return tuple(_of_nodes(request, {node.id: node for node in nodes}))


def _of_nodes(request: WriteRequest, nodes: Mapping[str, QueryNode]) -> Iterator[SubQuestion]:
    answers = {node.id: node.answer for node in nodes.values() if node.answer}
    searches = {search.node_id: search for search in request.searches}
    for node in nodes.values():
        text = fill_in(node.text, answers)
        if node.function_call is None:
            found = tuple(r for r in request.references if node.id in r.evidence.nodes or not r.evidence.nodes)
            search = searches.get(node.id)
            yield SubQuestion(text, _scored(found, search), source=node.source, search=search)
        elif _is_told(node, nodes):
            computed = _computed(node, node.answer, node.function_call, nodes, request.references)
            yield SubQuestion(text, (), computed, uncomputed=computed is None)


def _scored(references: tuple[Reference, ...], search: NodeSearch | None) -> tuple[Reference, ...]:
    """The references with the scores and ranks that they have for one node, the best first."""
    if search is None:
        return references
    places = {score.passage_id: (rank, score.scores) for rank, score in enumerate(search.scores, start=1)}
    own = [reference for reference in references if reference.evidence.passage.passage_id in places]
    return tuple(sorted((_as_found(reference, places) for reference in own), key=lambda r: r.evidence.rank))


def _as_found(reference: Reference, places: Mapping[str, tuple[int, EngineScores]]) -> Reference:
    rank, scores = places[reference.evidence.passage.passage_id]
    return replace(reference, evidence=replace(reference.evidence, rank=rank, scores=scores))


def _is_told(node: QueryNode, nodes: Mapping[str, QueryNode]) -> bool:
    """Whether a computed answer is one of the answer's own: not a step on the way to another."""
    return not any(node.id in other.links for other in nodes.values())


def _computed(
    node: QueryNode,
    answer: str | None,
    call: FunctionCall,
    nodes: Mapping[str, QueryNode],
    references: tuple[Reference, ...],
) -> Computed | None:
    if not answer:
        return None
    answers = {other.id: other.answer for other in nodes.values() if other.answer}
    arguments = tuple(fill_in(argument, answers) for argument in call.arguments)
    numbers = {r.evidence.passage.passage_id: r.number for r in references}
    spans = dict.fromkeys(_sources(node, nodes))
    cited = tuple(replace(span, number=numbers[span.passage_id]) for span in spans if span.passage_id in numbers)
    return Computed(answer, call.name, _given(call.name, arguments), cited)


def _sources(node: QueryNode, nodes: Mapping[str, QueryNode]) -> Iterator[CitedSpan]:
    """Where the answers stand that a node was computed from, however far back; graphs are acyclic."""
    for parent in (nodes[link] for link in node.links if link in nodes):
        if parent.source is not None:
            yield parent.source
        elif parent.function_call is not None:
            yield from _sources(parent, nodes)


def _given(function: str, arguments: tuple[str, ...]) -> tuple[str, ...]:
    """The values among a function's arguments, each with the name it belongs to, where it has one."""
    kinds = SIGNATURES[function].arguments if function in SIGNATURES else ()
    if kinds[:1] == (Kind.NAME,) and len(kinds) == 2:
        return tuple(f"{name}: {value}" for name, value in zip(arguments[::2], arguments[1::2], strict=False))
    repeated = kinds * len(arguments)
    return tuple(a for a, kind in zip(arguments, repeated, strict=False) if kind is not Kind.UNIT)
