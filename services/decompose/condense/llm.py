"""What a language model is shown of a conversation, and the record of a turn that it rewrote."""

from dataclasses import replace

from libs.contracts.query import Decision, DecisionRecord
from libs.llm.evidence import DataBlock
from services.decompose.condense.tidy import tidy
from services.decompose.history import HistoryWindow
from services.decompose.query.context import in_order

MAX_TEXT = 1500
"""Maximum characters of a turn or answer that the model is shown (taste)."""
BY_MODEL = 0.9
"""Confidence of what a model words or confirms: the user is not asked what a phrase refers to (by hand)."""


def history_block(window: HistoryWindow, by_rules: DecisionRecord) -> DataBlock:
    """Return the part of the conversation that a model is shown: the selected sentences, else the whole window."""
    context = in_order(by_rules.selection) if by_rules.selection else ()
    texts = [f"{sentence.speaker.value.title()}: {sentence.text[:MAX_TEXT]}" for sentence in context]
    return DataBlock.of(texts) if texts else conversation_block(window)


def conversation_block(window: HistoryWindow) -> DataBlock:
    """Return the conversation as data, oldest turn first."""
    texts = [f"Before: {window.summary}"] if window.summary else []
    for exchange in window.exchanges:
        texts.append(f"User: {exchange.question[:MAX_TEXT]}")
        if exchange.answer:
            texts.append(f"Agent: {exchange.answer[:MAX_TEXT]}")
    return DataBlock.of(texts)


def confirmed(by_rules: DecisionRecord) -> DecisionRecord:
    """Return the record of a turn whose wording by rules suffices a model."""
    reason = "the language model left the wording of the rules as it is"
    return replace(by_rules, reason=reason, confidence=BY_MODEL, engine="llm")


def rewritten(rewrite: str, by_rules: DecisionRecord, language: str) -> DecisionRecord:
    """Return the record of a turn for a model's rewrite that passed the guards; a turn left alone keeps its words."""
    turn, standalone = by_rules.raw, tidy(rewrite, language)
    by_model = replace(by_rules, sure_standalone="", confidence=BY_MODEL, engine="llm")
    if standalone.lower() == tidy(turn, language).lower():
        left = replace(by_model, decision=Decision.PASS, standalone=turn, antecedents=())
        return replace(left, reason="the language model left it as it is")
    reason = "the language model rewrote it"
    return replace(by_model, decision=Decision.CONDENSE, reason=reason, standalone=standalone)
