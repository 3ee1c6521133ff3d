"""A language model's short answer to a sub-query; it counts only if its passage contains it.

Also what the stage's other tasks by a model share: passages as numbered data of a prompt, and where quoted words stand.
The model is awaited; the rest is pure.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Passage
from libs.contracts.spans import Span
from libs.contracts.stages.answer import ExtractRequest, ExtractResponse
from libs.llm.evidence import DataBlock, DataItem
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt
from libs.llm.structured import complete_form
from services.answer.evidence_sanitizer import sanitize_passage
from services.answer.extract import MAX_READ

MAX_QUOTE: Final = 500
"""Characters of a quote that are located; a longer one is cut (taste)."""


def evidence_block(passages: Sequence[Passage]) -> DataBlock:
    """Return sanitized passages as items numbered from 1."""
    return DataBlock(
        [DataItem(number, passage.text, passage.title) for number, passage in enumerate(passages, start=1)]
    )


def locate_quote(passages: Sequence[Passage], number: int, quote: str) -> CitedSpan | None:
    """Return where the words of a quote are in passage `number`, from 1, or None if they are not there.

    White space and letter case may differ.
    """
    words = quote[:MAX_QUOTE].split()
    if not words or not 1 <= number <= len(passages):
        return None
    passage = passages[number - 1]
    match = re.search(r"\s+".join(map(re.escape, words)), passage.text, re.IGNORECASE)
    if match is None:
        return None
    return CitedSpan(0, passage.passage_id, Span(*match.span()), match[0])


TASK: Final = "extract"
PROMPT: Final = (TASK, frozenset(("evidence", "question")))
"""The prompt\'s name, and the placeholders that it may have."""
MAX_TOKENS: Final = 96  # of the reply: a quote and its place (taste)
CONFIDENCE: Final = 0.8
"""The confidence of every answer: a model gives no calibrated one. The rules give .5 to 1 (by hand)."""


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The form that the model fills in."""

    item: int
    answer: str


@dataclass(frozen=True, slots=True)
class ModelExtractor:
    """Implements `ExtractEngine` with a model; stateless."""

    model: ChatModel
    prompt: Prompt

    async def extract(self, request: ExtractRequest) -> ExtractResponse:
        """Return the model's short answer with its source, or an empty response.

        Raises:
            LlmError: the model failed, or named words that its passage does not contain, even when asked again.
        """
        passages = [sanitize_passage(item.passage) for item in request.evidence[:MAX_READ]]
        if not passages:
            return ExtractResponse()

        def fault(form: AnswerForm) -> str | None:
            is_empty = not form.answer.strip()
            is_quoted = locate_quote(passages, form.item, form.answer) is not None
            return None if is_empty or is_quoted else "answer: must be words of the item, or empty"

        messages = self.prompt.messages(
            {"evidence": evidence_block(passages), "question": DataBlock.of([request.question])}
        )
        form, usage = await complete_form(
            self.model, messages, AnswerForm, task=TASK, max_tokens=MAX_TOKENS, check=fault
        )
        source = locate_quote(passages, form.item, form.answer)
        if source is None:
            return ExtractResponse(usage=(usage,))
        return ExtractResponse(source.quote, source, CONFIDENCE, (usage,))
