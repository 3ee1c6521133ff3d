"""A short answer to a sub-query: the language model's, if its passage contains it, else the rules'.

The model is awaited, the rules work in a thread.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Passage
from libs.contracts.spans import Span
from libs.contracts.stages.answer import ExtractRequest, ExtractResponse
from libs.contracts.usage import Degraded, Stage
from libs.engines.fallback import with_report
from libs.llm.evidence import DataBlock, DataItem
from libs.llm.fallback import EngineChoice, with_fallback
from libs.runtime.threads import in_thread
from services.answer.by_model.task_model import TaskModel
from services.answer.evidence_sanitizer import sanitize_passage
from services.answer.questions.extract import MAX_READ, extract_answer

TASK: Final = "extract"
PLACEHOLDERS: Final = frozenset(("evidence", "question"))
MAX_TOKENS: Final = 96  # of the reply: a quote and its place (taste)
MAX_QUOTE: Final = 500
"""Characters of a quote that are located; a longer one is cut (taste)."""
CONFIDENCE: Final = 0.8
"""The confidence of every answer: a model gives no calibrated one. The rules give .5 to 1 (by hand)."""


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The form that the model fills in."""

    item: int
    answer: str


@dataclass(frozen=True, slots=True)
class Extractor:
    """Extracts by the engine that the settings name."""

    choice: EngineChoice = "rules"
    model: TaskModel | None = None

    async def extract(self, request: ExtractRequest) -> ExtractResponse:
        """Return a short answer with its source, or an empty response; a budget of tokens or cost is left to the rules.

        Raises:
            FailedPrecondition: the engine is `llm` and there is no model.
            LlmError: the engine is `llm` and the model failed.
        """
        budget, model = request.budget, self.model

        async def by_rules() -> ExtractResponse:
            return await in_thread(extract_answer, request)

        outcome = await with_fallback(
            None if model is None else lambda: extract_by_model(model, request),
            by_rules,
            engine="rules" if budget.max_tokens or budget.max_cost_usd else self.choice,
            seconds=budget.max_seconds or None,
        )
        if outcome.reason is None:
            return outcome.result
        effect = "The language model failed at the task extract; rules replaced it."
        return with_report(outcome.result, Degraded(Stage.ANSWER, outcome.reason, effect))


async def extract_by_model(model: TaskModel, request: ExtractRequest) -> ExtractResponse:
    """Return the model's short answer with its source, or an empty response.

    Raises:
        LlmError: the model failed, or named words that its passage does not contain, even when asked again.
    """
    passages = [sanitize_passage(item.passage) for item in request.evidence[:MAX_READ]]
    if not passages:
        return ExtractResponse()

    def fault(form: AnswerForm) -> str | None:
        is_quoted = _locate_quote(passages, form.item, form.answer) is not None
        return None if is_quoted or not form.answer.strip() else "answer: must be words of the item, or empty"

    items = [DataItem(number, passage.text, passage.title) for number, passage in enumerate(passages, start=1)]
    values = {"evidence": DataBlock(items), "question": DataBlock.of([request.question])}
    form, usage = await model.fill_in(AnswerForm, values, MAX_TOKENS, fault)
    source = _locate_quote(passages, form.item, form.answer)
    if source is None:
        return ExtractResponse(usage=(usage,))
    return ExtractResponse(source.quote, source, CONFIDENCE, (usage,))


def _locate_quote(passages: Sequence[Passage], number: int, quote: str) -> CitedSpan | None:
    """Return where the words of a quote are in passage `number`, from 1, or None if they are not there.

    White space and letter case may differ.
    """
    words = quote[:MAX_QUOTE].split()
    if not words or not 1 <= number <= len(passages):
        return None
    passage = passages[number - 1]
    match = re.search(r"\s+".join(map(re.escape, words)), passage.text, re.IGNORECASE)
    return CitedSpan.of(0, passage, Span(*match.span())) if match else None
