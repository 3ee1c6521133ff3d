"""Makes a follow-up stand alone by a language model, held to the same guards as the rules."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from libs.contracts.query import ContextSentence, Decision, DecisionRecord
from libs.contracts.usage import Usage
from libs.llm.evidence import DataBlock
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt, PromptLibrary
from libs.llm.structured import structured
from libs.llm.tally import Tallied
from services.decompose.condense import guards
from services.decompose.condense.content_words import stems_of
from services.decompose.condense.ellipsis import Gap, find_ellipsis
from services.decompose.condense.ladder import added_terms
from services.decompose.condense.tidy import tidy
from services.decompose.history import HistoryWindow
from services.decompose.query.context import in_order
from services.decompose.words.domain import Domain

TASK = "condense"
PLACES = frozenset(("history", "turn"))
MAX_TOKENS = 256
"""A standalone question is a sentence or two."""
_LONGEST_TEXT = 1500
"""Characters of a turn or answer that the model is shown."""
AGREED, ALONE = 0.9, 0.8
"""Confidence where the rules came to the same words, and where they did not; either way nobody is asked back what a
phrase stands for."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What the model fills in."""

    standalone: str


def load_prompt(replaced_by: Path | None = None) -> Prompt:
    """The prompt, or the file of the same name in the user's folder.

    Raises:
        PromptError: the file is missing or wrong.
    """
    return PromptLibrary(Path(__file__).with_name("prompts"), replaced_by).load(TASK, PLACES)


@dataclass(frozen=True, slots=True)
class LlmCondenser:
    """Asks a model; without state of its own."""

    model: ChatModel
    prompt: Prompt
    domain: Domain

    async def condense(
        self,
        window: HistoryWindow,
        by_rules: DecisionRecord,
        refused: Callable[[str], None],
        used: list[Usage],
    ) -> DecisionRecord:
        """How a turn stands alone.

        A rewrite that a guard refuses is shown to the model with the reason, once.

        Args:
            by_rules: what the rules made of the turn: their antecedents are kept, and agreeing makes it surer.
            refused: told why a guard refused a rewrite.
            used: gets what each answer of the model took, also when none can be used.

        Raises:
            LlmError: the model failed, or its second rewrite was refused too.
        """
        turn = by_rules.raw

        def fault(rewritten: Rewritten) -> str | None:
            finding = guards.check(rewritten.standalone, turn, window, self.domain)
            reason = finding.reason if finding else what_it_lacks(rewritten.standalone, by_rules)
            if reason is None:
                return None
            refused(reason)
            return f"standalone: {reason}"

        messages = self.prompt.messages({"history": history_block(window, by_rules), "turn": DataBlock.of([turn])})
        model = Tallied(self.model, used)
        filled, _ = await structured(model, messages, Rewritten, task=TASK, max_tokens=MAX_TOKENS, check=fault)
        return record_of(filled.standalone, by_rules)


def what_it_lacks(rewritten: str, by_rules: DecisionRecord) -> str | None:
    """Why a rewrite is too little: it left a turn as it is, or cut it, which leans on the conversation."""
    if tidy(rewritten).lower() == tidy(by_rules.raw).lower():
        gap = find_ellipsis(by_rules.raw)
        if gap is None or gap.gap is Gap.FRAGMENT:  # words without a verb may be all that somebody searches for
            return None
        return f"{guards.Fault.UNDER_REWRITE.value}: it leaves the turn as it is, which {gap.gap.value}"
    if by_rules.decision is not Decision.CONDENSE or not stems_of(rewritten) <= stems_of(by_rules.raw):
        return None
    return f"{guards.Fault.UNDER_REWRITE.value}: it adds nothing to a turn that leans on the conversation"


def history_block(window: HistoryWindow, by_rules: DecisionRecord) -> DataBlock:
    """What a model is shown of the conversation: the sentences that were chosen of it, else all of the window."""
    context = in_order(by_rules.selection) if by_rules.selection else ()
    return _block_of(context) if context else conversation_block(window)


def conversation_block(window: HistoryWindow) -> DataBlock:
    """The conversation as data, the oldest turn first."""
    texts = [f"Before: {window.summary}"] if window.summary else []
    for exchange in window.exchanges:
        texts.append(f"User: {exchange.question[:_LONGEST_TEXT]}")
        if exchange.answer:
            texts.append(f"Agent: {exchange.answer[:_LONGEST_TEXT]}")
    return DataBlock.of(texts)


def _block_of(context: Sequence[ContextSentence]) -> DataBlock:
    return DataBlock.of([f"{said.speaker.value.title()}: {said.text[:_LONGEST_TEXT]}" for said in context])


def record_of(rewritten: str, by_rules: DecisionRecord) -> DecisionRecord:
    """The record of a turn by a model's words that no guard refused."""
    turn = by_rules.raw
    if tidy(rewritten).lower() == tidy(turn).lower():
        confidence = AGREED if by_rules.standalone == turn else ALONE
        reason = "the language model left it as it is"
        return replace(
            by_rules, decision=Decision.PASS, reason=reason, standalone=turn, confidence=confidence, engine="llm",
            antecedent_turn=None, antecedents=(), added_terms=(),
        )  # fmt: skip
    standalone = tidy(rewritten)
    agreed = standalone.lower() == by_rules.standalone.lower()
    return replace(
        by_rules,
        decision=Decision.CONDENSE,
        reason="the language model rewrote it, and every guard passed",
        standalone=standalone,
        confidence=AGREED if agreed else ALONE,
        added_terms=added_terms(standalone, turn),
        engine="llm",
    )
