"""Rewordings of a question by a language model, with one prompt per kind; LlmError if it writes nothing usable."""

from collections.abc import Mapping
from dataclasses import dataclass

from libs.contracts.query import DecisionRecord
from libs.contracts.usage import Usage
from libs.llm.evidence import DataBlock
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt, PromptLibrary
from libs.llm.structured import complete_form
from libs.llm.tally import Tallied
from services.decompose.condense.llm import conversation_block
from services.decompose.condense.summaries import Summarizer
from services.decompose.condense.tidy import as_question
from services.decompose.history import HistoryWindow
from services.decompose.query.rewordings import VariantKind
from services.decompose.words.domain import Domain

TASK = "rewrite"
"""Runs at temperature .3 unless the settings differ, because several different wordings are wanted."""
_PLACEHOLDERS = frozenset(("domain", "matter", "language", "vocabulary", "focus", "connectives", "history", "question"))
MAX_TOKENS = 256  # of the reply: a few short queries (taste)
_MAX_VOCABULARY = 60
"""Maximum terms that a prompt shows with their synonyms (taste)."""


@dataclass(frozen=True, slots=True)
class Reworded:
    """The form that the model fills in."""

    question: str


def prompts_of(library: PromptLibrary) -> Mapping[VariantKind, Prompt]:
    """Return the prompt of each kind.

    Raises:
        PromptError: a file is missing or invalid.
    """
    return {kind: library.load(f"rewrite_{kind.value}", _PLACEHOLDERS) for kind in VariantKind}


@dataclass(frozen=True, slots=True)
class LlmVariants:
    """Rewords questions by a language model. Stateless."""

    model: ChatModel
    prompts: Mapping[VariantKind, Prompt]
    domain: Domain
    summarizer: Summarizer | None = None
    """Knows summaries of a long conversation; None: the model is shown all of it."""

    async def write(self, kind: VariantKind, record: DecisionRecord, window: HistoryWindow, usages: list[Usage]) -> str:
        """See `VariantWriter`."""
        shown = self.summarizer.shown(window) if self.summarizer else window
        messages = self.prompts[kind].messages(
            {
                "domain": self.domain.name,
                "matter": self.domain.matter,
                "language": self.domain.language,
                "vocabulary": self._vocabulary(),
                "focus": ", ".join(self.domain.focus),
                "connectives": ", ".join(sorted(self.domain.connectives)),
                "history": conversation_block(shown),
                "question": DataBlock.of([record.question]),
            }
        )
        model = Tallied(self.model, usages)
        form, _ = await complete_form(model, messages, Reworded, task=TASK, max_tokens=MAX_TOKENS, check=_fault)
        return as_question(form.question)

    def _vocabulary(self) -> str:
        terms = list(self.domain.synonyms.items())[:_MAX_VOCABULARY]
        return "; ".join(f"{term}: {', '.join(synonyms)}" for term, synonyms in terms)


def _fault(form: Reworded) -> str | None:
    return None if form.question.strip() else "question: must not be empty"
