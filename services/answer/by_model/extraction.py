"""A language model's short answer to a sub-query; it counts only if its passage contains it. The model is awaited."""

from dataclasses import dataclass
from typing import Final

from libs.contracts.stages.answer import ExtractRequest, ExtractResponse
from libs.llm.evidence import DataBlock
from services.answer.by_model.forms import TaskModel, evidence_block, locate_quote
from services.answer.evidence_sanitizer import sanitize_passage
from services.answer.questions.extract import MAX_READ

PLACEHOLDERS: Final = frozenset(("evidence", "question"))
MAX_TOKENS: Final = 96  # of the reply: a quote and its place (taste)
CONFIDENCE: Final = 0.8
"""The confidence of every answer: a model gives no calibrated one. The rules give .5 to 1 (by hand)."""


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The form that the model fills in."""

    item: int
    answer: str


async def extract_by_model(model: TaskModel, request: ExtractRequest) -> ExtractResponse:
    """Return the model's short answer with its source, or an empty response.

    Raises:
        LlmError: the model failed, or named words that its passage does not contain, even when asked again.
    """
    passages = [sanitize_passage(item.passage) for item in request.evidence[:MAX_READ]]
    if not passages:
        return ExtractResponse()

    def fault(form: AnswerForm) -> str | None:
        is_quoted = locate_quote(passages, form.item, form.answer) is not None
        return None if is_quoted or not form.answer.strip() else "answer: must be words of the item, or empty"

    values = {"evidence": evidence_block(passages), "question": DataBlock.of([request.question])}
    form, usage = await model.fill_in(AnswerForm, values, MAX_TOKENS, fault)
    source = locate_quote(passages, form.item, form.answer)
    if source is None:
        return ExtractResponse(usage=(usage,))
    return ExtractResponse(source.quote, source, CONFIDENCE, (usage,))
