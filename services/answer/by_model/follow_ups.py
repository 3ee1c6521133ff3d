"""A language model's questions to ask next."""

from dataclasses import dataclass
from typing import Final

from libs.contracts.conversation import Speaker
from libs.contracts.stages.answer import RecommendRequest, RecommendResponse
from libs.llm.evidence import DataBlock
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt
from libs.llm.structured import complete_form
from services.answer.by_model.evidence_block import evidence_block
from services.answer.evidence_sanitizer import sanitize_passage
from services.answer.recommend import MOST_READ

TASK: Final = "recommend"
PLACES: Final = frozenset(("count", "evidence", "questions", "answer"))
MAX_TOKENS: Final = 256
LONGEST_ANSWER: Final = 2000
"""Characters of the answer that the prompt contains."""


@dataclass(frozen=True, slots=True)
class QuestionsForm:
    """The form that the model fills in."""

    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelRecommender:
    """Implements `RecommendEngine` with a model; stateless."""

    model: ChatModel
    prompt: Prompt
    most: int
    """Maximum number of questions."""

    async def recommend(self, request: RecommendRequest) -> RecommendResponse:
        """Return the model's questions, best first; none without evidence.

        Raises:
            LlmError: the model failed.
        """
        passages = [sanitize_passage(item.passage) for item in request.evidence[:MOST_READ]]
        if not passages or not self.most:
            return RecommendResponse()
        earlier_questions = [message.text for message in request.view.messages if message.speaker is Speaker.USER]
        messages = self.prompt.messages(
            {
                "count": self.most,
                "evidence": evidence_block(passages),
                "questions": DataBlock.of([*earlier_questions, request.question]),
                "answer": DataBlock.of([request.answer[:LONGEST_ANSWER]]),
            }
        )
        form, usage = await complete_form(self.model, messages, QuestionsForm, task=TASK, max_tokens=MAX_TOKENS)
        questions = dict.fromkeys(" ".join(question.split()) for question in form.questions)
        return RecommendResponse(tuple(question for question in questions if question)[: self.most], (usage,))
