"""The stage's tasks: the record with its query, the language model with the rules behind it, the graph."""

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace

import pytest

from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker
from libs.contracts.options import Scene
from libs.contracts.query import Decision, DecisionRecord, Strategy, WeightedQuery
from libs.contracts.stages.decompose import Condensed, CondenseRequest, CondenseStep, Planned
from libs.contracts.usage import Progress, Stage, UsageSource
from libs.llm.client import open_chat_model
from libs.llm.errors import LlmError
from libs.llm.settings import LlmSettings
from libs.runtime.errors import NotSupported
from services.decompose.condense.llm import LlmCondenser, load_prompt
from services.decompose.decomposer import DecomposeBounds, Decomposer
from services.decompose.query.context import ContextBounds
from services.decompose.query.formulation import FormulationBounds, QueryFormulation
from services.decompose.words.domain import load_domain
from tests.fakes.scripted_llm import ScriptedLlm
from tests.fakes.word_embedder import WordEmbedder

DOMAIN = load_domain()
VIEW = ConversationView(
    (
        HistoryMessage(Speaker.USER, "What's our refund window?"),
        HistoryMessage(Speaker.AGENT, "Refunds are possible for 30 days."),
    )
)
TURN = "What about damaged items?"


@asynccontextmanager
async def with_model(scripted: ScriptedLlm, **bounds: object) -> AsyncIterator[Decomposer]:
    settings = LlmSettings(base_url=scripted.base_url, retries=0)
    async with open_chat_model(settings, Stage.DECOMPOSE) as model:
        assert model is not None
        yield Decomposer(DOMAIN, DecomposeBounds(**bounds), LlmCondenser(model, load_prompt(), DOMAIN))  # type: ignore[arg-type]


async def condense(scripted: ScriptedLlm, turn: str = TURN, **bounds: object) -> Condensed:
    async with with_model(scripted, **bounds) as decomposer:
        return await decomposer.condense(CondenseRequest(turn, VIEW))


def rewrite(standalone: str) -> str:
    return f'{{"standalone": "{standalone}"}}'


async def test_a_good_rewrite_is_taken_and_its_usage_told() -> None:
    async with ScriptedLlm() as scripted:
        scripted.reply(rewrite("What is the refund window for damaged items?"))
        condensed = await condense(scripted)
    assert condensed.record.standalone == "what is the refund window for damaged items"
    assert (condensed.record.engine, condensed.record.decision) == ("llm", Decision.CONDENSE)
    assert condensed.usage[0].usage_source is UsageSource.PROVIDER
    assert not condensed.degraded


async def test_the_model_sees_the_conversation_as_data_and_the_turn() -> None:
    async with ScriptedLlm() as scripted:
        scripted.reply(rewrite("refund for damaged items"))
        await condense(scripted)
        assert "User: What's our refund window?" in scripted.requests[0].prompt
        assert "Agent: Refunds are possible for 30 days." in scripted.requests[0].prompt
        assert TURN in scripted.requests[0].prompt


async def test_a_turn_that_the_model_leaves_alone_keeps_its_words_byte_for_byte() -> None:
    async with ScriptedLlm() as scripted:
        scripted.reply(rewrite("how do I track my order"))
        condensed = await condense(scripted, "how do I track my order?")
    assert (condensed.record.decision, condensed.record.standalone) == (Decision.PASS, "how do I track my order?")


@pytest.mark.parametrize(
    ("turn", "by_rules", "why"),
    [
        ("How long is it?", "how long is our refund window", 'under-rewrite: "it" still stands'),
        ("How long is the new one?", "how long is the new window", 'under-rewrite: "the new one" still stands'),
        ("why?", "why our refund window", "which is a question word alone"),
        ("tell me more", "more about our refund window", "which asks for more"),
    ],
)
async def test_a_model_that_leaves_a_turn_alone_which_clearly_leans_is_not_believed(
    turn: str, by_rules: str, why: str
) -> None:
    async with ScriptedLlm() as scripted:
        scripted.answer_with(lambda _: rewrite(turn))
        record = (await condense(scripted, turn)).record
        assert len(scripted.requests) == 2
    assert (record.engine, record.standalone.lower()) == ("rules", by_rules)
    assert why in record.reason


async def test_a_refused_rewrite_is_repaired_once() -> None:
    async with ScriptedLlm() as scripted:
        scripted.reply(rewrite("refund for broken laptops"))
        scripted.reply(rewrite("refund for damaged items"))
        condensed = await condense(scripted)
        assert 'nobody said "broken", "laptops"' in scripted.requests[1].prompt
    assert (condensed.record.standalone, condensed.record.engine) == ("refund for damaged items", "llm")


@pytest.mark.parametrize(
    ("answers", "engine"),
    [
        ([rewrite("refund for damaged items")], "llm"),
        ([rewrite("refund for broken laptops"), rewrite("refund for damaged items")], "llm"),
        ([rewrite("refund for broken laptops"), rewrite("refund for broken laptops")], "rules"),
        (["As you wish.", ""], "rules"),
    ],
    ids=["taken at once", "repaired", "refused twice", "in no form, then empty"],
)
async def test_what_a_model_took_is_told_whatever_became_of_it(answers: list[str], engine: str) -> None:
    async with ScriptedLlm() as scripted:
        for answer in answers:
            scripted.reply(answer)
        condensed = await condense(scripted)
        asked = sum(len(request.prompt.split()) for request in scripted.requests)
    assert condensed.record.engine == engine
    (used,) = condensed.usage
    assert (used.task, used.usage_source) == ("condense", UsageSource.PROVIDER)
    assert (used.input_tokens, used.output_tokens) == (asked, sum(len(answer.split()) for answer in answers))


async def test_what_a_refused_rewrite_took_is_told_when_its_repair_comes_too_late() -> None:
    async with ScriptedLlm() as scripted:
        scripted.reply(rewrite("refund for broken laptops"))
        scripted.slow(30)
        condensed = await condense(scripted, llm_seconds=1.0)
        asked = len(scripted.requests[0].prompt.split())
    assert [told.reason for told in condensed.degraded] == ["LLM_TOO_SLOW"]
    assert [used.input_tokens for used in condensed.usage] == [asked]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("refund for damaged laptops", 'over-rewrite: nobody said "laptops"'),
        ("what is that for damaged items", 'under-rewrite: "that"'),
        ("damaged items", "under-rewrite: it adds nothing"),
        (TURN, "under-rewrite: it leaves the turn as it is, which asks about another case"),
        ("what is our refund window", 'stale topic: the turn\'s own "damaged", "items" got lost'),
    ],
)
async def test_each_guard_fires_on_a_bad_rewrite_and_the_rules_stand_in(bad: str, why: str) -> None:
    async with ScriptedLlm() as scripted:
        scripted.answer_with(lambda _: rewrite(bad))
        condensed = await condense(scripted)
    assert condensed.record.standalone == "refund policy for damaged items"
    assert why in condensed.record.reason
    assert [(degraded.stage, degraded.reason) for degraded in condensed.degraded] == [(Stage.DECOMPOSE, "LLM_UNUSABLE")]


async def test_a_model_that_is_down_slow_or_babbles_leaves_the_turn_to_the_rules() -> None:
    reasons = []
    for trouble in ("down", "slow", "babbles"):
        async with ScriptedLlm() as scripted:
            if trouble == "down":
                scripted.fail(500)
            elif trouble == "slow":
                scripted.slow(30)
            else:
                scripted.answer_with(lambda _: "As you wish.")
            condensed = await condense(scripted, llm_seconds=0.3 if trouble == "slow" else 30)
        assert condensed.record.standalone == "refund policy for damaged items"
        reasons += [degraded.reason for degraded in condensed.degraded]
    assert reasons == ["LLM_UNAVAILABLE", "LLM_TOO_SLOW", "LLM_UNUSABLE"]


async def test_where_the_settings_insist_on_the_model_its_failure_is_the_calls() -> None:
    async with ScriptedLlm() as scripted:
        scripted.fail(500)
        with pytest.raises(LlmError):
            await condense(scripted, engine="llm")


async def test_the_first_turn_and_a_change_of_topic_ask_no_model() -> None:
    async with ScriptedLlm() as scripted, with_model(scripted) as decomposer:
        first = await decomposer.condense(CondenseRequest(TURN, ConversationView()))
        switched = await decomposer.condense(CondenseRequest("By the way, do you sell bicycles?", VIEW))
        assert scripted.requests == []
    assert (first.record.decision, switched.record.decision) == (Decision.PASS, Decision.SWITCH)


async def test_the_strategy_llm_searches_by_the_models_question() -> None:
    async with ScriptedLlm() as scripted:
        scripted.reply(rewrite("refund for damaged items"))
        async with with_model(scripted, engine="rules") as decomposer:
            record = (await decomposer.condense(CondenseRequest(TURN, VIEW, Strategy.LLM))).record
    assert record.query == WeightedQuery("refund for damaged items")


async def test_the_strategy_llm_is_refused_without_a_model() -> None:
    with pytest.raises(NotSupported, match="llm"):
        await Decomposer(DOMAIN, DecomposeBounds()).condense(CondenseRequest(TURN, VIEW, Strategy.LLM))


async def test_without_vectors_no_sentences_are_chosen_and_the_whole_history_is_weighed() -> None:
    decomposer = Decomposer(DOMAIN, DecomposeBounds())
    by_mmr = await decomposer.condense(CondenseRequest(TURN, VIEW, Strategy.MMR))
    assert by_mmr.record.query == (await decomposer.condense(CondenseRequest(TURN, VIEW))).record.query
    assert [told.reason for told in by_mmr.degraded] == ["EMBEDDER_MISSING"]


async def test_chosen_sentences_are_weighed_beside_the_last_turn() -> None:
    decomposer = Decomposer(DOMAIN, DecomposeBounds(), searching=QueryFormulation(DOMAIN, embedder=WordEmbedder()))
    condensed = await decomposer.condense(CondenseRequest(TURN, VIEW, Strategy.MMR))
    query = condensed.record.query
    assert query is not None
    assert query.text == TURN
    assert {text.text: text.weight for text in query.texts} == {
        "What's our refund window?": 0.25,
        "Refunds are possible for 30 days.": 0.25,
    }
    assert {term.weight for term in query.terms} == {0.15}
    assert [term.term for term in query.terms] == ["refund", "window", "possible", "30", "days"]
    assert not condensed.degraded


async def test_the_record_tells_how_sentences_were_chosen_and_a_turn_may_say_how_many() -> None:
    decomposer = Decomposer(DOMAIN, DecomposeBounds(), searching=QueryFormulation(DOMAIN, embedder=WordEmbedder()))
    request = CondenseRequest(TURN, replace(VIEW, first_turn=7), Strategy.MMR, context_sentences=1)
    told = (await decomposer.condense(request)).record.selection
    assert told is not None
    assert [sentence.text for sentence in told.extracted] == [message.text for message in VIEW.messages]
    assert {sentence.turn for sentence in told.extracted} == {7}
    assert sum(told.cluster_sizes) == len(told.extracted)
    assert [(item.sentence in told.representatives, item.cluster in (0, 1)) for item in told.selected] == [(True, True)]
    assert (await decomposer.condense(CondenseRequest(TURN, VIEW, Strategy.WEIGHTED))).record.selection is None


async def test_a_model_rewrites_from_the_chosen_sentences_alone() -> None:
    searching = QueryFormulation(
        DOMAIN, FormulationBounds(context=ContextBounds(sentences=1, representatives=1)), embedder=WordEmbedder()
    )
    async with ScriptedLlm() as scripted:
        scripted.reply(rewrite("refund for damaged items"))
        async with open_chat_model(LlmSettings(base_url=scripted.base_url), Stage.DECOMPOSE) as model:
            assert model is not None
            decomposer = Decomposer(DOMAIN, DecomposeBounds(), LlmCondenser(model, load_prompt(), DOMAIN), searching)
            record = (await decomposer.condense(CondenseRequest(TURN, VIEW, Strategy.MMR))).record
        prompt = scripted.requests[0].prompt
    assert ("What's our refund window?" in prompt) + ("Refunds are possible for 30 days." in prompt) == 1
    assert record.query == WeightedQuery("Refund for damaged items?")
    assert record.standalone == "Refund for damaged items?"


async def test_without_a_model_the_rules_reword_and_say_so() -> None:
    condensed = await Decomposer(DOMAIN, DecomposeBounds()).condense(CondenseRequest(TURN, VIEW, Strategy.MULTI_QUERY))
    query = condensed.record.query
    assert query is not None
    assert query.text == condensed.record.standalone == "refund policy for damaged items"
    assert [(variant.text, round(variant.weight, 2)) for variant in query.variants] == [
        ("refund reimbursement policy for damaged defective items product", 0.95),
        (TURN, 0.9),
    ]
    assert [told.reason for told in condensed.degraded] == ["LLM_UNAVAILABLE"]


async def test_planning_ends_with_the_graph() -> None:
    steps = [
        step async for step in Decomposer(DOMAIN, DecomposeBounds()).decompose("Who built it?", None, Scene.GENERAL)
    ]
    assert [type(step) for step in steps] == [Progress, Planned]


async def steps_of(
    decomposer: Decomposer, turn: str, strategy: Strategy, view: ConversationView = VIEW
) -> list[CondenseStep]:
    return [step async for step in decomposer.condense_in_steps(CondenseRequest(turn, view, strategy), False)]


async def test_the_rules_record_is_told_before_the_model_is_asked() -> None:
    async with ScriptedLlm() as scripted, with_model(scripted) as decomposer:
        scripted.reply(rewrite("What is the refund window for damaged items?"))
        async with aclosing(decomposer.condense_in_steps(CondenseRequest(TURN, VIEW), False)) as steps:
            first = await anext(steps)
            assert isinstance(first, DecisionRecord)
            assert scripted.requests == []
            assert isinstance(await anext(steps), Condensed)
        assert len(scripted.requests) == 1


@pytest.mark.parametrize("strategy", [Strategy.WEIGHTED, Strategy.LAST_TURN])
@pytest.mark.parametrize("turn", [TURN, "What is the refund window for damaged items?"])
async def test_what_the_model_cannot_change_is_foreseen(strategy: Strategy, turn: str) -> None:
    async with ScriptedLlm() as scripted, with_model(scripted) as decomposer:
        scripted.reply(rewrite("What is the refund window for damaged items?"))
        foreseen, condensed = await steps_of(decomposer, turn, strategy)
    assert isinstance(foreseen, DecisionRecord)
    assert isinstance(condensed, Condensed)
    assert (condensed.record.engine, condensed.record.query) == ("llm", foreseen.query)


@pytest.mark.parametrize("strategy", [Strategy.LLM, Strategy.LADDER])
async def test_so_is_a_turn_that_stands_alone_by_the_rules_which_a_model_mostly_leaves_as_it_is(
    strategy: Strategy,
) -> None:
    turn = "What is the refund window for damaged items?"
    async with ScriptedLlm() as scripted, with_model(scripted) as decomposer:
        scripted.reply(rewrite(turn))
        foreseen, condensed = await steps_of(decomposer, turn, strategy)
    assert isinstance(foreseen, DecisionRecord)
    assert isinstance(condensed, Condensed)
    assert foreseen.query == condensed.record.query == WeightedQuery(turn)


@pytest.mark.parametrize("strategy", [Strategy.LLM, Strategy.MULTI_QUERY, Strategy.MMR])
async def test_a_follow_up_that_the_model_words_is_not_foreseen(strategy: Strategy) -> None:
    async with ScriptedLlm() as scripted, with_model(scripted) as decomposer:
        for _ in range(2):
            scripted.reply(rewrite("What is the refund window for damaged items?"))
        steps = await steps_of(decomposer, TURN, strategy)
    first, condensed = steps
    assert isinstance(first, DecisionRecord)
    assert (first.query, type(condensed)) == (None, Condensed)


async def test_nothing_is_foreseen_where_the_rules_answer_at_once() -> None:
    steps = await steps_of(Decomposer(DOMAIN, DecomposeBounds()), TURN, Strategy.WEIGHTED)
    async with ScriptedLlm() as scripted, with_model(scripted) as decomposer:
        first = await steps_of(decomposer, "What is the refund window?", Strategy.LLM, ConversationView())
    async with ScriptedLlm() as scripted, with_model(scripted, engine="rules") as decomposer:
        unasked = await steps_of(decomposer, TURN, Strategy.WEIGHTED)
        assert scripted.requests == []
    assert [type(step) for step in (*steps, *first, *unasked)] == [Condensed] * 3
