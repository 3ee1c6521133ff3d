"""Runs a graph of sub-queries: layers in order, siblings side by side, parents' short answers filled into children.

A node that fails, or whose parent gave no answer, is told as degraded with the reason; the others go on.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from gateway.draft import Draft
from gateway.events import SubQuery, SubQueryStatus
from gateway.narration import Emit
from gateway.stages import AnswerStage, Found, RetrieveStage
from services.runtime.errors import InvalidInput, NotFound, NotSupported, ParleyError
from services.vocabulary.options import RetrieveOptions
from services.vocabulary.query import QueryGraph, QueryNode, WeightedQuery
from services.vocabulary.usage import Degraded, Stage

PLACEHOLDER: Final = re.compile(r"#(\w+)")


@dataclass(slots=True)
class Execution:
    """What the nodes gave, by node id."""

    found: dict[str, Found] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    failures: dict[str, ParleyError] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Executor:
    """Drives retrieval and extraction over a graph."""

    retrieve: RetrieveStage
    answer: AnswerStage
    node_seconds: float
    """What one node may take, in seconds."""

    async def run(self, draft: Draft, graph: QueryGraph, options: RetrieveOptions, emit: Emit) -> Execution:
        """Run all layers.

        Raises:
            ParleyError: every node that was searched failed; the first one's error.
        """
        done = Execution()
        waited_for = {link for node in graph.nodes for link in node.links}
        for layer in layers(graph.nodes):
            await asyncio.gather(
                *(self._node(draft, node, node.id in waited_for, options, done, emit) for node in layer)
            )
        if done.failures and not done.found:
            raise next(iter(done.failures.values()))
        return done

    async def _node(
        self, draft: Draft, node: QueryNode, waited_for: bool, options: RetrieveOptions, done: Execution, emit: Emit
    ) -> None:
        text = node.text
        try:
            text = fill_in(node, done.answers)
            emit(SubQuery(node.id, SubQueryStatus.STARTED, text))
            async with asyncio.timeout(self.node_seconds):
                await self._search(draft, replace(node, text=text), waited_for, options, done)
        except (ParleyError, TimeoutError) as error:
            self._fail(node, text, error, done, emit)
            return
        found = done.found[node.id]
        for degraded in found.degraded:
            emit(degraded)
        answer = done.answers.get(node.id)
        emit(SubQuery(node.id, SubQueryStatus.DONE, text, len(found.evidence), answer))

    async def _search(
        self, draft: Draft, node: QueryNode, waited_for: bool, options: RetrieveOptions, done: Execution
    ) -> None:
        if node.function_call is not None:
            raise NotSupported(f"no function {node.function_call.name!r} is registered")
        if not node.need_rag:
            done.found[node.id] = Found()
            return
        query = node.query if node.query is not None and not node.links else WeightedQuery(node.text)
        with draft.timed(Stage.RETRIEVE, "retrieve"):
            found = await self.retrieve.retrieve(query, options)
        draft.count(found.usage)
        done.found[node.id] = found
        if waited_for:
            with draft.timed(Stage.ANSWER, "extract"):
                answer = await self.answer.extract(node.text, found.evidence)
            if answer is not None:
                done.answers[node.id] = answer

    def _fail(self, node: QueryNode, text: str, error: ParleyError | TimeoutError, done: Execution, emit: Emit) -> None:
        if isinstance(error, NotFound | InvalidInput):
            raise error
        if isinstance(error, TimeoutError):
            error = ParleyError("DEADLINE_EXCEEDED", "the sub-query took too long")
        done.failures[node.id] = error
        emit(SubQuery(node.id, SubQueryStatus.DEGRADED, text, reason=error.reason))
        emit(Degraded(Stage.RETRIEVE, error.reason, f"Nothing is said about: {text}"))


def layers(nodes: Sequence[QueryNode]) -> list[list[QueryNode]]:
    """Nodes by the length of the longest way to them; each waits only for earlier layers.

    Raises:
        InvalidInput: the links have a cycle or name no node (reason GRAPH_INVALID).
    """
    placed: dict[str, int] = {}
    result: list[list[QueryNode]] = []
    waiting = list(nodes)
    while waiting:
        ready = [node for node in waiting if all(link in placed for link in node.links)]
        if not ready:
            raise InvalidInput("graph", "links have a cycle or name no node", reason="GRAPH_INVALID")
        placed.update({node.id: len(result) for node in ready})
        result.append(ready)
        waiting = [node for node in waiting if node.id not in placed]
    return result


def fill_in(node: QueryNode, answers: Mapping[str, str]) -> str:
    """The node's text with its parents' answers in the places of `#id`.

    Raises:
        ParleyError: a parent gave no answer (reason NOTHING_FOUND).
    """
    missing = [link for link in node.links if link not in answers]
    if missing:
        raise ParleyError("NOTHING_FOUND", "an earlier sub-query gave no answer")
    return PLACEHOLDER.sub(lambda match: answers.get(match.group(1), match.group(0)), node.text)
