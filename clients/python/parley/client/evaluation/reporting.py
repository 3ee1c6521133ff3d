"""A turn as the results tell it; pure functions. Seconds are rounded to microseconds (taste)."""

from collections import Counter

from parley.client.evaluation.results import EvaluationMetadata, RewriterMetrics, Verdicts
from parley.client.evaluation.turns import EvaluatedTurn, Models
from parley.context.v1 import answer_pb2

RETRIEVAL_METHOD = "multi_query_rewrite"


def metadata_of(turn: EvaluatedTurn, models: Models, seconds: float) -> EvaluationMetadata:
    """How a row came about; `seconds` is its wall time."""
    total = turn.total
    return EvaluationMetadata(
        num_contexts=len(turn.turn.references),
        retrieval_method=RETRIEVAL_METHOD,
        rewrite_count=len(turn.turn.queries),
        rewritten_queries=list(turn.turn.queries),
        rewrite_labels=list(turn.turn.queries.values()),
        llm_model=models.custom_answer.model_id if models.custom_answer else models.answer or turn.writer.model_id,
        rewriter_model=(
            models.custom_rewriter.model_id if models.custom_rewriter else models.rewriter or turn.rewriter.model_id
        ),
        provider=turn.writer.provider,
        model_id=turn.writer.model_id,
        rewriter_provider=turn.rewriter.provider,
        rewriter_model_id=turn.rewriter.model_id,
        execution_time=round(seconds, 6),
        input_tokens=total.input_tokens,
        output_tokens=total.output_tokens,
        tokens_used=total.input_tokens + total.output_tokens,
        total_cost=total.cost,
        usage_source=total.usage_source,
        cost_source=total.cost_source,
        outcome=turn.turn.outcome,
        abstain_score=turn.turn.abstain_score,
        verdicts=_verdicts(turn),
        degraded=list(turn.degraded),
    )


def metrics_of(turn: EvaluatedTurn) -> RewriterMetrics:
    """What each part took."""
    total = turn.total
    return RewriterMetrics(
        rewrite_input_tokens=turn.rewriting.input_tokens,
        rewrite_output_tokens=turn.rewriting.output_tokens,
        rewrite_cost=turn.rewriting.cost,
        answer_input_tokens=turn.answering.input_tokens,
        answer_output_tokens=turn.answering.output_tokens,
        answer_cost=turn.answering.cost,
        total_input_tokens=total.input_tokens,
        total_output_tokens=total.output_tokens,
        total_cost=total.cost,
        usage_source=total.usage_source,
        cost_source=total.cost_source,
    )


def _verdicts(turn: EvaluatedTurn) -> Verdicts:
    counts = Counter(citation.verdict for citation in turn.citations)
    return Verdicts(
        verified=counts[answer_pb2.VERDICT_VERIFIED],
        weak=counts[answer_pb2.VERDICT_WEAK],
        withdrawn=counts[answer_pb2.VERDICT_WITHDRAWN],
    )
