"""Condenses a follow-up by a language model, which is awaited; its rewrite is checked against the conversation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from libs.contracts.query import ContextSentence, Decision, DecisionRecord
from libs.contracts.usage import Usage
from libs.llm.evidence import DataBlock
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt
from libs.llm.structured import complete_form
from libs.llm.tally import Tallied
from services.decompose.condense.content_words import added_terms
from services.decompose.condense.model_guards import fault_of
from services.decompose.condense.tidy import as_question, tidy
from services.decompose.history import HistoryWindow
from services.decompose.query.context import in_order

TASK = "condense"
PROMPT = (TASK, frozenset(("history", "turn")))
"""The prompt's name, and the placeholders that it may have."""
MAX_TOKENS = 256
"""A standalone question is a sentence or two (taste)."""
_MAX_TEXT = 1500
"""Maximum characters of a turn or answer that the model is shown (taste)."""
AGREED, ALONE = 0.9, 0.8
"""Confidence if the rules produced the same words, and if not; in neither case is the user asked what a phrase refers
to (by hand)."""


@dataclass(frozen=True, slots=True)
class RewriteForm:
    """The form that the model fills in."""

    standalone: str


@dataclass(frozen=True, slots=True)
class LlmCondenser:
    """Condenses by a language model. Stateless."""

    model: ChatModel
    prompt: Prompt

    async def condense(
        self,
        window: HistoryWindow,
        by_rules: DecisionRecord,
        language: str,
        on_refusal: Callable[[str], None],
        usages: list[Usage],
    ) -> DecisionRecord:
        """Return the decision record of a turn.

        If a guard refuses the rewrite, the model gets the reason and one more attempt.

        Args:
            window: the conversation.
            by_rules: the rules' record of the turn; its antecedents are kept, and agreement raises the confidence.
            language: the turn's, ISO 639-1.
            on_refusal: called with the reason when a guard refuses a rewrite.
            usages: receives the usage of each model response, even if none can be used.

        Raises:
            LlmError: the model failed, or its second rewrite was refused too.
        """
        turn = by_rules.raw

        def fault(rewrite: RewriteForm) -> str | None:
            reason = fault_of(rewrite.standalone, turn, window.texts(), language)
            if reason is None:
                return None
            on_refusal(reason)
            return f"standalone: {reason}"

        messages = self.prompt.messages({"history": history_block(window, by_rules), "turn": DataBlock.of([turn])})
        model = Tallied(self.model, usages)
        form, _ = await complete_form(model, messages, RewriteForm, task=TASK, max_tokens=MAX_TOKENS, check=fault)
        return record_of(form.standalone, by_rules, language)


def history_block(window: HistoryWindow, by_rules: DecisionRecord) -> DataBlock:
    """Return the part of the conversation that a model is shown: the selected sentences, else the whole window."""
    context = in_order(by_rules.selection) if by_rules.selection else ()
    return _block_of(context) if context else conversation_block(window)


def conversation_block(window: HistoryWindow) -> DataBlock:
    """Return the conversation as data, oldest turn first."""
    texts = [f"Before: {window.summary}"] if window.summary else []
    for exchange in window.exchanges:
        texts.append(f"User: {exchange.question[:_MAX_TEXT]}")
        if exchange.answer:
            texts.append(f"Agent: {exchange.answer[:_MAX_TEXT]}")
    return DataBlock.of(texts)


def _block_of(context: Sequence[ContextSentence]) -> DataBlock:
    return DataBlock.of([f"{sentence.speaker.value.title()}: {sentence.text[:_MAX_TEXT]}" for sentence in context])


def record_of(rewrite: str, by_rules: DecisionRecord, language: str) -> DecisionRecord:
    """Return the record of a turn for a model's rewrite that passed the guards."""
    turn = by_rules.raw
    if tidy(rewrite, language).lower() == tidy(turn, language).lower():
        confidence = AGREED if by_rules.standalone == turn else ALONE
        reason = "the language model left it as it is"
        return replace(
            by_rules, decision=Decision.PASS, reason=reason, standalone=turn, confidence=confidence, engine="llm",
            antecedent_turn=None, antecedents=(), added_terms=(),
        )  # fmt: skip
    standalone = as_question(tidy(rewrite, language))
    agrees = standalone.lower() == by_rules.standalone.lower()
    return replace(
        by_rules,
        decision=Decision.CONDENSE,
        reason="the language model rewrote it, and every guard passed",
        standalone=standalone,
        confidence=AGREED if agrees else ALONE,
        added_terms=added_terms(standalone, turn, language),
        engine="llm",
    )
