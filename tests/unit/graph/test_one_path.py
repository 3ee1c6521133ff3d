"""Planner and executor build and read the graph of a question by the same methods."""

from collections.abc import Callable
from typing import Any

import pytest

from gateway.events.activities import Activities
from gateway.graph.executor import Executor
from gateway.turn.turn_usage import TurnUsage
from libs.contracts.options import RetrieveOptions, Scene
from libs.contracts.query import QueryNode
from libs.graph.plan_graph import PlanGraph
from libs.language.known import ENGLISH
from services.decompose.plan.nodes import graph_of
from services.decompose.plan.planner import plan_timeline
from tests.fakes.stages import ScriptedStages, evidence
from tests.unit.decompose.splitting import SPLITTER


def recorded(name: str, own: Callable[..., Any], names: set[str]) -> Callable[..., Any]:
    """A method that notes its name and does what it did."""

    def method(*args: Any) -> Any:
        names.add(name)
        return own(*args)

    return method


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The methods of the graph that were called."""
    names: set[str] = set()
    for name in ("add_new_node", "insert_node_front", "add_arrow", "get_turns", "get_attr"):
        monkeypatch.setattr(PlanGraph, name, recorded(name, getattr(PlanGraph, name), names))
    own_queries = vars(PlanGraph)["recall_queries"].fget
    monkeypatch.setattr(PlanGraph, "recall_queries", property(recorded("recall_queries", own_queries, names)))
    return names


def test_the_rules_build_a_plan_by_nodes_arrows_and_lookups_in_front(called: set[str]) -> None:
    SPLITTER.plan("Which is heavier, the first craft to orbit Mars or Magellan?", None, ENGLISH)
    assert called >= {"add_new_node", "add_arrow", "insert_node_front", "get_attr"}


def test_a_models_plan_is_built_by_nodes_and_arrows(called: set[str]) -> None:
    graph = graph_of([QueryNode("b", "when did #a launch"), QueryNode("a", "which craft")], "", Scene.GENERAL)
    assert graph["b"].links == ("a",)
    assert called == {"add_new_node", "add_arrow"}


def test_a_timelines_plan_is_built_by_nodes(called: set[str]) -> None:
    plan_timeline("what happened to Viking 1?", None, ENGLISH, "Viking 1 landing")
    assert called == {"add_new_node"}


async def test_the_executor_reads_layers_attributes_and_queries(called: set[str]) -> None:
    plan = SPLITTER.plan("When did the craft that first orbited Mars launch?", None, ENGLISH)
    called.clear()
    stages = ScriptedStages(results={"*": [evidence("a")]})
    executor = Executor(stages.search, stages.stages(), 30.0)
    execution = await executor.run("?", plan, RetrieveOptions(), TurnUsage(Activities()), lambda event: None)
    assert set(execution.results) == {"1", "2"}
    assert called == {"get_turns", "get_attr", "recall_queries"}
