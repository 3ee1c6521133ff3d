"""What an answer has to cover: the sub-questions of the plan, a graph of nodes, each with its evidence. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Reference
from libs.contracts.query import FunctionCall, NodeSearch, QueryNode
from libs.contracts.stages.answer import WriteRequest
from libs.graph.placeholders import fill_in
from libs.graph.signatures import SIGNATURES, ArgumentKind


@dataclass(frozen=True, slots=True)
class ComputedAnswer:
    """The result of a function, with the values it was computed from."""

    answer: str
    function: str
    values: tuple[str, ...] = ()
    """The values that it was computed from, as their sources state them."""
    sources: tuple[CitedSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """One part of the question, answered by one part of the answer."""

    text: str
    references: tuple[Reference, ...]
    computed: ComputedAnswer | None = None
    uncomputed: bool = False
    """Whether a function should have computed it, but lacked its input."""
    search: NodeSearch | None = None
    """How it was searched; None if unknown."""


def sub_questions(request: WriteRequest) -> tuple[SubQuestion, ...]:
    """Return the plan's questions in order; only the whole question if there is no plan or a single node."""
    nodes = request.graph.nodes if request.graph else ()
    if len(nodes) < 2:
        search = request.searches[0] if len(request.searches) == 1 else None
        return (SubQuestion(request.question, request.references, search=search),)
    return tuple(_from_nodes(request, {node.id: node for node in nodes}))


def _from_nodes(request: WriteRequest, nodes: Mapping[str, QueryNode]) -> Iterator[SubQuestion]:
    answers = {node.id: node.answer for node in nodes.values() if node.answer}
    # Terms of the whole question only help to find passages; those of the node's own text weigh 1 or more.
    searches = {
        search.node_id: replace(search, terms=tuple(term for term in search.terms if term.weight >= 1))
        for search in request.searches
    }
    for node in nodes.values():
        text = fill_in(node.text, answers)
        if node.function_call is None:
            references = tuple(r for r in request.references if node.id in r.evidence.nodes or not r.evidence.nodes)
            search = searches.get(node.id)
            yield SubQuestion(text, _rank_for_node(references, search), search=search)
        elif not any(node.id in other.links for other in nodes.values()):  # nothing depends on its result
            computed = _computed_answer(node, node.function_call, nodes, answers, request.references)
            yield SubQuestion(text, (), computed, uncomputed=computed is None)


def _rank_for_node(references: tuple[Reference, ...], search: NodeSearch | None) -> tuple[Reference, ...]:
    """Return one node's references with their scores and ranks for that node, best first."""
    if search is None:
        return references
    ranks = {score.passage_id: (rank, score.scores) for rank, score in enumerate(search.scores, start=1)}
    matches = (
        replace(reference, evidence=replace(reference.evidence, rank=found[0], scores=found[1]))
        for reference in references
        if (found := ranks.get(reference.evidence.passage.passage_id)) is not None
    )
    return tuple(sorted(matches, key=lambda reference: reference.evidence.rank))


def _computed_answer(
    node: QueryNode,
    call: FunctionCall,
    nodes: Mapping[str, QueryNode],
    answers: Mapping[str, str],
    references: tuple[Reference, ...],
) -> ComputedAnswer | None:
    if not node.answer:
        return None
    arguments = tuple(fill_in(argument, answers) for argument in call.arguments)
    numbers = {r.evidence.passage.passage_id: r.number for r in references}
    spans = dict.fromkeys(_sources(node, nodes))
    sources = tuple(replace(span, number=numbers[span.passage_id]) for span in spans if span.passage_id in numbers)
    return ComputedAnswer(node.answer, call.name, _argument_values(call.name, arguments), sources)


def _sources(node: QueryNode, nodes: Mapping[str, QueryNode]) -> Iterator[CitedSpan]:
    """Yield the spans that a node was computed from, also through other computed nodes; graphs are acyclic."""
    for parent in (nodes[link] for link in node.links if link in nodes):
        if parent.source is not None:
            yield parent.source
        elif parent.function_call is not None:
            yield from _sources(parent, nodes)


def _argument_values(function: str, arguments: tuple[str, ...]) -> tuple[str, ...]:
    """Return the values among a function's arguments, each with its name if it has one."""
    kinds = SIGNATURES[function].arguments if function in SIGNATURES else ()
    if kinds[:1] == (ArgumentKind.NAME,) and len(kinds) == 2:
        return tuple(f"{name}: {value}" for name, value in zip(arguments[::2], arguments[1::2], strict=False))
    pairs = zip(arguments, kinds * len(arguments), strict=False)
    return tuple(argument for argument, kind in pairs if kind is not ArgumentKind.UNIT)
