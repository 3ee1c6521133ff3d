"""Rewords a question by a language model, in all ways in one request."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

from libs.contracts.query import DecisionRecord
from libs.contracts.usage import Usage
from libs.llm.evidence import DataBlock
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt
from libs.llm.structured import complete_form
from libs.llm.tally import Tallied
from services.decompose.condense.llm import conversation_block
from services.decompose.condense.summaries import Summarizer
from services.decompose.condense.tidy import as_question
from services.decompose.history import HistoryWindow
from services.decompose.query.rewordings import VariantKind
from services.decompose.words.domain import Domain

TASK: Final = "rewrite"
"""Runs at temperature .3 unless the settings differ, because several different wordings are wanted."""
PROMPT: Final = (TASK, frozenset(("domain", "matter", "language", "vocabulary", "focus", "history", "question")))
"""The prompt's name, and the placeholders that it may have."""
MAX_TOKENS: Final = 512
"""Three questions, the last of a sentence or two (taste)."""
_MAX_VOCABULARY: Final = 60
"""Maximum terms that a prompt shows with their synonyms (taste)."""


@dataclass(frozen=True, slots=True)
class Reworded:
    """The form that the model fills in, a field for each `VariantKind`."""

    standalone: str = ""
    synonyms: str = ""
    expanded: str = ""


@dataclass(frozen=True, slots=True)
class LlmVariants:
    """Rewords questions by a language model."""

    model: ChatModel
    prompt: Prompt
    domain: Domain
    summarizer: Summarizer | None = None
    """Shortens a long conversation; None: the model is shown all of it."""

    async def write(
        self, record: DecisionRecord, window: HistoryWindow, usages: list[Usage]
    ) -> Mapping[VariantKind, str]:
        """See `VariantWriter`."""
        shown = await self.summarizer.shorten(window, usages) if self.summarizer else window
        terms = list(self.domain.synonyms.items())[:_MAX_VOCABULARY]
        messages = self.prompt.messages(
            {
                "domain": self.domain.name,
                "matter": self.domain.matter,
                "language": self.domain.language,
                "vocabulary": "; ".join(f"{term}: {', '.join(synonyms)}" for term, synonyms in terms),
                "focus": ", ".join(self.domain.focus),
                "history": conversation_block(shown),
                "question": DataBlock.of([record.question]),
            }
        )
        model = Tallied(self.model, usages)
        form, _ = await complete_form(model, messages, Reworded, task=TASK, max_tokens=MAX_TOKENS)
        return {VariantKind(kind): as_question(text) for kind, text in asdict(form).items()}
