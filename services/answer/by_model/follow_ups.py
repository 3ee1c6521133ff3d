"""Follow-up questions by the engine that the settings name: a language model's, completed by the rules in a thread."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from libs.contracts.conversation import Speaker
from libs.contracts.engines import RecommendEngine
from libs.contracts.stages.answer import RecommendRequest, RecommendResponse
from libs.llm.evidence import DataBlock
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt
from libs.llm.structured import complete_form
from libs.runtime.threads import in_thread
from services.answer.by_model.extraction import evidence_block
from services.answer.evidence_sanitizer import sanitize_passage
from services.answer.recommend import MAX_READ, recommend
from services.answer.task_engines import TaskEngines

TASK: Final = "recommend"
MAX_QUESTIONS: Final = 6
"""Most follow-ups, as the contract's `RequestOptions.recommendations` allows."""
PROMPT: Final = (TASK, frozenset(("count", "evidence", "questions", "answer")))
"""The prompt\'s name, and the placeholders that it may have."""
MAX_TOKENS: Final = 256  # of the reply: a few questions (taste)
MAX_ANSWER: Final = 2000
"""Characters of the answer that the prompt contains (taste)."""


@dataclass(frozen=True, slots=True)
class QuestionsForm:
    """The form that the model fills in."""

    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelRecommender:
    """Implements `RecommendEngine` with a model; stateless."""

    model: ChatModel
    prompt: Prompt

    async def recommend(self, request: RecommendRequest) -> RecommendResponse:
        """Return the model's questions, best first; none without evidence.

        Raises:
            LlmError: the model failed.
        """
        passages = [sanitize_passage(item.passage) for item in request.evidence[:MAX_READ]]
        if not passages:
            return RecommendResponse()
        earlier_questions = [message.text for message in request.view.messages if message.speaker is Speaker.USER]
        messages = self.prompt.messages(
            {
                "count": MAX_QUESTIONS,
                "evidence": evidence_block(passages),
                "questions": DataBlock.of([*earlier_questions, request.question]),
                "answer": DataBlock.of([request.answer[:MAX_ANSWER]]),
            }
        )
        form, usage = await complete_form(self.model, messages, QuestionsForm, task=TASK, max_tokens=MAX_TOKENS)
        questions = dict.fromkeys(" ".join(question.split()) for question in form.questions)
        return RecommendResponse(tuple(question for question in questions if question)[:MAX_QUESTIONS], (usage,))


@dataclass(frozen=True, slots=True)
class Recommender:
    """Implements `RecommendEngine`; the rules drop what was asked before, and fill up what a model proposes."""

    engines: TaskEngines[RecommendEngine, ModelRecommender] = field(default_factory=TaskEngines)

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

        async def by_model(model: ModelRecommender) -> RecommendResponse:
            proposal = await model.recommend(request)
            questions = await in_thread(recommend, request, MAX_QUESTIONS, proposal.questions)
            return RecommendResponse(questions, proposal.usage)

        if self.engines.plugin is None and (suggestions or not may_ask_model):
            return await by_rules()
        response = await self.engines.run(TASK, by_rules, by_model, lambda plugin: plugin.recommend(request))
        questions = tuple(dict.fromkeys((*suggestions, *response.questions)))[:MAX_QUESTIONS]
        return RecommendResponse(questions, response.usage, response.degraded)
