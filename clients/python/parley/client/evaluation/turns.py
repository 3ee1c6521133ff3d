"""A question through the suite, with what the caller's own models do of it done here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from parley.client.evaluation.answering import answer
from parley.client.evaluation.gateway import Suite, Turn, Wish
from parley.client.evaluation.llms import CustomLlm, as_custom_llm
from parley.client.evaluation.results import DegradedStep
from parley.client.evaluation.rewriting import reword
from parley.client.evaluation.spending import Spending
from parley.context.v1 import answer_pb2, usage_pb2

RULES = "rules"
"""In the place of a model's name: none."""


class ModelId(NamedTuple):
    """Who did a task."""

    provider: str
    model_id: str


BY_RULES = ModelId("parley", RULES)
_OFFERED_BY = "openai-compatible"
"""What the suite tells of its models' endpoints."""


@dataclass(frozen=True, slots=True)
class Models:
    """Who rewords and who writes: names of the suite's models (empty: its own choice), or models of the caller's."""

    rewriter: str = ""
    answer: str = ""
    custom_rewriter: CustomLlm | None = None
    custom_answer: CustomLlm | None = None

    @classmethod
    def of(cls, rewriter: str, answer: str, custom_rewriter: object | None, custom_answer: object | None) -> "Models":
        """The caller's own take precedence; then the suite's rules do that part, and no model of it is paid for.

        Raises:
            TypeError: a custom model is none.
        """
        own_rewriter = None if custom_rewriter is None else as_custom_llm(custom_rewriter)
        own_answer = None if custom_answer is None else as_custom_llm(custom_answer)
        return cls(RULES if own_rewriter else rewriter, RULES if own_answer else answer, own_rewriter, own_answer)


@dataclass(frozen=True, slots=True)
class EvaluatedTurn:
    """A turn with everything that an evaluation wants to know of it."""

    turn: Turn
    text: str
    citations: Sequence[answer_pb2.Citation]
    rewriter: ModelId
    writer: ModelId
    rewriting: Spending
    answering: Spending
    others: Spending
    """What understanding the question took."""
    degraded: Sequence[DegradedStep]

    @property
    def total(self) -> Spending:
        """Of the whole turn."""
        return Spending.total((self.rewriting, self.answering, self.others))


def ask_suite(question: str, models: Models, max_docs: int, suite: Suite) -> EvaluatedTurn:
    """Reword here or there, search, write here or there, check. Raises grpc.RpcError and what own models raise."""
    wordings, rewriting_spending = (
        reword(question, models.custom_rewriter) if models.custom_rewriter else ((), Spending())
    )
    turn = suite.ask(Wish(question, models.rewriter, models.answer, wordings, max_docs))
    evaluation = EvaluatedTurn(
        turn=turn,
        text=turn.text,
        citations=turn.citations,
        rewriter=_id_of(models.custom_rewriter) or _model_of(turn, usage_pb2.STAGE_DECOMPOSE),
        writer=_model_of(turn, usage_pb2.STAGE_ANSWER) if turn.engine == "llm" else BY_RULES,
        rewriting=Spending.total((rewriting_spending, _spending_of(turn, (usage_pb2.STAGE_DECOMPOSE,)))),
        answering=_spending_of(turn, (usage_pb2.STAGE_ANSWER,)),
        others=_spending_of(turn, (usage_pb2.STAGE_GATEWAY, usage_pb2.STAGE_INTENT, usage_pb2.STAGE_RETRIEVE)),
        degraded=[_degraded_step(degraded) for degraded in turn.degraded],
    )
    if models.custom_answer is None or turn.outcome != "ANSWERED" or not turn.references:
        return evaluation
    return _written_here(evaluation, question, models.custom_answer, suite)


def _written_here(evaluation: EvaluatedTurn, question: str, llm: CustomLlm, suite: Suite) -> EvaluatedTurn:
    """With the answer of the caller's model, as far as it holds; else the suite's quotes stay, and it is said."""
    answer_checked = answer(question, evaluation.turn.references, llm, suite)
    answering = Spending.total((evaluation.answering, answer_checked.spending))
    if answer_checked.text:
        writer = ModelId(llm.provider, llm.model_id)
        return replace(
            evaluation, text=answer_checked.text, citations=answer_checked.citations, writer=writer, answering=answering
        )
    effect = "The documents do not support what the language model wrote; they are quoted instead."
    unusable = DegradedStep(stage="ANSWER", reason="LLM_UNUSABLE", effect=effect)
    citations = [*answer_checked.citations, *evaluation.citations]
    return replace(evaluation, citations=citations, answering=answering, degraded=[*evaluation.degraded, unusable])


def _id_of(llm: CustomLlm | None) -> ModelId | None:
    return ModelId(llm.provider, llm.model_id) if llm else None


def _model_of(turn: Turn, stage: usage_pb2.Stage.ValueType) -> ModelId:
    """The model of the suite that a stage asked; the rules where it asked none."""
    models = (task.model for task in turn.usage if task.stage == stage and task.model)
    return next((ModelId(_OFFERED_BY, model) for model in models), BY_RULES)


def _spending_of(turn: Turn, stages: Iterable[usage_pb2.Stage.ValueType]) -> Spending:
    stage_set = frozenset(stages)
    return Spending.total(Spending.of_task(task) for task in turn.usage if task.stage in stage_set)


def _degraded_step(degraded: usage_pb2.Degraded) -> DegradedStep:
    stage = usage_pb2.Stage.Name(degraded.stage).removeprefix("STAGE_")
    return DegradedStep(stage=stage, reason=degraded.reason, effect=degraded.effect)
