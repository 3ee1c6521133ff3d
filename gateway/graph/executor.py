"""Runs a graph of sub-queries, filling the short answers of parent nodes into their children.

Each node starts as soon as its parents are done, so a graph takes no longer than its longest path; siblings run
concurrently. Each node has its own timeout. A failed node is reported as degraded with the reason, and so are all
nodes that depend on it; the others continue. A node without a short answer has not failed: its dependent nodes are
searched with its wording in place of the answer, and this is reported.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from gateway.calling.stages import StageResult, Stages
from gateway.events.events import Emit, SubQuery, SubQueryStatus
from gateway.graph.evidence import NodeAnswer, merge_evidence
from gateway.graph.functions import compute
from gateway.turn.turn_usage import TurnUsage
from libs.contracts.options import Budget, RetrieveOptions
from libs.contracts.query import FunctionCall, QueryGraph, QueryNode, WeightedQuery
from libs.contracts.stages.answer import EXTRACT, ExtractRequest
from libs.contracts.stages.retrieve import RetrieveResult
from libs.contracts.usage import Degraded, Stage
from libs.graph.placeholders import fill_in, named_in
from libs.graph.plan_graph import PlanGraph
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.language.topics.grammar import NounPhrases
from libs.runtime.errors import DeadlineExceeded, InvalidInput, NotFound, ParleyError


@dataclass(slots=True)
class Execution:
    """The results of the nodes, by node id."""

    texts: dict[str, str] = field(default_factory=dict)
    """The sub-queries as they were asked, with the parents' answers filled in."""
    results: dict[str, RetrieveResult] = field(default_factory=dict)
    answers: dict[str, NodeAnswer] = field(default_factory=dict)
    failures: dict[str, ParleyError] = field(default_factory=dict)

    def fill_in(self, graph: QueryGraph) -> QueryGraph:
        """Return the graph as it was executed, with the short answers found or computed."""
        return replace(graph, nodes=tuple(self._executed(node) for node in graph.nodes))

    def _executed(self, node: QueryNode) -> QueryNode:
        short_answer, call = self.answers.get(node.id), node.function_call
        return replace(
            node,
            text=self.texts.get(node.id, node.text),
            function_call=self.filled_in(call) if call is not None else None,
            answer=short_answer.answer if short_answer else node.answer,
            source=short_answer.source if short_answer else node.source,
        )

    def filled_in(self, call: FunctionCall) -> FunctionCall:
        """Return a call with the nodes' short answers in its arguments."""
        answers = {node_id: answer.answer for node_id, answer in self.answers.items()}
        return replace(call, arguments=tuple(fill_in(argument, answers) for argument in call.arguments))


Search: TypeAlias = Callable[[WeightedQuery, RetrieveOptions], Awaitable[StageResult[RetrieveResult]]]
"""Searches for one sub-query; raises ParleyError if the search failed."""


@dataclass(frozen=True, slots=True)
class Executor:
    """Drives retrieval, extraction and functions over a graph, as tasks on the event loop."""

    search: Search
    stages: Stages
    node_seconds: float
    """Timeout of one node in seconds, counted from when its parents are done."""

    async def run(
        self, question: str, graph: QueryGraph, options: RetrieveOptions, usage: TurnUsage, emit: Emit
    ) -> Execution:
        """Run all nodes.

        Args:
            question: the standalone question, in whose language the graph is.
            graph: the sub-queries.
            options: the options of their searches.
            usage: collects what they use.
            emit: receives their progress.

        Raises:
            InvalidInput: the graph can't be traversed (reason GRAPH_INVALID), or a stage raised it.
            NotFound: a stage raised it; like InvalidInput, it ends the turn.
            ParleyError: all searched nodes failed; this is the first one's error.
        """
        plan = PlanGraph.from_query_graph(graph)
        walk = _Walk(self, plan, reading_language(question, usual=ENGLISH), options, usage, emit)
        tasks: dict[str, asyncio.Task[None]] = {}
        try:
            async with asyncio.TaskGroup() as group:
                for layer in plan.get_turns():
                    for node in layer:
                        parents = [tasks[link] for link in node.links]
                        tasks[node.id] = group.create_task(walk.visit(node, parents))
        except BaseExceptionGroup as several:
            raise several.exceptions[0] from None
        if walk.execution.failures and not walk.execution.results:
            raise next(iter(walk.execution.failures.values()))
        return walk.execution


@dataclass(slots=True)
class _Walk:
    """One run over one graph."""

    executor: Executor
    plan: PlanGraph
    language: str
    options: RetrieveOptions
    usage: TurnUsage
    emit: Emit
    execution: Execution = field(default_factory=Execution)

    async def visit(self, node: QueryNode, parents: list[asyncio.Task[None]]) -> None:
        """Run a node when its parents are done; a failure is emitted, not raised."""
        if parents:
            await asyncio.wait(parents)
        texts = self.execution.texts
        known = {link: self._answer(link) or _as_noun_phrase(texts[link], self.language) for link in node.links}
        text = texts[node.id] = fill_in(node.text, known)
        try:
            failed_parent = next((link for link in node.links if link in self.execution.failures), None)
            if failed_parent is not None:
                raise ParleyError(self.execution.failures[failed_parent].reason, "an earlier sub-query failed")
            self.emit(SubQuery(node.id, SubQueryStatus.STARTED, text))
            async with asyncio.timeout(self.executor.node_seconds):
                await self._run_node(replace(node, text=text))
        except (NotFound, InvalidInput):
            raise
        except TimeoutError:
            self._fail(node, DeadlineExceeded("the sub-query took too long"))
        except ParleyError as error:
            self._fail(node, error)
        else:
            self._emit_done(node)

    def _is_waited_for(self, node: QueryNode) -> bool:
        return any(node.id in waiting.links for waiting in self.plan.get_attr("links"))

    def _answer(self, node_id: str) -> str | None:
        answer = self.execution.answers.get(node_id)
        return answer.answer if answer else None

    async def _run_node(self, node: QueryNode) -> None:
        if node.function_call is not None:
            self.execution.answers[node.id] = NodeAnswer(compute(self._fill_in_call(node.function_call), self.language))
            return
        found = {link: self.execution.results[link] for link in node.links if link in self.execution.results}
        result = await self._search(node) if node.need_rag else RetrieveResult(tuple(merge_evidence(found)))
        self.execution.results[node.id] = result
        if self._is_waited_for(node) or not node.need_rag:
            with self.usage.timed(Stage.ANSWER, "extract"):
                budget = self.usage.budget_left or Budget()
                short = await self.executor.stages.unary(EXTRACT, ExtractRequest(node.text, result.evidence, budget))
            self.usage.add(short.usage)
            for report in short.degraded:
                self.emit(report)
            if short.answer is not None:
                self.execution.answers[node.id] = NodeAnswer(short.answer, short.source)

    def _fill_in_call(self, call: FunctionCall) -> FunctionCall:
        """Return the call with its parents' answers filled in.

        Raises:
            ParleyError: a parent has no answer (reason NOTHING_FOUND).
        """
        names = {name for argument in call.arguments for name in named_in(argument)}
        if missing := [name for name in sorted(names) if name in self.execution.texts and not self._answer(name)]:
            raise ParleyError("NOTHING_FOUND", f"“{self.execution.texts[missing[0]]}” has no answer")
        return self.execution.filled_in(call)

    async def _search(self, node: QueryNode) -> RetrieveResult:
        query = self.plan.recall_queries[node.id]
        if node.links:
            query = replace(query, text=node.text)
        result = await self.executor.search(query, self.options)
        self.usage.add(result.value.usage)
        for degraded in result.degraded:
            self.emit(degraded)
        return result.value

    def _emit_done(self, node: QueryNode) -> None:
        result = self.execution.results.get(node.id, RetrieveResult())
        text, answer = self.execution.texts[node.id], self._answer(node.id)
        if answer is None and self._is_waited_for(node):
            effect = f"No short answer was found to “{text}”; sub-queries that use it were searched with its words."
            self.emit(Degraded(Stage.ANSWER, "NOTHING_FOUND", effect))
        self.emit(SubQuery(node.id, SubQueryStatus.DONE, text, len(result.evidence), answer))

    def _fail(self, node: QueryNode, error: ParleyError) -> None:
        text = self.execution.texts[node.id]
        self.execution.failures[node.id] = error
        self.emit(SubQuery(node.id, SubQueryStatus.DEGRADED, text, reason=error.reason))
        if node.function_call is not None:
            stage, effect = Stage.GATEWAY, f"“{text}” could not be computed: {error.message}."
        elif node.id in self.execution.results:
            stage, effect = Stage.ANSWER, f"No short answer was extracted for “{text}”; sub-queries that use it failed."
        else:
            stage, effect = Stage.RETRIEVE, f"“{text}” could not be searched, so the answer does not cover it."
        self.emit(Degraded(stage, error.reason, effect))


def _as_noun_phrase(text: str, language: str) -> str:
    """Rephrase a question so that it can replace its answer: `which craft first orbited Mars`, `the craft first …`."""
    first, _, rest = text.partition(" ")
    article = NounPhrases.of(language).question_articles.get(first.lower())
    return f"{article} {rest.lstrip()}" if article else text
