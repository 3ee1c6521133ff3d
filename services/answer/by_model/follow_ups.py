"""Follow-up questions by the engine that the settings name: a language model's, completed by the rules in a thread."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from libs.contracts.conversation import Speaker
from libs.contracts.stages.answer import RecommendRequest, RecommendResponse
from libs.contracts.usage import Usage
from libs.llm.evidence import DataBlock
from libs.llm.prompts import PromptValue
from libs.runtime.threads import in_thread
from services.answer.by_model.forms import TaskModel, evidence_block
from services.answer.evidence_sanitizer import sanitize_passage
from services.answer.recommend import MAX_READ, recommend
from services.answer.task_engines import TaskEngines

MAX_QUESTIONS: Final = 6
"""Most follow-ups, as the contract's `RequestOptions.recommendations` allows."""
PLACEHOLDERS: Final = frozenset(("count", "evidence", "questions", "answer"))
MAX_TOKENS: Final = 256  # of the reply: a few questions (taste)
MAX_ANSWER: Final = 2000
"""Characters of the answer that the prompt contains (taste)."""


@dataclass(frozen=True, slots=True)
class QuestionsForm:
    """The form that the model fills in."""

    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recommender:
    """Implements `RecommendEngine`; the rules drop what was asked before, and fill up what a model proposes."""

    engines: TaskEngines = field(default_factory=lambda: TaskEngines("recommend"))

    async def recommend(
        self, request: RecommendRequest, suggestions: Sequence[str] = (), may_ask_model: bool = True
    ) -> RecommendResponse:
        """Return distinct follow-ups, best first.

        Args:
            request: what they are made from.
            suggestions: the writing model's; they come first, and no model is asked again.
            may_ask_model: false where a budget limits tokens or cost.

        Raises:
            LlmError: see `TaskEngines.run`.
        """

        async def by_rules() -> RecommendResponse:
            return RecommendResponse(await in_thread(recommend, request, MAX_QUESTIONS, suggestions))

        async def by_model(model: TaskModel) -> RecommendResponse:
            proposals, usage = await _ask(model, request)
            return RecommendResponse(await in_thread(recommend, request, MAX_QUESTIONS, proposals), usage)

        only_rules = bool(suggestions) or not may_ask_model
        response = await self.engines.run(request, by_rules, by_model, only_rules)
        if self.engines.plugin is None:
            return response
        questions = tuple(dict.fromkeys((*suggestions, *response.questions)))[:MAX_QUESTIONS]
        return RecommendResponse(questions, response.usage, response.degraded)


async def _ask(model: TaskModel, request: RecommendRequest) -> tuple[Sequence[str], tuple[Usage, ...]]:
    """The model's questions, best first, and its usage; none without evidence."""
    passages = [sanitize_passage(item.passage) for item in request.evidence[:MAX_READ]]
    if not passages:
        return (), ()
    earlier_questions = [message.text for message in request.view.messages if message.speaker is Speaker.USER]
    values: dict[str, PromptValue] = {
        "count": MAX_QUESTIONS,
        "evidence": evidence_block(passages),
        "questions": DataBlock.of([*earlier_questions, request.question]),
        "answer": DataBlock.of([request.answer[:MAX_ANSWER]]),
    }
    form, usage = await model.fill_in(QuestionsForm, values, MAX_TOKENS)
    return [" ".join(question.split()) for question in form.questions if question.strip()], (usage,)
