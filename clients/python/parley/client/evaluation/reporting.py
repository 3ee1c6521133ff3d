"""A turn as the results tell it."""

from collections import Counter

from parley.client.evaluation.results import EvaluationMetadata, RewriterMetrics, Verdicts
from parley.client.evaluation.turns import Done, Models
from parley.context.v1 import answer_pb2

RETRIEVAL_METHOD = "multi_query_rewrite"


def metadata_of(done: Done, models: Models, seconds: float) -> EvaluationMetadata:
    """How a row came about; `seconds` is its wall time."""
    total = done.total
    return EvaluationMetadata(
        num_contexts=len(done.turn.references),
        retrieval_method=RETRIEVAL_METHOD,
        rewrite_count=len(done.turn.queries),
        rewritten_queries=list(done.turn.queries),
        llm_model=models.custom_answer.model_id if models.custom_answer else models.answer or done.writer.model_id,
        rewriter_model=(
            models.custom_rewriter.model_id if models.custom_rewriter else models.rewriter or done.rewriter.model_id
        ),
        provider=done.writer.provider,
        model_id=done.writer.model_id,
        rewriter_provider=done.rewriter.provider,
        rewriter_model_id=done.rewriter.model_id,
        execution_time=round(seconds, 6),
        input_tokens=total.input_tokens,
        output_tokens=total.output_tokens,
        tokens_used=total.input_tokens + total.output_tokens,
        total_cost=total.cost,
        usage_source=total.usage_source,
        cost_source=total.cost_source,
        outcome=done.turn.outcome,
        abstain_score=done.turn.abstain_score,
        verdicts=_verdicts(done),
        degraded=list(done.degraded),
    )


def metrics_of(done: Done) -> RewriterMetrics:
    """What each part took."""
    total = done.total
    return RewriterMetrics(
        rewrite_input_tokens=done.rewriting.input_tokens,
        rewrite_output_tokens=done.rewriting.output_tokens,
        rewrite_cost=done.rewriting.cost,
        answer_input_tokens=done.answering.input_tokens,
        answer_output_tokens=done.answering.output_tokens,
        answer_cost=done.answering.cost,
        total_input_tokens=total.input_tokens,
        total_output_tokens=total.output_tokens,
        total_cost=total.cost,
        usage_source=total.usage_source,
        cost_source=total.cost_source,
    )


def _verdicts(done: Done) -> Verdicts:
    counts = Counter(citation.verdict for citation in done.citations)
    return Verdicts(
        verified=counts[answer_pb2.VERDICT_VERIFIED],
        weak=counts[answer_pb2.VERDICT_WEAK],
        withdrawn=counts[answer_pb2.VERDICT_WITHDRAWN],
    )
