"""What running a graph costs beside its longest way: `python -m bench.graph`.

Scripted stages: each search sleeps 100 to 300 ms, extraction takes no time. For each graph the wall time of its runs is
compared with its critical path (`libs.graph.layers.critical_path`), the least time in which it can be done; beside
it what it would take layer by layer, and one node after the other. Target: the median at most 10 % over the critical
path.
"""

import asyncio
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import cast

from rich.console import Console
from rich.table import Table

from gateway.calling.stages import StageResult, Stages
from gateway.request import TurnRequest
from gateway.turn.draft import Draft
from gateway.turn.executor import Executor
from libs.contracts.conversation import ConversationView
from libs.contracts.options import RetrieveOptions
from libs.contracts.query import QueryGraph, QueryNode, WeightedQuery
from libs.contracts.stages.answer import ExtractRequest, ExtractResponse
from libs.contracts.stages.retrieve import RetrieveResult
from libs.graph.layers import critical_path, layers

TARGET = 0.10
ROUNDS = 5
Graph = tuple[QueryNode, ...]


def node(node_id: str, *links: str) -> QueryNode:
    """A node whose text names its parents."""
    return QueryNode(node_id, " ".join([node_id, *(f"#{link}" for link in links)]), links=links)


CASES: Mapping[str, tuple[Graph, Mapping[str, float]]] = {
    "one node": ((node("a"),), {"a": 0.1}),
    "six side by side": (tuple(map(node, "abcdef")), dict.fromkeys("abcdef", 0.2)),
    "chain of four": (
        (node("a"), node("b", "a"), node("c", "b"), node("d", "c")),
        {"a": 0.1, "b": 0.2, "c": 0.1, "d": 0.2},
    ),
    "diamond": (
        (node("a"), node("b", "a"), node("c", "a"), node("d", "b", "c")),
        {"a": 0.1, "b": 0.3, "c": 0.1, "d": 0.1},
    ),
    "two chains, unlike": (
        (node("a"), node("b"), node("c", "a"), node("d", "b")),
        {"a": 0.1, "b": 0.3, "c": 0.3, "d": 0.1},
    ),
    "comparison over two hops": (
        (node("a"), node("b"), node("c", "a"), node("d", "b"), node("e", "c", "d")),
        {"a": 0.3, "b": 0.1, "c": 0.1, "d": 0.3, "e": 0.1},
    ),
}
"""By name: the nodes, and the seconds that each takes."""


@dataclass(frozen=True, slots=True)
class Sleeper:
    """What a graph asks of its two stages; a search takes the seconds of the node that its text begins with."""

    seconds: Mapping[str, float]

    async def search(self, query: WeightedQuery, options: RetrieveOptions) -> StageResult[RetrieveResult]:
        """See Searcher."""
        await asyncio.sleep(self.seconds[query.text.split()[0]])
        return StageResult(RetrieveResult())

    async def unary(self, _: object, request: ExtractRequest) -> ExtractResponse:
        """See Stages."""
        return ExtractResponse(f"answer of {request.question.split()[0]}")


def executor(seconds: Mapping[str, float]) -> Executor:
    """The gateway's executor over scripted stages."""
    sleeper = Sleeper(seconds)
    return Executor(sleeper, cast(Stages, sleeper), node_seconds=10)


async def run(graph: Graph, seconds: Mapping[str, float]) -> float:
    """Seconds of one run."""
    draft = Draft("bench", TurnRequest("?"), ConversationView())
    start = time.perf_counter()
    await executor(seconds).run(draft, QueryGraph(graph), RetrieveOptions(), lambda _: None)
    return time.perf_counter() - start


@dataclass(frozen=True, slots=True)
class GraphTimes:
    """Seconds of a graph."""

    name: str
    path: float
    median: float
    slowest: float
    by_layers: float
    one_by_one: float

    @property
    def over(self) -> float:
        """The median's share over the critical path."""
        return self.median / self.path - 1


async def measure() -> list[GraphTimes]:
    """Each case, after a run that doesn't count."""
    await run(*CASES["one node"])
    rows = []
    for name, (graph, seconds) in CASES.items():
        walls = [await run(graph, seconds) for _ in range(ROUNDS)]
        by_layers = sum(max(seconds[each.id] for each in layer) for layer in layers(graph))
        path, alone = critical_path(graph, seconds), sum(seconds.values())
        rows.append(GraphTimes(name, path, median(walls), max(walls), by_layers, alone))
    return rows


def main() -> int:
    """Measure and print; 1 where a graph took more than the target."""
    table = Table(title=f"Graphs, {ROUNDS} runs each, milliseconds", title_justify="left")
    for column in ("graph", "critical path", "median", "over it", "slowest", "layer by layer", "one by one"):
        table.add_column(column)
    rows = asyncio.run(measure())
    for case in rows:
        path, middle, slowest, by_layers, alone = (
            f"{1000 * seconds:.0f}"
            for seconds in (case.path, case.median, case.slowest, case.by_layers, case.one_by_one)
        )
        table.add_row(case.name, path, middle, f"{case.over:.1%}", slowest, by_layers, alone)
    Console(width=110).print(table)
    return 1 if max(case.over for case in rows) > TARGET else 0


if __name__ == "__main__":
    sys.exit(main())
