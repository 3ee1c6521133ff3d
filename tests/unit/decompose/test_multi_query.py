"""A question in several wordings: what a language model writes is held to the question, the rules stand in for it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from libs.contracts.query import Decision, DecisionRecord
from libs.contracts.stages.decompose import Condensed
from libs.contracts.usage import Stage
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.llm.client import open_chat_model
from libs.llm.settings import LlmSettings
from libs.runtime.errors import Unavailable
from services.decompose.condense.llm import PROMPT as SUMMARIZING_PROMPT
from services.decompose.condense.llm import Summarizer
from services.decompose.history import HistoryWindow
from services.decompose.query.multi_query import PROMPT, LlmRewording, Rewriter
from services.decompose.query.rewordings import VariantKind
from services.decompose.words.domain import Domain, load_domain
from tests.fakes.prompts import DECOMPOSE
from tests.fakes.scripted_llm import ScriptedLlm
from tests.fakes.word_embedder import WordEmbedder
from tests.unit.decompose.conversations import REFUND, conversation

GENERAL, MATERNAL = load_domain(language="en"), load_domain(Path("maternal_health"), language="en")
QUESTION = "what is the refund policy for damaged items"
LANDING = "When did Viking 1 land on Mars?"
BY_RULES = {
    VariantKind.STANDALONE: "What is the refund policy for damaged items?",
    VariantKind.SYNONYMS: "What exactly is the refund or reimbursement policy for damaged or defective items?",
    VariantKind.EXPANDED: "What is the refund policy for damaged items, and what more information is there about "
    "complications, prevention, care and special cases?",
}
WRITTEN = {
    VariantKind.STANDALONE: "What is the refund policy for damaged items in the shop?",
    VariantKind.SYNONYMS: "What is the refund or money back policy for damaged items?",
    VariantKind.EXPANDED: "What is the refund policy for damaged items, and who pays shipping?",
}
FOCUSED = replace(GENERAL, focus=MATERNAL.focus, rules_expand=True)


def record(question: str = QUESTION) -> DecisionRecord:
    return DecisionRecord(Decision.CONDENSE, "", raw=question, standalone=question)


async def rewrite(
    llm: ScriptedLlm,
    texts: Mapping[VariantKind, str],
    question: str = QUESTION,
    window: HistoryWindow | None = None,
    domain: Domain = FOCUSED,
    embedder: WordEmbedder | None = None,
    rewordings: Sequence[str] = (),
) -> Condensed:
    """Reword by a model that writes these texts; without any, it writes nothing usable."""
    llm.answer_with(lambda _: json.dumps(texts) if texts else "As you wish.")
    async with open_chat_model(LlmSettings(base_url=llm.base_url), Stage.DECOMPOSE) as model:
        assert model is not None
        summarizer = Summarizer(model, DECOMPOSE.load(*SUMMARIZING_PROMPT))
        rewriter = Rewriter(domain, llm=LlmRewording(model, DECOMPOSE.load(*PROMPT), summarizer))
        asked, language = window or conversation(REFUND), reading_language(question)
        return await rewriter.rewrite(record(question), asked, language, embedder or WordEmbedder(), rewordings)


async def reword(*rewordings: str) -> Condensed:
    """Reword without a model, with the caller's rewordings if there are any."""
    return await Rewriter(FOCUSED).rewrite(record(), conversation(REFUND), ENGLISH, WordEmbedder(), rewordings)


def wordings(result: Condensed) -> list[str]:
    query = result.record.query
    assert query is not None
    return [query.text, *(variant.text for variant in query.variants)]


async def test_the_models_wordings_are_searched_with_falling_weights(llm: ScriptedLlm) -> None:
    result = await rewrite(llm, WRITTEN)
    assert wordings(result) == list(WRITTEN.values())
    assert result.record.query is not None
    assert [round(variant.weight, 2) for variant in result.record.query.variants] == [0.95, 0.9]
    assert not result.degraded
    assert [(usage.task, usage.input_tokens > 0) for usage in result.usage] == [("rewrite", True)]


async def test_without_a_model_the_rules_reword_and_it_is_said() -> None:
    result = await reword()
    assert wordings(result) == list(BY_RULES.values())
    assert [degradation.reason for degradation in result.degraded] == ["LLM_UNAVAILABLE"]


async def test_a_wording_that_is_far_from_the_question_is_replaced_and_it_is_said(llm: ScriptedLlm) -> None:
    written = await rewrite(llm, {**WRITTEN, VariantKind.SYNONYMS: "How tall is Mount Everest?"})
    assert wordings(written)[1] == BY_RULES[VariantKind.SYNONYMS]
    rewordings = (WRITTEN[VariantKind.STANDALONE], "How deep is the sea?")
    brought = await reword(*rewordings)
    assert wordings(brought) == [rewordings[0], BY_RULES[VariantKind.SYNONYMS], BY_RULES[VariantKind.EXPANDED]]
    for (degradation,) in (written.degraded, brought.degraded):
        assert degradation.reason == "LLM_UNUSABLE"
        assert "synonyms" in degradation.effect


async def test_a_kind_that_the_model_leaves_out_is_that_of_the_rules(llm: ScriptedLlm) -> None:
    result = await rewrite(llm, {**WRITTEN, VariantKind.EXPANDED: ""})
    assert wordings(result)[2] == BY_RULES[VariantKind.EXPANDED]
    assert [degradation.reason for degradation in result.degraded] == ["LLM_UNUSABLE"]


async def test_a_model_that_fails_leaves_all_kinds_to_the_rules_and_its_usage_is_told(llm: ScriptedLlm) -> None:
    result = await rewrite(llm, {})
    assert wordings(result) == list(BY_RULES.values())
    assert [degradation.reason for degradation in result.degraded] == ["LLM_UNUSABLE"]
    assert [usage.task for usage in result.usage] == ["rewrite"]


async def test_what_cannot_be_checked_is_not_used(llm: ScriptedLlm) -> None:
    failing = WordEmbedder(Unavailable("STAGE_UNAVAILABLE", "nobody answers"))
    result = await rewrite(llm, WRITTEN, embedder=failing)
    assert wordings(result) == list(BY_RULES.values())
    assert [degradation.reason for degradation in result.degraded] == ["STAGE_UNAVAILABLE"]


async def test_a_foreign_question_keeps_its_words_beside_its_translation(llm: ScriptedLlm) -> None:
    question = "¿Cuál es la política de reembolso para artículos dañados?"
    result = await rewrite(llm, WRITTEN, question)
    assert wordings(result) == [question, *WRITTEN.values()]
    strayed_result = await rewrite(llm, {**WRITTEN, VariantKind.EXPANDED: "How tall is Mount Everest?"}, question)
    assert "How tall is Mount Everest?" not in wordings(strayed_result)


async def test_a_wording_that_repeats_another_is_replaced_and_it_is_said(llm: ScriptedLlm) -> None:
    same = ("What is the refund policy for damaged items?", "Damaged items: the refund policy", QUESTION)
    result = await rewrite(llm, dict(zip(VariantKind, same, strict=True)))
    assert wordings(result) == [same[0], BY_RULES[VariantKind.SYNONYMS], BY_RULES[VariantKind.EXPANDED]]
    assert [degradation.reason for degradation in result.degraded] == ["LLM_UNUSABLE"]
    assert "synonyms, expanded" in result.degraded[0].effect


async def test_there_are_three_wordings_where_a_model_writes_one(llm: ScriptedLlm) -> None:
    result = await rewrite(llm, dict.fromkeys(VariantKind, LANDING), LANDING, HistoryWindow(), GENERAL)
    assert wordings(result) == [
        LANDING,
        "On what date did Viking 1 land on Mars?",
        "When did Viking 1 land on Mars, and what more information is there about Viking 1 and Mars?",
    ]


async def test_the_model_writes_all_kinds_with_the_domains_words_and_the_conversation_as_data(llm: ScriptedLlm) -> None:
    lower = {kind: text.lower().rstrip("?") for kind, text in WRITTEN.items()}
    result = await rewrite(llm, lower, domain=MATERNAL)
    (request,) = llm.requests
    assert wordings(result) == [text.capitalize() for text in WRITTEN.values()]
    assert request.body["temperature"] == 0.3
    assert "maternal health" in request.prompt
    assert "User: What's our refund window?" in request.prompt
    assert "swelling: oedema, edema" in request.prompt
    assert "complications, prevention, care, special cases" in request.prompt


async def test_wordings_that_the_caller_brings_stand_in_the_models_place(llm: ScriptedLlm) -> None:
    result = await rewrite(llm, {}, rewordings=tuple(WRITTEN.values()))
    assert wordings(result) == list(WRITTEN.values())
    assert not result.usage
    assert not result.degraded
    assert llm.requests == []
