"""What the language model is given, and how a budget makes it less."""

import pytest

from libs.contracts.options import Budget, Length
from libs.contracts.stages.answer import WriteRequest
from libs.llm.errors import BudgetUsedUp
from libs.llm.prompts import Prompt
from libs.llm.settings import Price
from libs.llm.usage import estimate_count
from services.answer.writing.prompt_building import MIN_OUTPUT, PROMPT, PromptMaterial, gather_material
from tests.fakes.conversations import view_of
from tests.fakes.prompts import ANSWER
from tests.unit.answer.evidence_making import reference

TEXTS = [f"The bridge over the Elm was opened on {day} May 1902. " + "It carries two tracks. " * 8 for day in (4, 5, 6)]
REFERENCES = [reference(number, text) for number, text in enumerate(TEXTS, start=1)]
QUESTION = "When was the bridge over the Elm opened?"


@pytest.fixture(scope="module")
def prompt() -> Prompt:
    return ANSWER.load(*PROMPT)


def gather(prompt: Prompt, budget: Budget = Budget(), price: Price | None = None) -> PromptMaterial:  # noqa: B008
    request = WriteRequest(QUESTION, references=tuple(REFERENCES), budget=budget)
    return gather_material(prompt, request, Length.SHORT, REFERENCES, price)


def tokens(material: PromptMaterial) -> int:
    return estimate_count(material.messages, "").input


def test_without_a_budget_all_is_given(prompt: Prompt) -> None:
    material = gather(prompt)
    assert material.most_output is None
    text = material.messages[1].content
    assert [f"<item n={n}>" in text for n in (1, 2, 3)] == [True] * 3


def test_a_budget_takes_the_last_passages_first(prompt: Prompt) -> None:
    whole = tokens(gather(prompt))
    counts = []
    for most in range(whole + MIN_OUTPUT, 200, -20):
        try:
            material = gather(prompt, Budget(max_tokens=most))
        except BudgetUsedUp:
            break
        assert material.most_output is not None
        assert material.most_output >= MIN_OUTPUT
        assert tokens(material) + material.most_output == most
        counts.append(material.messages[1].content.count("<item n="))
    assert list(dict.fromkeys(counts)) == [3, 2, 1]


def test_dollars_count_by_the_price_of_the_model(prompt: Prompt) -> None:
    price = Price(input=1.0, output=4.0)
    cost = (tokens(gather(prompt)) + 4 * 100) / 1e6
    assert gather(prompt, Budget(max_cost_usd=cost + 1e-9), price).most_output == 100


@pytest.mark.parametrize(
    "budget", [Budget(max_tokens=1), Budget(max_cost_usd=1e-9), Budget(max_seconds=1e-3), Budget(max_tokens=150)]
)
def test_too_little_for_a_sentence_is_said(prompt: Prompt, budget: Budget) -> None:
    with pytest.raises(BudgetUsedUp):
        gather(prompt, budget, Price(input=1.0, output=4.0))


def test_the_prompt_has_none_of_the_words_of_other_tasks(prompt: Prompt) -> None:
    prompt_text = " ".join(message.content for message in gather(prompt).messages).lower()
    for word in ("standalone", "rephrase", "condense", "reformulate", "rewrite", "sub-question"):
        assert word not in prompt_text


def said_before(turn: str) -> str:
    """What the model is asked after a long conversation."""
    texts = ("Is there a bridge?", "Yes. " + "Over the Elm. " * 90, "It is old.", "It is.", "Hm?", "Yes?", "Go on.")
    request = WriteRequest(QUESTION, references=tuple(REFERENCES), view=view_of(*texts), turn=turn)
    prompt = ANSWER.load(*PROMPT)
    return gather_material(prompt, request, Length.SHORT, REFERENCES, None).messages[1].content


def test_where_a_question_may_lean_on_it_the_conversation_is_given_with_whole_messages_and_is_no_item() -> None:
    text = said_before("When was it opened?")
    conversation = text[text.index("The conversation") : text.index(f"Question: {QUESTION}")]
    assert conversation.rstrip().endswith("User: When was it opened?\n</item>\n</data>")
    assert "Is there a bridge?" not in conversation
    assert conversation.count("Over the Elm.") == 90
    assert "<item>" in conversation
    assert "<item n=" not in conversation


def test_where_it_stands_alone_the_conversation_is_not_given() -> None:
    text = said_before("")
    assert "The conversation" not in text
    assert "Hm?" not in text
