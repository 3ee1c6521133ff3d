"""Plans the graph of a question: by a language model where that may help, with the rules as fallback.

For a timeline the question itself is searched, and the event that it is about. Rules run in a thread unless the
question is short.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from libs.contracts.options import Scene
from libs.contracts.query import DecisionRecord, QueryGraph, QueryNode
from libs.contracts.usage import Degraded, Stage, Usage
from libs.graph.plan_graph import PlanGraph
from libs.language.detection import reading_language
from libs.llm.fallback import EngineChoice, with_fallback
from libs.runtime.threads import in_thread_unless
from libs.text.tokens import tokenize
from services.decompose.plan.split import Splitter, with_history
from services.decompose.prepare_llm import LlmPreparer


def plan_timeline(question: str, record: DecisionRecord | None, language: str, event: str = "") -> QueryGraph:
    """Return a node for the question with the record's query, and one for the named event that it is about.

    Canned phases of the topic ("beginning and origin") found less than a deeper search for the question.
    """
    graph = PlanGraph(Scene.TIMELINE, f'it is about the event "{event}"' if event else "it names no event")
    graph.add_new_node(QueryNode("1", question, query=record.query if record else None))
    if event:
        graph.add_new_node(QueryNode("2", event))
    return graph.to_query_graph()


SHORT: Final = 150
"""Longest question, in characters, that takes 2 ms and needs no thread; 99 % of real questions (MTRAG) are shorter."""
MIN_WORDS: Final = 9
"""Minimum length of a question to ask a language model; a shorter one usually asks one thing. Chosen by hand."""
_EFFECT = "The question was split by rules instead of the language model."


@dataclass(frozen=True, slots=True)
class Plan:
    """A graph, its degradations, and its usage."""

    graph: QueryGraph
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans by rules, or by a language model if one is given."""

    splitter: Splitter
    engine: EngineChoice = "auto"
    llm_seconds: float = 5.0  # timeout of the model (taste)
    llm: LlmPreparer | None = None

    async def plan(self, question: str, record: DecisionRecord | None, scene: Scene, event: str = "") -> Plan:
        """Return the plan of a question; `event` is the name of the event that it is about, if any.

        Raises:
            LlmError: the settings require the language model, and it failed.
        """
        llm, refusals, usages, language = self.llm, list[str](), list[Usage](), reading_language(question)
        if llm is None or not self.asks_model(question):
            return await self.by_rules(question, record, scene, language, event)

        async def by_llm() -> Plan:
            graph = await llm.plan(question, scene, language, refusals, usages)
            return Plan(with_history(graph, question, record, language), usage=tuple(usages))

        by_rules = partial(self.by_rules, question, record, scene, language, event)
        outcome = await with_fallback(by_llm, by_rules, engine=self.engine, seconds=self.llm_seconds, used=usages)
        if outcome.reason is None:
            return outcome.result
        return _instead_of_model(outcome.result, outcome.reason, refusals)

    @property
    def has_model(self) -> bool:
        """Whether a language model is configured and enabled for planning."""
        return self.llm is not None and self.engine != "rules"

    def asks_model(self, question: str) -> bool:
        """Whether a language model plans this question: one is available, and the question is long enough."""
        return self.has_model and len(tokenize(question)) >= MIN_WORDS

    async def by_rules(
        self, question: str, record: DecisionRecord | None, scene: Scene, language: str, event: str = ""
    ) -> Plan:
        """Return the plan made without a language model; `language` is the question's, ISO 639-1."""
        start, plan = time.perf_counter(), self.splitter.plan
        if scene is Scene.TIMELINE:
            plan = partial(plan_timeline, event=event)
        graph = await in_thread_unless(len(question) <= SHORT, plan, question, record, language)
        return Plan(graph, usage=(Usage(Stage.DECOMPOSE, "decompose", 1000 * (time.perf_counter() - start)),))

    async def finish_plan(
        self, model_graph: QueryGraph | None, record: DecisionRecord, refusals: Sequence[str], language: str
    ) -> Plan:
        """Return the plan that a model made while condensing the turn, or the rules' plan if that is unusable.

        Args:
            model_graph: the model's graph without queries; None if there is none.
            record: the decision record of the turn, with its query.
            refusals: why the model's output was refused.
            language: the turn's, ISO 639-1.
        """
        if model_graph is not None:
            return Plan(with_history(model_graph, record.question, record, language))
        plan = await self.by_rules(record.question, record, Scene.GENERAL, language)
        return _instead_of_model(plan, "LLM_UNUSABLE", refusals) if record.engine == "llm" else plan


def _instead_of_model(plan: Plan, reason: str, refusals: Sequence[str]) -> Plan:
    """Return the rules' plan with the reason why the model's was not used."""
    detail = f" ({refusals[-1]})" if refusals else ""
    graph = replace(plan.graph, reason=f"{plan.graph.reason}; by rules{detail}")
    return replace(plan, graph=graph, degraded=(Degraded(Stage.DECOMPOSE, reason, _EFFECT),))
