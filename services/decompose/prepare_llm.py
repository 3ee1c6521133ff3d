"""Condenses a turn and plans its sub-queries in one request to a language model.

A model can condense and split in one task, and each request costs the time to its first token. The first two fields of
the form settle most turns: the rules' rewrite suffices, and there are no sub-queries. They come before the standalone
question so that retrieval can start while the model is still writing. The output must pass the same guards as that of
the rules. A question that stands alone is planned by the same form.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from libs.contracts.options import Scene
from libs.contracts.query import Decision, DecisionRecord, QueryGraph
from libs.contracts.stages.decompose import PlanVerdict
from libs.contracts.usage import Usage
from libs.graph.plan_graph import MAX_NODES
from libs.llm.errors import LlmUnusable
from libs.llm.evidence import DataBlock
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt
from libs.llm.structured import complete_form
from libs.llm.tally import Tallied
from services.decompose.condense.llm import Summarizer, confirmed, history_block, rewritten
from services.decompose.condense.model_guards import fault_of
from services.decompose.history import HistoryWindow
from services.decompose.plan.nodes import as_one, graph_fault, graph_of, nodes_of, shape_fault, shown_functions

TASK: Final = "condense"
PROMPT: Final = ("plan", frozenset(("history", "turn", "question", "most", "functions", "aim")))
"""The prompt's name, and the placeholders that it may have."""
MAX_TOKENS: Final = 800
"""A standalone question and six sub-queries of a sentence each, as JSON (taste)."""
_AIMS: Final = {
    Scene.GENERAL: "answer the question",
    Scene.TIMELINE: "find the dated events of the matter from its beginning to its end",
}
"""What the sub-queries of a scene do together."""


@dataclass(frozen=True, slots=True)
class PreparedForm:
    """What the model fills in."""

    suffices: bool = False
    parts: tuple[str, ...] = ()
    """Sub-queries, none for most questions; one that begins with `=` is not searched, and may be a function call."""
    standalone: str = ""


Early: TypeAlias = PlanVerdict | QueryGraph
"""Reported while the model is still writing: the verdict, then, if the question is split, the sub-queries without
queries."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """The decision record of a turn, and its sub-queries without queries."""

    record: DecisionRecord
    graph: QueryGraph | None
    """None if the sub-queries could not be used."""


@dataclass(frozen=True, slots=True)
class LlmPreparer:
    """Condenses and plans by one request to a model. Stateless."""

    model: ChatModel
    prompt: Prompt
    summarizer: Summarizer | None = None
    """Shortens a long conversation; None: the model is shown all of it."""

    async def prepare(self, preparation: "Preparation", usages: list[Usage]) -> Prepared:
        """Return the decision record of a turn and its sub-queries.

        There is no second request when a guard refuses the output: the rules' rewrite and plan are available, and
        another request costs more than a better rewrite gains. `usages` receives the usage of each model response,
        even if none can be used.

        Raises:
            LlmError: the model failed, or its rewrite was refused.
        """
        window, by_rules = preparation.window, preparation.by_rules
        has_context = by_rules.selection is not None and by_rules.selection.selected
        shown = window if has_context or not self.summarizer else await self.summarizer.shorten(window, usages)
        messages = self.prompt.messages(
            {
                "history": history_block(shown, by_rules),
                "turn": DataBlock.of([by_rules.raw]),
                "question": DataBlock.of([by_rules.question]),
                "most": MAX_NODES[preparation.scene],
                "aim": _AIMS[preparation.scene],
                "functions": shown_functions(),
            }
        )
        form, _ = await complete_form(
            Tallied(self.model, usages),
            messages,
            PreparedForm,
            task=preparation.task,
            max_tokens=MAX_TOKENS,
            watch=preparation.watch,
            mend=False,
        )
        return preparation.result(form)

    async def plan(
        self, question: str, scene: Scene, language: str, refusals: list[str], usages: list[Usage]
    ) -> QueryGraph:
        """Return the sub-queries of a question that stands alone, without queries; see `prepare`.

        Raises:
            LlmError: the model failed, or its sub-queries were refused.
        """
        record = DecisionRecord(Decision.PASS, "", raw=question, standalone=question)
        alone = Preparation(
            HistoryWindow(), record, language, True, True, lambda _: None, refusals, scene, task="decompose"
        )
        graph = (await self.prepare(alone, usages)).graph
        if graph is None:
            raise LlmUnusable("the language model's sub-queries failed a check against the question")
        return graph


@dataclass(slots=True)
class Preparation:
    """A turn to prepare. Checks a form against the guards of the turn, and against the verdict already reported."""

    window: HistoryWindow
    by_rules: DecisionRecord
    """The rules' record of the turn."""
    language: str
    keeps_words: bool
    """Whether to keep the rules' rewrite regardless of the model's."""
    plans: bool
    """Whether the question may be split; otherwise the model's sub-queries are ignored."""
    report: Callable[[Early], None]
    """Called with the verdict as soon as its fields are complete (the result keeps to it), then with the sub-queries
    (the result may still refuse them). Each at most once."""
    refusals: list[str] = field(default_factory=list)
    """Why a guard refused the rewrite or the sub-queries."""
    scene: Scene = Scene.GENERAL
    """What the sub-queries are for."""
    task: str = TASK
    """See `ChatModel.stream`."""
    _verdict: PlanVerdict | None = None

    def watch(self, fields: Mapping[str, Any]) -> None:
        """Report the verdict when its fields are complete, then the sub-queries."""
        suffices, parts = fields.get("suffices"), fields.get("parts")
        if self._verdict is None and isinstance(suffices, bool) and isinstance(parts, list):
            nodes = nodes_of([part for part in parts if isinstance(part, str)])
            self._verdict = PlanVerdict(suffices or self.keeps_words, self.plans and len(nodes) > 1)
            self.report(self._verdict)
            if self._verdict.split and not shape_fault(nodes, self.scene):
                self.report(graph_of(nodes, "", self.scene).to_query_graph())

    def result(self, form: PreparedForm) -> Prepared:
        """Return the usable content of a form.

        Raises:
            LlmUnusable: a guard refused its rewrite.
        """
        record = self.by_rules if self.keeps_words else self._record(form)
        may_split = self._verdict.split if self._verdict else self.plans
        if not may_split or len(form.parts) < 2:
            return Prepared(record, as_one(record.question))
        nodes = nodes_of(form.parts)
        if reason := graph_fault(nodes, record.question, self.scene, self.language):
            self.refusals.append(reason)
            return Prepared(record, None)
        return Prepared(record, graph_of(nodes, "", self.scene).to_query_graph())

    def given_up(self) -> Prepared:
        """Return what the rules have in place of the model's output: unsplit if that was already reported."""
        record = self.by_rules
        if self.refusals:
            record = replace(record, reason=f"{record.reason} (by rules: {self.refusals[-1]})")
        return Prepared(record, as_one(record.question) if self._verdict and not self._verdict.split else None)

    def _record(self, form: PreparedForm) -> DecisionRecord:
        if form.suffices:
            return confirmed(self.by_rules)
        if reason := fault_of(form.standalone, self.by_rules.raw, self.window.texts(), self.language):
            self.refusals.append(reason)
            raise LlmUnusable("the language model's rewrite failed a check against the conversation")
        return rewritten(form.standalone, self.by_rules, self.language)
