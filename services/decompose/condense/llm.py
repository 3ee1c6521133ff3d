"""What a language model is shown of a conversation, shortened where it is too long, and the record of its rewrite.

The model summarizes the older turns, all that have no summary yet in one request. Summaries are kept with their turn: a
conversation has become short by them, so that several turns pass before it is too long again. Where the model fails,
the older turns are cut at whole sentences.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import Final

from libs.contracts.query import Decision, DecisionRecord
from libs.contracts.usage import Usage
from libs.language.known import ENGLISH
from libs.llm.evidence import DataBlock
from libs.llm.fallback import known, with_fallback
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt
from libs.llm.structured import complete_form
from libs.text.sentences import newest_sentences
from services.decompose.condense.tidy import tidy
from services.decompose.history import SUMMARY_CHARACTERS, Exchange, HistoryWindow
from services.decompose.query.context import in_order

MAX_TEXT: Final = 1500
"""Maximum characters of a turn or answer that the model is shown (taste)."""
BY_MODEL: Final = 0.9
"""Confidence of what a model words or confirms: the user is not asked what a phrase refers to (by hand)."""
TASK: Final = "condense"
PROMPT: Final = ("summarize", frozenset(("turns",)))
"""The prompt's name, and the placeholders that it may have."""
BUDGET: Final = 6000
"""Characters of a conversation that are shown in full (taste): six turns of a paragraph or two each."""
NEWEST: Final = 2
"""Turns that are never summarized (taste)."""
MAX_TOKENS: Final = 256
"""A sentence for each of four turns (taste)."""
KEPT: Final = 1024
"""Turns whose summaries are kept, some 3 kB each (taste)."""


@dataclass(frozen=True, slots=True)
class SummaryForm:
    """The form that the model fills in."""

    turns: tuple[str, ...]


class Summarizer:
    """Shortens conversations by a model; keeps the summaries of turns."""

    def __init__(self, model: ChatModel, prompt: Prompt, seconds: float = 2.0) -> None:
        """`seconds` is the timeout of the model (taste)."""
        self._model = model
        self._prompt = prompt
        self._seconds = seconds
        self._summaries: dict[Exchange, str] = {}

    async def shorten(self, window: HistoryWindow, usages: list[Usage]) -> HistoryWindow:
        """Return the conversation as a model is shown it; `usages` receives the usage of the model's answer."""
        shown = self._with_summaries(window)
        if _is_long(shown) and (older := shown.exchanges[:-NEWEST]):
            writing = partial(self._summarize, older, self._model.tallied(usages))
            await with_fallback(writing, partial(known, None), seconds=self._seconds)
            shown = self._with_summaries(window)
        return _cut(shown) if _is_long(shown) else shown

    def _with_summaries(self, window: HistoryWindow) -> HistoryWindow:
        """A conversation, if it is long, with the summaries of its oldest turns, as far as known, in their place."""
        if not _is_long(window):
            return window
        summaries = tuple(takewhile(bool, (self._summaries.get(turn, "") for turn in window.exchanges[:-NEWEST])))
        summary = "\n".join(filter(None, (window.summary, *summaries)))
        return replace(window, exchanges=window.exchanges[len(summaries) :], summary=summary)

    async def _summarize(self, turns: Sequence[Exchange], model: ChatModel) -> None:
        def fault(form: SummaryForm) -> str | None:
            are_all = len(form.turns) == len(turns) and all(map(str.strip, form.turns))
            return None if are_all else f"turns: must be {len(turns)} sentences"

        texts = [f"User: {turn.question[:MAX_TEXT]}\nAgent: {turn.answer[:MAX_TEXT]}" for turn in turns]
        messages = self._prompt.messages({"turns": DataBlock.of(texts)})
        form, _ = await complete_form(
            model, messages, SummaryForm, task=TASK, max_tokens=MAX_TOKENS, check=fault, mend=False
        )
        self._summaries.update(zip(turns, form.turns, strict=True))
        while len(self._summaries) > KEPT:
            del self._summaries[next(iter(self._summaries))]


def _is_long(window: HistoryWindow) -> bool:
    return sum(len(text[:MAX_TEXT]) for text in window.texts()) > BUDGET


def _cut(window: HistoryWindow) -> HistoryWindow:
    """The newest turns after the last sentences of the older ones."""
    older = [text for turn in window.exchanges[:-NEWEST] for text in (turn.question, turn.answer)]
    summary = newest_sentences([*window.summary.splitlines(), *older], SUMMARY_CHARACTERS, ENGLISH)
    return replace(window, exchanges=window.exchanges[-NEWEST:], summary=summary)


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
