"""The stage's tasks: the record with its query, the language model with the rules behind it, the graph."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from libs.contracts.conversation import ConversationView
from libs.contracts.query import ContextSelection, Decision, DecisionRecord, Strategy, WeightedQuery
from libs.contracts.stages.decompose import Condensed, CondenseRequest, CondenseStep
from libs.contracts.usage import Stage, UsageSource
from libs.llm.client import open_chat_model
from libs.llm.errors import LlmError
from libs.llm.settings import LlmSettings
from libs.llm.tally import usage_of_failure
from services.decompose.condense.tidy import as_question
from services.decompose.decomposer import Decomposer
from services.decompose.prepare_llm import PROMPT, LlmPreparer
from services.decompose.query.formulation import QueryFormulation
from services.decompose.query.multi_query import Rewriter
from services.decompose.turn_analysis import DecomposeBounds
from tests.fakes.conversations import view_of
from tests.fakes.prompts import DECOMPOSE
from tests.fakes.scripted_llm import ScriptedLlm
from tests.fakes.scripted_wording import ScriptedWording
from tests.fakes.word_embedder import WordEmbedder
from tests.unit.decompose.splitting import DOMAIN

VIEW = view_of("What's our refund window?", "Refunds are possible for 30 days.")
TURN = "What about damaged items?"
BY_RULES = "What about damaged items (refund window)?"
COMPLETE = "What is the refund window for damaged items?"


@asynccontextmanager
async def with_model(llm: ScriptedLlm, **bounds: object) -> AsyncIterator[Decomposer]:
    settings = LlmSettings(base_url=llm.base_url, retries=0)
    async with open_chat_model(settings, Stage.DECOMPOSE) as model:
        assert model is not None
        yield Decomposer(
            DOMAIN,
            DecomposeBounds(**bounds),  # type: ignore[arg-type]
            LlmPreparer(model, DECOMPOSE.load(*PROMPT)),
            wording=ScriptedWording(("refund window",)),
        )


async def condense(llm: ScriptedLlm, turn: str = TURN, **bounds: object) -> Condensed:
    async with with_model(llm, **bounds) as decomposer:
        return await decomposer.condense(CondenseRequest(turn, VIEW))


def rewrite(standalone: str) -> str:
    return f'{{"standalone": "{standalone}"}}'


async def test_a_good_rewrite_of_the_conversation_is_taken(llm: ScriptedLlm) -> None:
    llm.reply(rewrite(COMPLETE))
    result = await condense(llm)
    assert result.record.standalone == COMPLETE
    assert (result.record.engine, result.record.decision) == ("llm", Decision.CONDENSE)
    assert result.usage[0].usage_source is UsageSource.PROVIDER
    assert not result.degraded
    assert "User: What's our refund window?" in llm.requests[0].prompt
    assert "Agent: Refunds are possible for 30 days." in llm.requests[0].prompt
    assert TURN in llm.requests[0].prompt


async def test_a_turn_that_the_model_leaves_alone_keeps_its_words_byte_for_byte(llm: ScriptedLlm) -> None:
    llm.reply(rewrite("how do I track my order"))
    result = await condense(llm, "how do I track my order?")
    assert (result.record.decision, result.record.standalone) == (Decision.PASS, "how do I track my order?")


async def test_what_an_unusable_answer_took_is_told(llm: ScriptedLlm) -> None:
    llm.reply("As you wish.")
    result = await condense(llm)
    assert [degradation.reason for degradation in result.degraded] == ["LLM_UNUSABLE"]
    (usage,) = result.usage
    assert (usage.task, usage.usage_source) == ("condense", UsageSource.PROVIDER)
    assert (usage.input_tokens, usage.output_tokens) == (len(llm.requests[0].prompt.split()), 3)


async def test_what_nobody_said_is_refused_and_the_rules_stand_in(llm: ScriptedLlm) -> None:
    llm.reply(rewrite("refund for items from Quillhaven damaged"))
    result = await condense(llm)
    assert result.record.standalone == BY_RULES
    assert 'nobody said "Quillhaven"' in result.record.reason
    assert [(degraded.stage, degraded.reason) for degraded in result.degraded] == [(Stage.DECOMPOSE, "LLM_UNUSABLE")]


async def test_where_the_settings_insist_on_the_model_its_failure_tells_the_usage(
    llm: ScriptedLlm,
) -> None:
    llm.answer_with(lambda _: "As you wish.")
    with pytest.raises(LlmError) as error:
        await condense(llm, engine="llm")
    (usage,) = usage_of_failure(error.value, Stage.DECOMPOSE, "condense")
    assert usage.input_tokens > usage.output_tokens > 0


async def test_the_first_turn_and_a_change_of_topic_ask_no_model(llm: ScriptedLlm) -> None:
    async with with_model(llm) as decomposer:
        first = await decomposer.condense(CondenseRequest(TURN, ConversationView()))
        switched = await decomposer.condense(CondenseRequest("By the way, do you sell bicycles?", VIEW))
        assert llm.requests == []
    assert (first.record.decision, switched.record.decision) == (Decision.PASS, Decision.SWITCH)


async def test_the_strategy_llm_searches_by_the_models_question(llm: ScriptedLlm) -> None:
    llm.reply(rewrite("refund for damaged items"))
    async with with_model(llm, engine="rules") as decomposer:
        record = (await decomposer.condense(CondenseRequest(TURN, VIEW, Strategy.LLM))).record
    assert record.query == WeightedQuery("Refund for damaged items?")


async def test_chosen_sentences_are_weighed_beside_the_standalone_question() -> None:
    searching = QueryFormulation(Rewriter(DOMAIN), embedder=WordEmbedder())
    decomposer = Decomposer(DOMAIN, DecomposeBounds(), searching=searching)
    result = await decomposer.condense(CondenseRequest(TURN, VIEW, Strategy.MMR))
    query = result.record.query
    assert query is not None
    assert query.text == as_question(result.record.standalone)
    assert {text.text: text.weight for text in query.texts} == {
        "What's our refund window?": 0.25,
        "Refunds are possible for 30 days.": 0.25,
    }
    assert {term.weight for term in query.terms} == {0.15}
    assert [term.term for term in query.terms] == [text.text for text in query.texts]
    assert not result.degraded


async def test_the_record_tells_how_sentences_were_chosen_and_a_turn_may_say_how_many() -> None:
    searching = QueryFormulation(Rewriter(DOMAIN), embedder=WordEmbedder())
    decomposer = Decomposer(DOMAIN, DecomposeBounds(), searching=searching)
    request = CondenseRequest(TURN, replace(VIEW, first_turn=7), Strategy.MMR, context_sentences=1)
    selection = (await decomposer.condense(request)).record.selection
    assert selection is not None
    assert [sentence.text for sentence in selection.extracted] == [message.text for message in VIEW.messages]
    assert {sentence.turn for sentence in selection.extracted} == {7}
    assert sum(selection.cluster_sizes) == len(selection.extracted)
    assert [(item.sentence in selection.representatives, item.cluster in (0, 1)) for item in selection.selected] == [
        (True, True)
    ]
    assert (await decomposer.condense(CondenseRequest(TURN, VIEW, Strategy.WEIGHTED))).record.selection is None


async def test_a_model_rewrites_from_the_chosen_sentences_alone(llm: ScriptedLlm) -> None:
    searching = QueryFormulation(Rewriter(DOMAIN), WordEmbedder(), sentences=1)
    llm.reply(rewrite("refund for damaged items"))
    async with open_chat_model(LlmSettings(base_url=llm.base_url), Stage.DECOMPOSE) as model:
        assert model is not None
        decomposer = Decomposer(DOMAIN, DecomposeBounds(), LlmPreparer(model, DECOMPOSE.load(*PROMPT)), searching)
        record = (await decomposer.condense(CondenseRequest(TURN, VIEW, Strategy.MMR))).record
    prompt = llm.requests[0].prompt
    assert ("What's our refund window?" in prompt) + ("Refunds are possible for 30 days." in prompt) == 1
    assert record.query == WeightedQuery("Refund for damaged items?")
    assert record.standalone == "Refund for damaged items?"


@pytest.mark.parametrize("turn", ["how do I track my order", "How do I track my order?"])
async def test_a_fresh_question_gets_no_context_and_its_query_has_its_capital_and_question_mark(turn: str) -> None:
    embedder = WordEmbedder()
    searching = QueryFormulation(Rewriter(DOMAIN), embedder=embedder)
    decomposer = Decomposer(DOMAIN, DecomposeBounds(), searching=searching, wording=ScriptedWording())
    record = (await decomposer.condense(CondenseRequest(turn, VIEW, Strategy.MMR))).record
    assert record.query == WeightedQuery("How do I track my order?")
    assert record.standalone == turn
    assert record.selection == ContextSelection()
    assert embedder.asked == []


async def test_without_a_model_the_rules_reword_and_say_so() -> None:
    decomposer = Decomposer(DOMAIN, DecomposeBounds(), wording=ScriptedWording(("refund window",)))
    result = await decomposer.condense(CondenseRequest(TURN, VIEW, Strategy.MULTI_QUERY))
    query = result.record.query
    assert query is not None
    about = result.record.standalone
    assert query.text == about == BY_RULES
    assert [round(variant.weight, 2) for variant in query.variants] == [0.95, 0.9]
    assert "refund or reimbursement" in query.variants[0].text
    assert about.rstrip("?").lower() in query.variants[1].text.lower()
    assert [degradation.reason for degradation in result.degraded] == ["LLM_UNAVAILABLE"]


async def steps_of(
    decomposer: Decomposer, turn: str, strategy: Strategy, view: ConversationView = VIEW
) -> list[CondenseStep]:
    return [step async for step in decomposer.condense_in_steps(CondenseRequest(turn, view, strategy), False)]


@pytest.mark.parametrize(
    ("strategy", "turn"),
    [
        (Strategy.LAST_TURN, TURN),
        (Strategy.WEIGHTED, COMPLETE),
        (Strategy.LLM, COMPLETE),
        (Strategy.LADDER, COMPLETE),
    ],
)
async def test_what_the_model_cannot_change_or_mostly_leaves_as_it_is_is_foreseen(
    llm: ScriptedLlm, strategy: Strategy, turn: str
) -> None:
    async with with_model(llm) as decomposer:
        llm.reply(rewrite(COMPLETE))
        first_record, result = await steps_of(decomposer, turn, strategy)
    assert isinstance(first_record, DecisionRecord)
    assert isinstance(result, Condensed)
    assert (result.record.engine, result.record.query) == ("llm", first_record.query)
    assert first_record.query is not None


async def test_the_models_other_words_are_searched_with_the_turn_and_its_history_beside_them(llm: ScriptedLlm) -> None:
    async with with_model(llm) as decomposer:
        llm.reply(rewrite("Which refund is given for damaged items?"))
        first, result = await steps_of(decomposer, TURN, Strategy.WEIGHTED)
    assert isinstance(first, DecisionRecord)
    assert isinstance(result, Condensed)
    assert first.query is not None
    assert result.record.query == replace(first.query, text=result.record.standalone, turn=TURN)
    assert result.record.query.text.casefold().startswith("which refund is given")


@pytest.mark.parametrize("strategy", [Strategy.LLM, Strategy.MULTI_QUERY, Strategy.MMR])
async def test_a_follow_up_that_the_model_words_is_not_foreseen(llm: ScriptedLlm, strategy: Strategy) -> None:
    async with with_model(llm) as decomposer:
        for _ in range(2):
            llm.reply(rewrite(COMPLETE))
        steps = await steps_of(decomposer, TURN, strategy)
    first, result = steps
    assert isinstance(first, DecisionRecord)
    assert (first.query, type(result)) == (None, Condensed)


async def test_nothing_is_foreseen_where_the_rules_answer_at_once(llm: ScriptedLlm) -> None:
    steps = await steps_of(Decomposer(DOMAIN, DecomposeBounds()), TURN, Strategy.WEIGHTED)
    async with with_model(llm) as decomposer:
        first = await steps_of(decomposer, "What is the refund window?", Strategy.LLM, ConversationView())
    async with ScriptedLlm() as llm, with_model(llm, engine="rules") as decomposer:
        unasked = await steps_of(decomposer, TURN, Strategy.WEIGHTED)
        assert llm.requests == []
    assert [type(step) for step in (*steps, *first, *unasked)] == [Condensed] * 3
