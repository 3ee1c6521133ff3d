"""What a language model is shown of a conversation, and the record of a turn that it rewrote."""

from dataclasses import replace

from libs.contracts.query import Decision, DecisionRecord
from libs.llm.evidence import DataBlock
from services.decompose.condense.content_words import added_terms
from services.decompose.condense.tidy import tidy
from services.decompose.history import HistoryWindow
from services.decompose.query.context import in_order

MAX_TEXT = 1500
"""Maximum characters of a turn or answer that the model is shown (taste)."""
AGREED, ALONE = 0.9, 0.8
"""Confidence if the rules produced the same words, and if not; in neither case is the user asked what a phrase refers
to (by hand)."""


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


def record_of(rewrite: str, by_rules: DecisionRecord, language: str) -> DecisionRecord:
    """Return the record of a turn for a model's rewrite that passed the guards."""
    turn = by_rules.raw
    if tidy(rewrite, language).lower() == tidy(turn, language).lower():
        confidence = AGREED if by_rules.standalone == turn else ALONE
        reason = "the language model left it as it is"
        return replace(
            by_rules, decision=Decision.PASS, reason=reason, standalone=turn, confidence=confidence, engine="llm",
            antecedent_turn=None, antecedents=(), added_terms=(), sure_standalone="",
        )  # fmt: skip
    standalone = tidy(rewrite, language)
    agrees = standalone.lower() == by_rules.standalone.lower()
    return replace(
        by_rules,
        decision=Decision.CONDENSE,
        reason="the language model rewrote it, and every guard passed",
        standalone=standalone,
        sure_standalone="",
        confidence=AGREED if agrees else ALONE,
        added_terms=added_terms(standalone, turn, language),
        engine="llm",
    )
