"""A language model's short answer to a sub-query; it counts only if its passage contains it."""

from dataclasses import dataclass
from typing import Final

from libs.contracts.stages.answer import ExtractRequest, ExtractResponse
from libs.llm.evidence import DataBlock
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt
from libs.llm.structured import complete_form
from services.answer.by_model.evidence_block import evidence_block, locate_quote
from services.answer.evidence_sanitizer import sanitize_passage
from services.answer.extract import MOST_READ

TASK: Final = "extract"
PLACES: Final = frozenset(("evidence", "question"))
MAX_TOKENS: Final = 96
CONFIDENCE: Final = 0.8
"""The confidence of every answer: a model gives no calibrated one. The rules give .5 to 1."""


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
        passages = [sanitize_passage(item.passage) for item in request.evidence[:MOST_READ]]
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
