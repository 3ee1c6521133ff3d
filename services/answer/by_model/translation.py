"""A language model's translation of quoted sentences, one by one: each keeps its citation, its numbers are checked.

What a translation says cannot be compared with the passage by words, so its verdict is weak. The model is awaited.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import regex

from libs.contracts.usage import Usage
from libs.llm.evidence import DataBlock
from libs.llm.prompts import PromptValue
from services.answer.by_model.task_model import TaskModel
from services.answer.citing.drafts import Paragraph

TASK: Final = "translate"
PLACEHOLDERS: Final = frozenset(("sentences", "language"))
MAX_TOKENS: Final = 1024  # of the reply (taste)
_NUMBER: Final = regex.compile(r"\p{N}+")


@dataclass(frozen=True, slots=True)
class TranslationForm:
    """The form that the model fills in."""

    sentences: tuple[str, ...]


async def translate(
    model: TaskModel, paragraphs: Sequence[Paragraph], language: str
) -> tuple[tuple[Paragraph, ...], Usage | None]:
    """Return the paragraphs with their quotations in a language, ISO 639-1, and the usage; None without quotations.

    Raises:
        LlmError: the model failed, or left out a sentence or a number, even when asked again.
    """
    texts = [sentence.text for paragraph in paragraphs for sentence in paragraph if sentence.quotation]
    if not texts:
        return tuple(paragraphs), None
    values: dict[str, PromptValue] = {"sentences": DataBlock.of(texts), "language": language}
    form, usage = await model.fill_in(
        TranslationForm, values, MAX_TOKENS, lambda filled: _fault(texts, filled.sentences)
    )
    translations = iter(form.sentences)
    translated = tuple(
        tuple(
            replace(sentence, text=next(translations), is_translated=True) if sentence.quotation else sentence
            for sentence in paragraph
        )
        for paragraph in paragraphs
    )
    return translated, usage


def _fault(texts: Sequence[str], translations: Sequence[str]) -> str | None:
    if len(translations) != len(texts):
        return f"sentences: must be {len(texts)}, one for each item, in the same order"
    for number, (text, translation) in enumerate(zip(texts, translations, strict=True), start=1):
        if not translation.strip() or sorted(_NUMBER.findall(text)) != sorted(_NUMBER.findall(translation)):
            return f"sentences: the translation of item {number} must have all of its numbers, and no others"
    return None
