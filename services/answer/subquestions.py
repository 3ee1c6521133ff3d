"""What an answer has to tell: the sub-questions of the plan, each with the evidence that was found for it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from services.answer.requests import WriteRequest
from services.vocabulary.evidence import Reference
from services.vocabulary.query import QueryNode

_PLACEHOLDER = re.compile(r"#([\w.-]+)")


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """One thing to tell, a paragraph of the answer."""

    text: str
    references: tuple[Reference, ...]
    computed: str | None = None
    """Its answer, where it follows from others and needs no evidence."""


def sub_questions(request: WriteRequest) -> tuple[SubQuestion, ...]:
    """The plan's questions in their order; the whole question alone where there is no plan or one node."""
    nodes = request.graph.nodes if request.graph else ()
    if len(nodes) < 2:
        return (SubQuestion(request.question, request.references),)
    answers = {node.id: node.answer for node in nodes if node.answer}
    return tuple(_of_nodes(request, nodes, answers))


def _of_nodes(request: WriteRequest, nodes: tuple[QueryNode, ...], answers: Mapping[str, str]) -> Iterator[SubQuestion]:
    for node in nodes:
        text = _PLACEHOLDER.sub(lambda match: answers.get(match[1], match[0]), node.text)
        if node.need_rag:
            found = tuple(r for r in request.references if node.id in r.evidence.nodes or not r.evidence.nodes)
            yield SubQuestion(text, found)
        elif node.answer:
            yield SubQuestion(text, (), node.answer)
