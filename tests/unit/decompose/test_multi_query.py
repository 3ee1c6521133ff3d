"""A question in several wordings: what a language model writes is held to the question, the rules stand in for it."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from libs.contracts.query import Decision, DecisionRecord
from libs.contracts.usage import Stage, Usage
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.llm.client import open_chat_model
from libs.llm.errors import LlmUnavailable
from libs.llm.settings import LlmSettings
from libs.runtime.errors import Unavailable
from services.decompose.history import HistoryWindow
from services.decompose.query.llm_variants import PROMPT, LlmVariants
from services.decompose.query.multi_query import (
    FormulatedQuery,
    Rewriter,
)
from services.decompose.query.rewordings import VariantKind
from services.decompose.words.domain import load_domain
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


class Writer:
    """Writes what it was given; without any text it fails."""

    def __init__(self, texts: Mapping[VariantKind, str]) -> None:
        self.texts = texts

    async def __call__(
        self, record: DecisionRecord, window: HistoryWindow, usages: list[Usage]
    ) -> Mapping[VariantKind, str]:
        usages.append(Usage(Stage.DECOMPOSE, "rewrite", input_tokens=3))
        if not self.texts:
            raise LlmUnavailable("down")
        return self.texts


def record(question: str = QUESTION) -> DecisionRecord:
    return DecisionRecord(Decision.CONDENSE, "", raw=question, standalone=question)


async def rewrite(
    texts: Mapping[VariantKind, str] | None, question: str = QUESTION, embedder: WordEmbedder | None = None
) -> FormulatedQuery:
    rewriter = Rewriter(FOCUSED, writer=None if texts is None else Writer(texts))
    window = conversation(REFUND)
    return await rewriter.rewrite(record(question), window, reading_language(question), embedder or WordEmbedder())


def wordings(result: FormulatedQuery) -> list[str]:
    return [result.query.text, *(variant.text for variant in result.query.variants)]


async def test_the_models_wordings_are_searched_with_falling_weights() -> None:
    result = await rewrite(WRITTEN)
    assert wordings(result) == list(WRITTEN.values())
    assert [round(variant.weight, 2) for variant in result.query.variants] == [0.95, 0.9]
    assert not result.degraded
    assert [(usage.task, usage.input_tokens) for usage in result.usage] == [("rewrite", 3)]


async def test_without_a_model_the_rules_reword_and_it_is_said() -> None:
    result = await rewrite(None)
    assert wordings(result) == list(BY_RULES.values())
    assert [degradation.reason for degradation in result.degraded] == ["LLM_UNAVAILABLE"]


async def test_a_wording_that_is_far_from_the_question_is_replaced_and_it_is_said() -> None:
    written = await rewrite({**WRITTEN, VariantKind.SYNONYMS: "How tall is Mount Everest?"})
    assert wordings(written)[1] == BY_RULES[VariantKind.SYNONYMS]
    rewordings = (WRITTEN[VariantKind.STANDALONE], "How deep is the sea?")
    brought = await Rewriter(FOCUSED).rewrite(record(), conversation(REFUND), ENGLISH, WordEmbedder(), rewordings)
    assert wordings(brought) == [rewordings[0], BY_RULES[VariantKind.SYNONYMS], BY_RULES[VariantKind.EXPANDED]]
    for (degradation,) in (written.degraded, brought.degraded):
        assert degradation.reason == "LLM_UNUSABLE"
        assert "synonyms" in degradation.effect


async def test_a_kind_that_the_model_leaves_out_is_that_of_the_rules() -> None:
    result = await rewrite({**WRITTEN, VariantKind.EXPANDED: ""})
    assert wordings(result)[2] == BY_RULES[VariantKind.EXPANDED]
    assert [degradation.reason for degradation in result.degraded] == ["LLM_UNUSABLE"]


async def test_a_model_that_fails_leaves_all_kinds_to_the_rules_and_its_usage_is_told() -> None:
    result = await rewrite({})
    assert wordings(result) == list(BY_RULES.values())
    assert [degradation.reason for degradation in result.degraded] == ["LLM_UNAVAILABLE"]
    assert [usage.task for usage in result.usage] == ["rewrite"]


async def test_what_cannot_be_checked_is_not_used() -> None:
    failing = WordEmbedder(Unavailable("STAGE_UNAVAILABLE", "nobody answers"))
    result = await rewrite(WRITTEN, embedder=failing)
    assert wordings(result) == list(BY_RULES.values())
    assert [degradation.reason for degradation in result.degraded] == ["STAGE_UNAVAILABLE"]


async def test_a_foreign_question_keeps_its_words_beside_its_translation() -> None:
    question = "¿Cuál es la política de reembolso para artículos dañados?"
    result = await rewrite(WRITTEN, question)
    assert wordings(result) == [question, *WRITTEN.values()]
    strayed_result = await rewrite({**WRITTEN, VariantKind.EXPANDED: "How tall is Mount Everest?"}, question)
    assert "How tall is Mount Everest?" not in wordings(strayed_result)


async def test_a_wording_that_repeats_another_is_replaced_and_it_is_said() -> None:
    same = ("What is the refund policy for damaged items?", "Damaged items: the refund policy", QUESTION)
    result = await rewrite(dict(zip(VariantKind, same, strict=True)))
    assert wordings(result) == [same[0], BY_RULES[VariantKind.SYNONYMS], BY_RULES[VariantKind.EXPANDED]]
    assert [degradation.reason for degradation in result.degraded] == ["LLM_UNUSABLE"]
    assert "synonyms, expanded" in result.degraded[0].effect


async def test_there_are_three_wordings_where_a_model_writes_one() -> None:
    model = Writer(dict.fromkeys(VariantKind, LANDING))
    result = await Rewriter(GENERAL, writer=model).rewrite(record(LANDING), HistoryWindow(), ENGLISH, WordEmbedder())
    assert wordings(result) == [
        LANDING,
        "On what date did Viking 1 land on Mars?",
        "When did Viking 1 land on Mars, and what more information is there about Viking 1 and Mars?",
    ]


async def test_the_model_writes_all_kinds_with_the_domains_words_and_the_conversation_as_data(llm: ScriptedLlm) -> None:
    llm.reply(json.dumps({kind: text.lower().rstrip("?") for kind, text in WRITTEN.items()}))
    async with open_chat_model(LlmSettings(base_url=llm.base_url), Stage.DECOMPOSE) as model:
        assert model is not None
        usages = list[Usage]()
        variants = LlmVariants(model, DECOMPOSE.load(*PROMPT), MATERNAL)
        texts = await variants.write(record(), conversation(REFUND), usages)
    (request,) = llm.requests
    assert texts == {kind: text.capitalize() for kind, text in WRITTEN.items()}
    assert [usage.task for usage in usages] == ["rewrite"]
    assert request.body["temperature"] == 0.3
    assert "maternal health" in request.prompt
    assert "User: What's our refund window?" in request.prompt
    assert "swelling: oedema, edema" in request.prompt
    assert "complications, prevention, care, special cases" in request.prompt


async def test_wordings_that_the_caller_brings_stand_in_the_models_place() -> None:
    rewriter = Rewriter(FOCUSED, writer=Writer({}))
    rewordings = tuple(WRITTEN.values())
    result = await rewriter.rewrite(record(), conversation(REFUND), ENGLISH, WordEmbedder(), rewordings)
    assert wordings(result) == list(rewordings)
    assert not result.usage
    assert not result.degraded
