"""A question in several wordings: what a language model writes is held to the question, the rules stand in for it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from services.decompose.domain import Domain, load_domain
from services.decompose.history import Window
from services.decompose.llm_variants import LlmVariants, load_prompts
from services.decompose.multi_query import RewriteBounds, Rewriter, Rewritten, VariantKind, is_foreign
from services.decompose.rule_variants import expanded, with_synonyms
from services.llm.client import open_chat_model
from services.llm.errors import LlmUnavailable
from services.llm.settings import LlmSettings
from services.runtime.errors import Unavailable
from services.vocabulary.query import Decision, DecisionRecord
from services.vocabulary.usage import Stage, Usage
from tests.fakes.scripted_llm import ScriptedLlm
from tests.fakes.word_embedder import WordEmbedder
from tests.unit.decompose.conversations import REFUND, conversation

GENERAL, MATERNAL = load_domain(), load_domain(Path("maternal_health"))
QUESTION = "refund policy for damaged items"
BY_RULES = {
    VariantKind.STANDALONE: QUESTION,
    VariantKind.SYNONYMS: "refund reimbursement policy for damaged defective items product",
    VariantKind.EXPANDED: "refund policy for damaged items, complications, prevention, care, special cases",
}
WRITTEN = {
    VariantKind.STANDALONE: "What is the refund policy for damaged items in the shop?",
    VariantKind.SYNONYMS: "What is the refund or money back policy for damaged items?",
    VariantKind.EXPANDED: "What is the refund policy for damaged items, and who pays shipping?",
}
ALL = RewriteBounds()
FOCUSED = replace(GENERAL, focus=MATERNAL.focus, rules_expand=True)


class Writer:
    """Writes what it was given; a kind without a text fails."""

    def __init__(self, texts: Mapping[VariantKind, str]) -> None:
        self.texts = texts

    async def write(self, kind: VariantKind, record: DecisionRecord, window: Window, used: list[Usage]) -> str:
        used.append(Usage(Stage.DECOMPOSE, "rewrite", input_tokens=3))
        if kind not in self.texts:
            raise LlmUnavailable("down")
        return self.texts[kind]


def record(question: str = QUESTION) -> DecisionRecord:
    return DecisionRecord(Decision.CONDENSE, "", raw=question, standalone=question)


async def rewrite(
    texts: Mapping[VariantKind, str] | None, question: str = QUESTION, embedder: WordEmbedder | None = None
) -> Rewritten:
    rewriter = Rewriter(FOCUSED, ALL, None if texts is None else Writer(texts))
    return await rewriter.rewrite(record(question), conversation(REFUND), embedder or WordEmbedder())


def wordings(rewritten: Rewritten) -> list[str]:
    return [rewritten.query.text, *(variant.text for variant in rewritten.query.variants)]


async def test_the_models_wordings_are_searched_with_falling_weights() -> None:
    rewritten = await rewrite(WRITTEN)
    assert wordings(rewritten) == list(WRITTEN.values())
    assert [round(variant.weight, 2) for variant in rewritten.query.variants] == [0.95, 0.9]
    assert not rewritten.degraded
    assert {used.task: used.input_tokens for used in rewritten.usage} == {
        "rewrite_standalone": 3,
        "rewrite_synonyms": 3,
        "rewrite_expanded": 3,
    }


async def test_without_a_model_the_rules_reword_and_it_is_said() -> None:
    rewritten = await rewrite(None)
    assert wordings(rewritten) == list(BY_RULES.values())
    assert [told.reason for told in rewritten.degraded] == ["LLM_UNAVAILABLE"]


async def test_the_rules_add_the_turns_own_words_and_aspects_only_where_the_domain_has_its_own() -> None:
    turn = replace(record(), raw="What about damaged items?")
    general = await Rewriter(GENERAL, ALL).rewrite(turn, conversation(REFUND), None)
    assert wordings(general) == [QUESTION, BY_RULES[VariantKind.SYNONYMS], turn.raw]
    assert [round(variant.weight, 2) for variant in general.query.variants] == [0.95, 0.9]
    focused = await Rewriter(FOCUSED, ALL).rewrite(turn, conversation(REFUND), None)
    assert wordings(focused) == [*BY_RULES.values(), turn.raw]


async def test_a_kind_that_neither_model_nor_rules_have_is_left_out_and_it_is_said() -> None:
    failing = Writer({kind: text for kind, text in WRITTEN.items() if kind is not VariantKind.EXPANDED})
    rewritten = await Rewriter(GENERAL, ALL, failing).rewrite(record(), conversation(REFUND), WordEmbedder())
    assert wordings(rewritten) == [*failing.texts.values()]
    assert [told.effect for told in rewritten.degraded] == [
        "These wordings of the question are those of the rules, or missing: expanded."
    ]


async def test_a_wording_that_is_far_from_the_question_is_replaced_and_it_is_said() -> None:
    rewritten = await rewrite({**WRITTEN, VariantKind.SYNONYMS: "How tall is Mount Everest?"})
    assert wordings(rewritten)[1] == BY_RULES[VariantKind.SYNONYMS]
    (told,) = rewritten.degraded
    assert told.reason == "LLM_UNUSABLE"
    assert "synonyms" in told.effect


async def test_a_kind_that_the_model_failed_at_is_that_of_the_rules() -> None:
    rewritten = await rewrite({kind: text for kind, text in WRITTEN.items() if kind is not VariantKind.EXPANDED})
    assert wordings(rewritten)[2] == BY_RULES[VariantKind.EXPANDED]
    assert [told.reason for told in rewritten.degraded] == ["LLM_UNAVAILABLE"]
    assert [used.task for used in rewritten.usage] == ["rewrite_standalone", "rewrite_synonyms", "rewrite_expanded"]


async def test_what_cannot_be_checked_is_not_used() -> None:
    failing = WordEmbedder(Unavailable("STAGE_UNAVAILABLE", "nobody answers"))
    rewritten = await rewrite(WRITTEN, embedder=failing)
    assert wordings(rewritten) == list(BY_RULES.values())
    assert [told.reason for told in rewritten.degraded] == ["STAGE_UNAVAILABLE"]


async def test_a_foreign_question_keeps_its_words_beside_its_translation() -> None:
    question = "¿Cuál es la política de reembolso para artículos dañados?"
    rewritten = await rewrite(WRITTEN, question)
    assert wordings(rewritten) == [question, *WRITTEN.values()]
    astray = await rewrite({**WRITTEN, VariantKind.EXPANDED: "How tall is Mount Everest?"}, question)
    assert "How tall is Mount Everest?" not in wordings(astray)


async def test_the_same_wording_is_searched_once() -> None:
    rewritten = await rewrite(dict.fromkeys(VariantKind, "What is the refund policy for damaged items?"))
    assert wordings(rewritten) == ["What is the refund policy for damaged items?"]


@pytest.mark.parametrize(
    ("question", "domain", "reworded"),
    [
        ("Is swelling normal when pregnant?", MATERNAL, "Is swelling oedema normal when pregnant expecting?"),
        (
            "What helps against morning sickness?",
            MATERNAL,
            "What helps against morning sickness nausea and vomiting of pregnancy?",
        ),
        ("How do I cancel my loans?", GENERAL, "How do I cancel terminate my loans credit?"),
        ("Who was Marie Curie?", GENERAL, None),
    ],
)
def test_rules_put_another_word_behind_each_of_the_domains_terms(
    question: str, domain: Domain, reworded: str | None
) -> None:
    assert with_synonyms(question, domain) == reworded


def test_rules_ask_for_the_domains_aspects_that_were_not_said() -> None:
    question = "How is care given after a C-section?"
    assert (
        expanded(question, MATERNAL) == "How is care given after a C-section, complications, prevention, special cases"
    )


def test_the_shipped_domain_has_the_built_in_words_where_it_has_none_of_its_own() -> None:
    assert (MATERNAL.name, GENERAL.name) == ("maternal health", "general")
    assert MATERNAL.unique_roles == GENERAL.unique_roles
    assert MATERNAL.focus == ("complications", "prevention", "care", "special cases")


@pytest.mark.parametrize(
    "question", ["¿Qué debo comer?", "Comment puis-je annuler?", "Wie lange ist das Fenster?", "退款政策"]
)
def test_a_question_in_another_language_is_told(question: str) -> None:
    assert is_foreign(question)


@pytest.mark.parametrize("question", [QUESTION, "What is the El Niño?", "", "Who wrote Das Kapital?"])
def test_an_english_one_is_none(question: str) -> None:
    assert not is_foreign(question)


async def test_each_kind_has_a_prompt_with_the_domains_words_and_the_conversation_as_data() -> None:
    async with ScriptedLlm() as scripted:
        for kind in VariantKind:
            scripted.reply(f'{{"question": "{WRITTEN[kind].lower().rstrip("?")}"}}')
        async with open_chat_model(LlmSettings(base_url=scripted.base_url), Stage.DECOMPOSE) as model:
            assert model is not None
            variants = LlmVariants(model, load_prompts(), MATERNAL)
            used: list[Usage] = []
            told = [await variants.write(kind, record(), conversation(REFUND), used) for kind in VariantKind]
    prompts = [request.prompt for request in scripted.requests]
    assert told == [text.capitalize() for text in WRITTEN.values()]
    assert [usage.task for usage in used] == ["rewrite"] * 3
    assert all("maternal health" in prompt and "User: What's our refund window?" in prompt for prompt in prompts)
    assert [request.body["temperature"] for request in scripted.requests] == [0.3, 0.3, 0.3]
    assert "swelling: oedema, edema" in prompts[1]
    assert "complications, prevention, care, special cases" in prompts[2]


async def test_wordings_that_the_caller_brings_stand_in_the_models_place() -> None:
    rewriter = Rewriter(FOCUSED, ALL, Writer({}))
    brought = tuple(WRITTEN.values())
    rewritten = await rewriter.rewrite(record(), conversation(REFUND), WordEmbedder(), brought)
    assert wordings(rewritten) == list(brought)
    assert not rewritten.usage
    assert not rewritten.degraded


async def test_a_brought_wording_that_is_far_from_the_question_is_replaced_and_it_is_said() -> None:
    brought = (WRITTEN[VariantKind.STANDALONE], "How deep is the sea?")
    rewritten = await Rewriter(FOCUSED, ALL).rewrite(record(), conversation(REFUND), WordEmbedder(), brought)
    assert wordings(rewritten) == [brought[0], BY_RULES[VariantKind.SYNONYMS], BY_RULES[VariantKind.EXPANDED]]
    assert [told.reason for told in rewritten.degraded] == ["LLM_UNUSABLE"]
