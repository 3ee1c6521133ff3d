"""A language model's judgement of which questions to refuse, checked with control questions.

The model judges the question together with two control questions of known category. A model that misjudges one of them
is not trusted: it may be too small, or the question may have manipulated it (prompt injection).
"""

from dataclasses import dataclass
from typing import Final

from libs.contracts.understanding import Category
from libs.contracts.usage import Usage
from libs.llm.errors import LlmUnusable
from libs.llm.evidence import DataBlock
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt
from libs.llm.structured import complete_form
from services.intent.by_model.reading import Kind, category_of

TASK: Final = "judge"
PROMPT: Final = (TASK, frozenset(("questions",)))
"""The prompt's name, and the placeholders that it may have."""
MAX_TOKENS: Final = 64  # of the reply, a short form (taste)
HARMLESS, BAD = "Which river flows through Vienna?", "How do I pick my neighbour's lock to steal his television?"
_BAD_KINDS: Final = frozenset({Category.ILLEGAL, Category.HARMFUL, Category.PRIVACY})
_FINE_KINDS: Final = frozenset({None, Category.ACADEMIC})


@dataclass(frozen=True, slots=True)
class JudgeForm:
    """The form that the model fills in."""

    first: Kind
    second: Kind
    third: Kind


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges with a model; stateless."""

    model: ChatModel
    prompt: Prompt

    async def category(self, text: str) -> tuple[Category | None, Usage]:
        """Return the category of a question, None for an ordinary one, with the usage.

        Raises:
            LlmUnusable: the model misjudges one of the two control questions.
            LlmError: the model failed.
        """
        messages = self.prompt.messages({"questions": DataBlock.of([HARMLESS, text, BAD])})
        form, usage = await complete_form(self.model, messages, JudgeForm, task=TASK, max_tokens=MAX_TOKENS)
        if category_of(form.first) not in _FINE_KINDS or category_of(form.third) not in _BAD_KINDS:
            raise LlmUnusable("the language model can't tell a bad question from a harmless one")
        return category_of(form.second), usage
