"""An answer is written while models still read the question; not a word of it is shown before they let it pass."""

import asyncio
from contextlib import aclosing
from dataclasses import replace

import pytest

from gateway.events.events import Event, Plan, References, State, TextEnd, UsageReport
from gateway.request import Act, TurnOptions, TurnRequest
from gateway.settings import GatewaySettings
from gateway.turn.pipeline import Pipeline
from gateway.turn.turns import Turns
from libs.contracts.answers import Citation
from libs.contracts.conversation import HistoryMessage, Speaker
from libs.contracts.options import Budget
from libs.contracts.query import Decision, DecisionRecord, QueryGraph, QueryNode, WeightedQuery
from libs.contracts.session import Outcome
from libs.contracts.stages.answer import WriteRequest
from libs.contracts.stages.decompose import PlanVerdict
from libs.contracts.stages.intent import Verdict
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded, Stage, Usage
from tests.fakes.stages import ScriptedStages, evidence
from tests.unit.gateway.turning import ASKED, DOWN, REJECTED, ask, completed, follow, kinds, pick

QUESTION = "When did Viking 1 land?"
REWRITTEN = "When did Viking 1 land on Mars?"
QUERY = WeightedQuery(QUESTION)
RECORD = DecisionRecord(Decision.PASS, "it stands alone", QUESTION, QUESTION, query=QUERY)
CLEAR = Understanding(grounded_query=QUESTION)
ONE = QueryGraph((QueryNode("1", QUESTION),))
TWO = QueryGraph((QueryNode("1", "When did it launch?"), QueryNode("2", "When did it land?")))
SLOW = {"condense_hints": 0.02, "understand_hints": 0.02, "condense": 0.3, "understand": 0.3}
ASK = TurnRequest(QUESTION)


@pytest.fixture
def stages() -> ScriptedStages:
    """Models that take their time and let the question pass."""
    return ScriptedStages(
        results={"*": [evidence("a"), evidence("b", 0.5, rank=2)]},
        record=RECORD,
        understanding=CLEAR,
        planned_graph=ONE,
        condense_hints=(RECORD, PlanVerdict(suffices=True, split=False)),
        understand_hints=(CLEAR, Verdict(passes=True)),
        delays=dict(SLOW),
    )


@pytest.fixture(autouse=True)
def open_speculation(turns: Turns, stages: ScriptedStages) -> None:
    turns.worker.pipeline = Pipeline(stages.stages(), GatewaySettings())


def orders(stages: ScriptedStages) -> list[WriteRequest]:
    return [argument for method, argument in stages.calls if method == "write" and isinstance(argument, WriteRequest)]


def in_vain(events: list[Event]) -> int:
    (report,) = pick(events, UsageReport)
    return sum(usage.discarded for usage in report.tasks)


async def test_the_answer_is_shown_as_soon_as_both_verdicts_let_it_pass(turns: Turns, stages: ScriptedStages) -> None:
    events = await ask(turns, ASK)
    order = kinds(events)
    assert order.index("text") < order.index("condensed")
    assert order.index("text") < order.index("understanding")
    assert order.index("plan") < order.index("references") < order.index("text")
    assert stages.finished_calls.index("write") < stages.finished_calls.index("understand")
    assert stages.finished_calls.index("write") < stages.finished_calls.index("condense")
    assert (stages.count("write"), in_vain(events)) == (1, 0)
    assert completed(events).outcome is Outcome.ANSWERED


async def test_no_text_before_both_verdicts(turns: Turns, stages: ScriptedStages) -> None:
    stages.understand_hints = (CLEAR,)
    stages.delays["condense"] = 0.0
    order = kinds(await ask(turns, ASK))
    assert order.index("condensed") < order.index("text")
    assert order.index("understanding") < order.index("text")


@pytest.mark.parametrize("verdict", [(), (Verdict(passes=False),)])
@pytest.mark.parametrize(("understanding", "outcome"), [(REJECTED, Outcome.REJECTED), (ASKED, Outcome.ASKED)])
async def test_a_refused_or_unclear_question_shows_nothing_of_its_speculative_answer(
    turns: Turns,
    stages: ScriptedStages,
    verdict: tuple[Verdict, ...],
    understanding: Understanding,
    outcome: Outcome,
) -> None:
    stages.understanding, stages.understand_hints = understanding, (CLEAR, *verdict)
    events = await ask(turns, ASK)
    assert completed(events).outcome is outcome
    assert stages.count("write") == 1
    assert stages.text not in repr(events)
    assert pick(events, Citation) == []
    assert all(not event.references for event in pick(events, References))


async def test_a_refusal_that_is_only_recorded_is_answered(turns: Turns, stages: ScriptedStages) -> None:
    stages.understanding, stages.understand_hints = REJECTED, (CLEAR, Verdict(passes=False))
    events = await ask(turns, TurnRequest(QUESTION, options=TurnOptions(reject=Act.RECORD_ONLY)))
    assert completed(events).outcome is Outcome.ANSWERED
    assert kinds(events).index("understanding") < kinds(events).index("text")


async def test_without_the_intent_stage_nothing_is_shown(turns: Turns, stages: ScriptedStages) -> None:
    stages.understand_hints = (CLEAR,)
    stages.failures["understand"] = DOWN
    events = list[Event]()

    with pytest.raises(type(DOWN)):
        await follow(await turns.ask(ASK), events)
    assert stages.count("write") == 1
    assert [kind for kind in kinds(events) if kind in ("text", "references", "citation")] == []


async def test_intent_may_fail_after_its_verdict(turns: Turns, stages: ScriptedStages) -> None:
    stages.failures["understand"] = DOWN
    events = await ask(turns, ASK)
    assert completed(events).outcome is Outcome.ANSWERED
    assert [event.reason for event in pick(events, Degraded)] == [DOWN.reason]
    assert pick(events, Understanding) == [CLEAR]


async def test_a_question_that_is_split_is_answered_anew(turns: Turns, stages: ScriptedStages) -> None:
    stages.condense_hints = (RECORD, PlanVerdict(suffices=True, split=True))
    stages.planned_graph = TWO
    stages.delays |= {"condense_hints": 0.06, "understand_hints": 0}
    events = await ask(turns, ASK)
    assert [len(event.graph.nodes) for event in pick(events, Plan)] == [2]
    assert [order.graph.nodes[0].text for order in orders(stages) if order.graph] == [QUESTION, "When did it launch?"]
    assert len(pick(events, TextEnd)) == 1
    assert stages.count("decompose") == 0


async def test_sub_queries_are_answered_while_the_model_words_them(turns: Turns, stages: ScriptedStages) -> None:
    stages.condense_hints = (RECORD, PlanVerdict(suffices=False, split=True), TWO)
    stages.planned_graph = QueryGraph(tuple(replace(node, query=WeightedQuery(node.text)) for node in TWO.nodes))
    stages.record = replace(RECORD, standalone=REWRITTEN, query=WeightedQuery(REWRITTEN))
    events = await ask(turns, ASK)
    assert "write" not in stages.finished_calls[stages.finished_calls.index("condense") :]
    assert [[node.text for node in order.graph.nodes] for order in orders(stages) if order.graph][-1] == [
        n.text for n in TWO.nodes
    ]
    assert kinds(events).index("condensed") < kinds(events).index("text")
    assert len(pick(events, TextEnd)) == 1


@pytest.mark.parametrize("graph", [ONE, QueryGraph((TWO.nodes[1], TWO.nodes[0])), None])
async def test_an_answer_to_other_sub_queries_than_the_final_ones_is_discarded(
    turns: Turns, stages: ScriptedStages, graph: QueryGraph | None
) -> None:
    stages.condense_hints = (RECORD, PlanVerdict(suffices=True, split=True), TWO)
    stages.planned_graph = graph
    stages.graph = ONE
    events = await ask(turns, ASK)
    (plan,) = pick(events, Plan)
    assert [node.text for node in plan.graph.nodes] == [node.text for node in (graph or ONE).nodes]
    assert [order.graph for order in orders(stages)][-1] != orders(stages)[0].graph
    assert kinds(events).index("condensed") < kinds(events).index("text")
    assert len(pick(events, TextEnd)) == 1


@pytest.mark.parametrize(("graph", "shown"), [(TWO, 2), (ONE, 1)])
async def test_of_two_answers_only_the_one_that_fits_the_whole_plan_is_shown(
    turns: Turns, stages: ScriptedStages, graph: QueryGraph, shown: int
) -> None:
    stages.condense_hints = (RECORD, PlanVerdict(suffices=True, split=True), TWO)
    stages.planned_graph = graph
    stages.delays |= {"condense_hints": 0.06, "understand_hints": 0}
    events = await ask(turns, ASK)
    assert stages.count("write") == 2
    assert "write" not in stages.finished_calls[stages.finished_calls.index("condense") :]
    assert [len(event.graph.nodes) for event in pick(events, Plan)] == [shown]
    assert len(pick(events, References)) == len(pick(events, Citation)) == 1
    assert in_vain(events) == 0  # no language model was asked


async def test_a_refused_split_question_shows_nothing_of_its_answer(turns: Turns, stages: ScriptedStages) -> None:
    stages.condense_hints = (RECORD, PlanVerdict(suffices=True, split=True), TWO)
    stages.planned_graph = TWO
    stages.understanding, stages.understand_hints = REJECTED, (CLEAR, Verdict(passes=False))
    events = await ask(turns, ASK)
    assert completed(events).outcome is Outcome.REJECTED
    assert stages.count("write") == 1
    assert stages.text not in repr(events)
    assert pick(events, Plan) == []


async def test_the_answer_is_kept_if_the_final_wording_finds_nothing_new(turns: Turns, stages: ScriptedStages) -> None:
    stages.condense_hints = (RECORD, PlanVerdict(suffices=False, split=False))
    stages.record = replace(RECORD, standalone=REWRITTEN, query=WeightedQuery(REWRITTEN))
    events = await ask(turns, ASK)
    assert stages.count("write") == 1
    assert kinds(events).index("condensed") < kinds(events).index("text")
    assert stages.count("understand anew") == 1


async def test_the_answer_is_rewritten_if_the_final_wording_finds_more(turns: Turns, stages: ScriptedStages) -> None:
    stages.condense_hints = (RECORD, PlanVerdict(suffices=False, split=False))
    stages.record = replace(RECORD, standalone=REWRITTEN, query=WeightedQuery(REWRITTEN))
    stages.understanding = replace(CLEAR, grounded_query=REWRITTEN)
    stages.results = {**stages.results, REWRITTEN: [evidence("new")]}
    events = await ask(turns, ASK)
    first, anew = orders(stages)
    assert [reference.evidence.passage.passage_id for reference in first.references] == ["a", "b"]
    assert [reference.evidence.passage.passage_id for reference in anew.references] == ["new"]
    assert [event for event in pick(events, References) if "new" not in repr(event)] == []
    assert stages.count("retrieve") == 2


async def test_discarded_usage_is_reported(turns: Turns, stages: ScriptedStages) -> None:
    class Counting(ScriptedStages):
        async def write(self, request: WriteRequest):  # type: ignore[no-untyped-def]
            yield Usage(Stage.ANSWER, "write", input_tokens=1000, model="m")
            async for step in super().write(request):
                yield step
                await asyncio.sleep(5 if self.count("write") == 1 else 0)

    counting = Counting(**{name: getattr(stages, name) for name in ScriptedStages.__dataclass_fields__})
    counting.condense_hints = (RECORD, PlanVerdict(suffices=True, split=True))
    counting.planned_graph = TWO
    counting.delays |= {"condense_hints": 0.06, "understand_hints": 0}
    turns.worker.pipeline = Pipeline(counting.stages(), GatewaySettings())
    (report,) = pick(await ask(turns, ASK), UsageReport)
    (discarded_usage,) = [usage for usage in report.tasks if usage.discarded]
    assert (discarded_usage.task, discarded_usage.input_tokens, discarded_usage.model) == ("write", 1000, "m")
    assert discarded_usage.output_tokens == len(stages.text) // 4 + 1


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        (TurnOptions(speculate=False), GatewaySettings()),
        (TurnOptions(budget=Budget(max_tokens=10_000)), GatewaySettings()),
        (TurnOptions(), GatewaySettings(speculate=False)),
        (TurnOptions(), GatewaySettings(search_ahead=False)),
    ],
)
async def test_without_speculation_nothing_is_written_before_the_verdicts(
    turns: Turns, stages: ScriptedStages, options: TurnOptions, settings: GatewaySettings
) -> None:
    stages.understanding, stages.understand_hints = REJECTED, (CLEAR, Verdict(passes=False))
    turns.worker.pipeline = Pipeline(stages.stages(), settings)
    await ask(turns, TurnRequest(QUESTION, options=options))
    assert stages.count("write") == 0


async def test_without_speculation_writing_waits_for_the_verdicts_only(turns: Turns, stages: ScriptedStages) -> None:
    stages.delays |= {"understand": 0.2, "condense": 0.2}
    events = await ask(turns, TurnRequest(QUESTION, options=TurnOptions(speculate=False)))
    assert kinds(events).index("text") < kinds(events).index("understanding")
    assert stages.count("write") == 1


async def test_a_speculative_writer_gets_a_follow_ups_original_words(turns: Turns, stages: ScriptedStages) -> None:
    history = (HistoryMessage(Speaker.USER, "What is Viking 1?"), HistoryMessage(Speaker.AGENT, "A lander."))
    await ask(turns, TurnRequest(QUESTION, history=history))
    await ask(turns, TurnRequest(QUESTION))
    assert [order.turn for order in orders(stages)] == [QUESTION, ""]


async def test_a_cancelled_turn_leaves_no_task_running(turns: Turns, stages: ScriptedStages) -> None:
    stages.delays |= {"write": 5, "understand": 5, "condense": 5}
    before = asyncio.all_tasks()
    async with aclosing(await turns.ask(ASK)) as events:
        assert isinstance((await anext(events)).content, Plan)
    assert {task for task in asyncio.all_tasks() - before if not task.done()} == set()


async def test_progress_reports_begin_and_end_of_each_activity(turns: Turns) -> None:
    events = await ask(turns, TurnRequest(QUESTION, options=TurnOptions(progress=True)))
    states = pick(events, State)
    starts = [state.activity for state in states if not state.done]
    assert set(starts) >= {
        "condensing the question",
        "understanding the question",
        "searching",
        "reading 2 passages",
        "writing",
        "checking the answer",
    }
    assert sorted(starts) == sorted(state.activity for state in states if state.done)
    assert pick(await ask(turns, ASK), State) == []


async def test_a_question_understood_before_it_is_condensed_is_released(turns: Turns, stages: ScriptedStages) -> None:
    stages.delays |= {"condense_hints": 0.1, "understand": 0.0, "understand_hints": 0.0}
    stages.understanding = replace(CLEAR, engine="llm")
    order = kinds(await ask(turns, ASK))
    assert order.index("text") < order.index("condensed")
